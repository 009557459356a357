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

// A Cycle is one garbage collection, as its line describes it.
type Cycle struct {
	N      int           // number, from 1
	Forced bool          // by runtime.GC, not by the pacer
	At     time.Duration // since the start of the process

	SweepTermination time.Duration // world stopped, at the start
	Concurrent       time.Duration // mark, beside the program
	MarkTermination  time.Duration // world stopped, at the end

	AssistCPU     time.Duration // CPU time of goroutines that had to help
	BackgroundCPU time.Duration // of the dedicated and fractional workers
	IdleCPU       time.Duration // of workers on Ps that had nothing else to do
	StoppedCPU    time.Duration // of the two stopped phases, all Ps together

	// Sizes in bytes, of which the trace holds whole MiB, rounded down.
	HeapStart int64 // when the mark began
	HeapEnd   int64 // when it ended, before anything was swept
	Live      int64 // marked
	HeapGoal  int64 // 0 with GOGC=off
	Stacks    int64 // scanned; from Go 1.18 on
	Globals   int64 // likewise

	Procs int // GOMAXPROCS
}

// A Summary adds up the cycles of one process that were not forced, or those that Read
// is told to count.
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
	s.CPU = plus(s.CPU, c.AssistCPU+c.BackgroundCPU+c.IdleCPU+c.StoppedCPU)
	s.IdleCPU = plus(s.IdleCPU, c.IdleCPU)
	s.Stopped = plus(s.Stopped, c.SweepTermination+c.MarkTermination)
	s.MaxPause = max(s.MaxPause, c.SweepTermination, c.MarkTermination)
	s.HeapGoal = max(s.HeapGoal, c.HeapGoal)
}

// plus is a+b, or the longest duration if that is longer.
func plus(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// longest is the number of bytes of a line that are looked at; a trace has about 150.
const longest = 64 << 10

// Read sums up the traces among the lines of r. Other lines are passed over:
// a program's standard error holds both. If counts is not nil, it says by number which
// cycles count, and forced ones are as the others.
func Read(r io.Reader, counts func(n int) bool) (Summary, error) {
	var s Summary
	err := Each(r, func(trace string) {
		c, ok := Parse(trace)
		switch {
		case !ok:
			s.Unread++
		case counts == nil:
			s.Add(c)
		case counts(c.N):
			c.Forced = false
			s.Add(c)
		}
	})
	return s, err
}

// Each calls f for each trace among the lines of r, with its end of line. It takes the same
// memory for any length of r and of its lines: of a long line only the start is looked at.
func Each(r io.Reader, f func(trace string)) error {
	lines := bufio.NewReaderSize(r, longest)
	for {
		line, err := lines.ReadSlice('\n')
		if at := Find(string(line)); at >= 0 {
			f(string(line[at:]))
		}
		for errors.Is(err, bufio.ErrBufferFull) { // the rest of a long line
			_, err = lines.ReadSlice('\n')
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// start matches the beginning of a trace. Go 1.26 may say in parentheses what else a
// collection is for.
var start = regexp.MustCompile(`gc \d+ @\d+\.\d+s \d+%(?::| \([^)]*\):) `)

// Find returns where in line the trace of a collection begins, or -1. Text may
// stand before it, if a program left its own line open.
func Find(line string) int {
	if !strings.Contains(line, "gc ") { // most lines of a log, found out a hundred times faster
		return -1
	}
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
	name, at, _ := strings.Cut(head, "@")
	c.N = int(min(number(strings.TrimSpace(strings.TrimPrefix(name, "gc "))), math.MaxInt32))
	at, _, _ = strings.Cut(at, "s ")
	c.At = time.Duration(math.Round(min(max(number(at), 0), 1e9) * 1e9)) // at most 31 years
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
		case strings.HasSuffix(part, " MB") && strings.Count(part, "->") == 2: // before, after and live
			c.heap(strings.TrimSuffix(part, " MB"))
		case strings.HasSuffix(part, " MB stacks"):
			c.Stacks = mb(strings.TrimSuffix(part, " MB stacks"))
		case strings.HasSuffix(part, " MB globals"):
			c.Globals = mb(strings.TrimSuffix(part, " MB globals"))
		case strings.HasSuffix(part, " P"), strings.HasSuffix(part, " P (forced)"):
			ps = true
			c.Procs = int(min(number(strings.TrimSuffix(strings.TrimSuffix(part, " (forced)"), " P")), 1<<20))
		}
	}
	c.Forced = strings.HasSuffix(rest, "(forced)")
	return c, clock && ps && c.possible()
}

// possible reports whether a collection can have been so: a program may print what
// looks like a trace.
func (c Cycle) possible() bool {
	const longest = 1000 * time.Hour
	for _, d := range []time.Duration{c.SweepTermination, c.Concurrent, c.MarkTermination, c.AssistCPU, c.BackgroundCPU, c.IdleCPU, c.StoppedCPU} {
		if d < 0 || d > longest {
			return false
		}
	}
	for _, size := range []int64{c.HeapStart, c.HeapEnd, c.Live, c.HeapGoal, c.Stacks, c.Globals} {
		if size < 0 || size >= 1<<60 {
			return false
		}
	}
	return true
}

// heap reads "start->end->live".
func (c *Cycle) heap(s string) {
	sizes := strings.Split(s, "->")
	c.HeapStart, c.HeapEnd, c.Live = mb(sizes[0]), mb(sizes[1]), mb(sizes[2])
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
	if n >= 1<<40 { // there is no goal: GOGC=off
		return 0
	}
	return max(n, -1) << 20
}

// ms is far below 0 for what no clock can have measured.
func ms(f float64) time.Duration {
	if !(f >= 0 && f < 1e12) {
		return math.MinInt64 / 4
	}
	return time.Duration(f * float64(time.Millisecond))
}
