// Package gctrace reads the lines that the Go runtime prints under
// GODEBUG=gctrace=1.
//
// The format is documented in package runtime as subject to change, and has
// grown fields since Go 1.5, so the reader is lenient: it looks for each part
// by its own mark ("ms clock", "MB goal", "(forced)") and takes what it finds.
package gctrace

import (
	"bufio"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Cycle is one garbage collection as its line tells it.
type Cycle struct {
	Forced bool          // by runtime.GC, not by the pacer
	At     time.Duration // since the start of the process

	SweepTermination time.Duration // world stopped, at the start
	Concurrent       time.Duration // mark, beside the program
	MarkTermination  time.Duration // world stopped, at the end

	AssistCPU     time.Duration // CPU time of goroutines that had to help
	BackgroundCPU time.Duration // of the dedicated and fractional workers
	IdleCPU       time.Duration // of workers on Ps that had nothing else to do
	StoppedCPU    time.Duration // of the two stopped phases, all Ps together

	HeapGoal int64 // bytes
	Live     int64 // bytes that were marked
}

// A Summary adds up the cycles of one process that were not forced.
type Summary struct {
	Cycles   int           `json:"cycles"`
	Forced   int           `json:"forced"` // left out of everything else
	CPU      time.Duration `json:"cpu"`    // all four parts of every cycle
	IdleCPU  time.Duration `json:"idleCPU"`
	Stopped  time.Duration `json:"stopped"`  // world stopped, on the clock
	MaxPause time.Duration `json:"maxPause"` // the longest single stop
	HeapGoal int64         `json:"heapGoal"` // the largest, in bytes; the tracing resolution is 1 MiB
	Unread   int           `json:"unread"`   // lines that look like a trace and could not be read
}

// Add counts c.
func (s *Summary) Add(c Cycle) {
	if c.Forced {
		s.Forced++
		return
	}
	s.Cycles++
	s.CPU += c.AssistCPU + c.BackgroundCPU + c.IdleCPU + c.StoppedCPU
	s.IdleCPU += c.IdleCPU
	s.Stopped += c.SweepTermination + c.MarkTermination
	s.MaxPause = max(s.MaxPause, c.SweepTermination, c.MarkTermination)
	s.HeapGoal = max(s.HeapGoal, c.HeapGoal)
}

// longest is how much of a line is looked at; a trace has about 150 bytes.
const longest = 64 << 10

// Read sums up the traces among the lines of r. Other lines are passed over:
// a program's standard error holds both.
func Read(r io.Reader) (Summary, error) {
	var s Summary
	lines := bufio.NewReaderSize(r, longest)
	for {
		line, err := lines.ReadSlice('\n')
		s.addLine(string(line))
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a long line
			_, err = lines.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, err
		}
	}
}

func (s *Summary) addLine(line string) {
	at := Find(line)
	if at < 0 {
		return
	}
	c, ok := Parse(line[at:])
	if !ok {
		s.Unread++
		return
	}
	s.Add(c)
}

// start is how a trace begins. Go 1.26 may say in parentheses what else a
// collection is for.
var start = regexp.MustCompile(`gc \d+ @\d+\.\d+s \d+%(?::| \([^)]*\):) `)

// Find returns where in line the trace of a collection begins, or -1. Text may
// stand before it, if a program left its own line open.
func Find(line string) int {
	all := start.FindAllStringIndex(line, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

// Parse reads a trace. ok is false if the clock times or the number of Ps, which
// every version prints, are not there: something was written into the line, and
// whether the collection was forced stands at its end.
func Parse(trace string) (c Cycle, ok bool) {
	head, rest, _ := strings.Cut(trace, ": ")
	_, at, _ := strings.Cut(head, "@")
	at, _, _ = strings.Cut(at, "s ")
	c.At = time.Duration(math.Round(number(at) * 1e9))
	rest = strings.TrimRight(rest, " \r\n")
	clock, ps := false, false
	for part := range strings.SplitSeq(rest, ", ") {
		switch {
		case strings.HasSuffix(part, " ms clock"):
			t, good := phases(strings.TrimSuffix(part, " ms clock"))
			if !good {
				return c, false
			}
			c.SweepTermination, c.Concurrent, c.MarkTermination = ms(t[0]), ms(t[1]), ms(t[2])
			clock = true
		case strings.HasSuffix(part, " ms cpu"):
			c.cpu(strings.TrimSuffix(part, " ms cpu"))
		case strings.HasSuffix(part, " MB goal"):
			c.HeapGoal = mb(strings.TrimSuffix(part, " MB goal"))
		case strings.HasSuffix(part, " MB") && strings.Count(part, "->") == 2: // before, after and what is live
			c.Live = mb(strings.TrimSuffix(part[strings.LastIndex(part, ">")+1:], " MB"))
		case strings.HasSuffix(part, " P"), strings.HasSuffix(part, " P (forced)"):
			ps = true
		}
	}
	c.Forced = strings.HasSuffix(rest, "(forced)")
	return c, clock && ps
}

// cpu reads "stop+assist/background/idle+stop".
func (c *Cycle) cpu(s string) {
	parts := strings.Split(s, "+")
	if len(parts) != 3 {
		return
	}
	mark := strings.Split(parts[1], "/")
	first, last := number(parts[0]), number(parts[2])
	c.StoppedCPU = ms(first) + ms(last)
	if len(mark) == 3 {
		c.AssistCPU, c.BackgroundCPU, c.IdleCPU = ms(number(mark[0])), ms(number(mark[1])), ms(number(mark[2]))
	}
}

// phases reads "a+b+c".
func phases(s string) (t [3]float64, ok bool) {
	parts := strings.Split(s, "+")
	if len(parts) != 3 {
		return t, false
	}
	for i, p := range parts {
		f, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return t, false
		}
		t[i] = f
	}
	return t, true
}

// number reads a decimal number; what is none counts as 0.
func number(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return f
}

// mb reads a number of mebibytes; what is none counts as 0.
func mb(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n << 20
}

func ms(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }
