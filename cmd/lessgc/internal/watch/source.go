package watch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lessgc/live"
)

// A Source is the way a service is read.
type Source string

// The sources, best first.
const (
	Live   Source = "lessgc/live"
	Expvar Source = "expvar"
	Pprof  Source = "pprof"
)

// Lacks describes the figures that the source does not have, or "" if it has all.
func (s Source) Lacks() string {
	const both = "CPU time, the live heap without garbage, the memory limit, GOGC"
	switch s {
	case Expvar:
		return both + ", RSS or goroutines"
	case Pprof:
		return both + " or RSS"
	}
	return ""
}

// An answer is one response of a source.
type answer struct {
	Snapshot
	start   time.Time // of the process; zero if the source does not say
	release string    // of Go
	mem     *memStats // nil from lessgc/live
}

// Bounds of answers. A service may publish much by expvar, and a heap profile as text
// has some hundred bytes per call stack.
const (
	maxLive   = 1 << 20
	maxExpvar = 32 << 20
	maxPprof  = 256 << 20
	maxLine   = 1 << 20
)

var errTooLarge = errors.New("the answer is larger than any of this kind: is the address right?")

func readAll(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = errTooLarge
	}
	return data, err
}

func readLive(r io.Reader) (*answer, error) {
	data, err := readAll(r, maxLive)
	if err != nil {
		return nil, err
	}
	var head struct{ Format string } // those of other formats may not fit into a Snapshot
	if json.Unmarshal(data, &head) == nil && head.Format != live.Format && strings.HasPrefix(head.Format, "lessgc-live/") {
		return nil, fmt.Errorf("its format is %.40q, this lessgc reads %s; use the lessgc that the service was built with", head.Format, live.Format)
	}
	var s live.Snapshot
	if err := json.Unmarshal(data, &s); err == nil && s.Format == live.Format && !s.Time.IsZero() && !s.Start.IsZero() {
		return fromLive(&s), nil
	}
	return nil, errors.New("not an answer of lessgc/live")
}

func fromLive(s *live.Snapshot) *answer {
	count := func(n uint64) *float64 { return new(float64(n)) }
	a := &answer{start: s.Start}
	a.CPU = &s.CPU // zero until a collection has ended
	if releaseName.MatchString(s.Go) {
		a.release = s.Go
	}
	a.Time, a.Pauses, a.Methods, a.Pace = s.Time, s.Pauses, s.Methods, s.Pace
	a.Totals = Totals{AllocBytes: count(s.AllocBytes), AllocObjects: count(s.AllocObjects), GCs: count(s.GCAutomatic), ForcedGCs: count(s.GCForced), PauseSeconds: &s.PauseSeconds}
	a.Gauges = Gauges{Live: count(s.HeapLive), Heap: count(s.HeapBytes), Objects: count(s.HeapObjects), Goal: count(s.HeapGoal), Limit: new(float64(s.MemoryLimit)),
		GOGC: new(float64(s.GOGC)), Memory: count(s.Memory), Goroutines: count(s.Goroutines), GOMAXPROCS: count(s.GOMAXPROCS)}
	if s.Roots != 0 { // an older lessgc/live has neither
		a.Gauges.HeapFree, a.Gauges.Roots = count(s.HeapFree), count(s.Roots)
	}
	if s.CPUSeconds != 0 {
		a.Totals.CPUSeconds = &s.CPUSeconds
	}
	if c := s.CPU; c.Total > 0 {
		a.Gauges.GCShare = new(min(1, (c.GCAssist+c.GCDedicated+c.GCPause)/c.Total))
	}
	if s.RSS != 0 {
		a.Gauges.RSS = count(s.RSS)
	}
	return a
}

// releaseName matches releases that may be written to a terminal.
var releaseName = regexp.MustCompile(`^[ -~]{1,80}$`)

// memStats are the fields of runtime.MemStats that are used here.
type memStats struct {
	TotalAlloc, Mallocs, HeapAlloc, HeapObjects, Sys, HeapReleased, NextGC uint64
	PauseTotalNs                                                           *uint64 // nil in a heap profile
	NumGC, NumForcedGC                                                     uint32
	PauseNs, PauseEnd                                                      []uint64 // of the last collections, number n at [(n+255)%256]
	GCCPUFraction                                                          float64
}

// ringSize is the number of pauses that memstats have.
const ringSize = 256

func (m *memStats) answer() (*answer, error) {
	if len(m.PauseNs) != ringSize || len(m.PauseEnd) != ringSize || m.Sys == 0 || m.NumForcedGC > m.NumGC {
		return nil, errors.New("its memstats are not those of a Go program")
	}
	count := func(n uint64) *float64 { return new(float64(n)) }
	a := &answer{mem: m}
	a.Totals = Totals{AllocBytes: count(m.TotalAlloc), AllocObjects: count(m.Mallocs), GCs: count(uint64(m.NumGC - m.NumForcedGC)), ForcedGCs: count(uint64(m.NumForcedGC))}
	a.Gauges = Gauges{Heap: count(m.HeapAlloc), Objects: count(m.HeapObjects), Goal: count(m.NextGC), Memory: count(m.Sys - min(m.Sys, m.HeapReleased))}
	if f := m.GCCPUFraction; f > 0 && f <= 1 {
		a.Gauges.GCShare = &f
	}
	return a, nil
}

func readExpvar(r io.Reader) (*answer, error) {
	data, err := readAll(r, maxExpvar)
	if err != nil {
		return nil, err
	}
	var all struct {
		MemStats *memStats `json:"memstats"`
	}
	if err := json.Unmarshal(data, &all); err != nil || all.MemStats == nil {
		return nil, errors.New("it holds no memstats of expvar")
	}
	return all.MemStats.answer()
}

// readPprof reads the end of a heap profile as text. Whatever comes before it is
// read, and not kept.
func readPprof(r io.Reader) (*answer, error) {
	m, err := scanPprof(r)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("not a text heap profile, or truncated before its memstats")
	}
	return m.answer()
}

// scanPprof returns nil for a text without whole memstats.
func scanPprof(r io.Reader) (*memStats, error) {
	limited := &io.LimitedReader{R: r, N: maxPprof}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxLine)
	var m *memStats
	for lines.Scan() {
		line := bytes.TrimRight(lines.Bytes(), "\r")
		if bytes.Equal(line, []byte("# runtime.MemStats")) {
			m = new(memStats)
		} else if name, value, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("# ")), []byte(" = ")); ok && m != nil {
			if err := m.set(string(name), string(value)); err != nil {
				return nil, err
			}
			if string(name) == "GCCPUFraction" { // behind all others that are used
				return m, nil
			}
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) || err == nil && limited.N == 0 {
		return nil, errTooLarge
	} else if err != nil {
		return nil, err
	}
	return nil, nil
}

// set sets a field of the text's memstats. Names that are not used are passed over.
func (m *memStats) set(name, value string) (err error) {
	number := func(text string) uint64 {
		n, e := strconv.ParseUint(text, 10, 64)
		if e != nil {
			err = fmt.Errorf("its memstats have %s = %.40q", name, value)
		}
		return n
	}
	ring := func() (all []uint64) {
		fields := strings.Fields(strings.Trim(value, "[]"))
		for _, f := range fields[:min(len(fields), ringSize+1)] {
			all = append(all, number(f))
		}
		return all
	}
	small := func() uint32 { return uint32(min(number(value), math.MaxUint32)) }
	switch name {
	case "TotalAlloc":
		m.TotalAlloc = number(value)
	case "Mallocs":
		m.Mallocs = number(value)
	case "HeapAlloc":
		m.HeapAlloc = number(value)
	case "HeapObjects":
		m.HeapObjects = number(value)
	case "Sys":
		m.Sys = number(value)
	case "HeapReleased":
		m.HeapReleased = number(value)
	case "NextGC":
		m.NextGC = number(value)
	case "NumGC":
		m.NumGC = small()
	case "NumForcedGC":
		m.NumForcedGC = small()
	case "PauseNs":
		m.PauseNs = ring()
	case "PauseEnd":
		m.PauseEnd = ring()
	case "GCCPUFraction":
		if m.GCCPUFraction, err = strconv.ParseFloat(value, 64); err != nil {
			err = fmt.Errorf("its memstats have %s = %.40q", name, value)
		}
	}
	return err
}

// readGoroutines reads the first line of a profile of goroutines as text.
func readGoroutines(r io.Reader) (*float64, error) {
	line, _ := bufio.NewReader(io.LimitReader(r, 200)).ReadString('\n')
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(line), "goroutine profile: total "), 10, 32)
	if err != nil {
		return nil, errors.New("not a text goroutine profile")
	}
	return new(float64(n)), nil
}
