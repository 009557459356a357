package curve

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// A Run is one run of a program, as the runtime accounted for it. Sizes are in bytes, times in
// seconds.
type Run struct {
	Points []Point // in order of time; see Point
	Start  int     // index of the first point of the window whose CPU time is predicted; memory is predicted for all

	Procs float64 // GOMAXPROCS
	GOGC  float64 // percent; -1 for off
	Limit float64 // GOMEMLIMIT, or NoLimit

	PeakRSS float64 // of the process; 0 if it is not known

	// Available reports that Busy of the points is all CPU time that there was, as what was used is not known.
	Available bool

	// Whole reports that Points begin with the start of the process, so that the growth of the heap
	// is in them.
	Whole bool

	// Ends reports that the program ends by itself with the last point; else the window is taken to go on as it is.
	Ends bool
}

// NoLimit is the memory limit that stands for none.
const NoLimit = 1 << 62

// A Point is the state after a collection, or at another moment at which the program was asked. Counters are
// since the start of the process.
type Point struct {
	At     float64 // since the start of the process
	Cycles float64 // collections that have ended, without Forced
	Forced float64 // those of runtime.GC
	Alloc  float64 // bytes allocated

	// CPU time as the runtime estimates it, up to the end of the last collection.
	Assist, Dedicated, Idle, Pause float64
	Busy                           float64 // of the Ps while they were not idle, the four above included
	Concurrent                     float64 // wall time of the concurrent phases; 0 if it is not known
	Black                          float64 // bytes allocated during them, to the MiB for each; 0 if it is not known

	// State after the last collection.
	Live  float64 // marked: reachable when the mark began, or allocated since
	Roots float64 // stacks and globals scanned

	// Memory as the limit counts it, now.
	NonHeap float64 // everything that counts but objects and free heap; 0 if it is not known
	Mapped  float64 // everything that counts; 0 if it is not known
	RSS     float64 // 0 if it is not known
}

// gc is the collector's CPU time, idle workers included.
func (p *Point) gc() float64 { return p.Assist + p.Dedicated + p.Idle + p.Pause }

// counters are the fields that never fall.
func (p *Point) counters() []float64 {
	return []float64{p.At, p.Cycles, p.Forced, p.Alloc, p.Assist, p.Dedicated, p.Idle, p.Pause, p.Busy, p.Concurrent, p.Black}
}

// MinCycles is the least number of collections of a window that a prediction can rest on.
const MinCycles = 10

// errors of runs that nothing can be predicted from.
var (
	errFew = errors.New("too few collections")
	errCPU = errors.New("the runtime tells no CPU time of collections: the program was built with a Go older than 1.20, or its figures were not recorded")
)

// check finds what no program does.
func (r *Run) check() error {
	if len(r.Points) < 2 || r.Start < 0 || r.Start >= len(r.Points)-1 {
		return fmt.Errorf("%w: %d points", errFew, len(r.Points))
	}
	if !(r.Procs >= 1 && r.Procs < 1e6) || !(r.GOGC >= -1 && r.GOGC < 1e9) || !(r.Limit > 0) {
		return fmt.Errorf("GOMAXPROCS %g, GOGC %g and limit %g cannot be", r.Procs, r.GOGC, r.Limit)
	}
	for i := range r.Points {
		p := &r.Points[i]
		for k, v := range p.counters() {
			if !(v >= 0 && v < 1e20) || i > 0 && v < r.Points[i-1].counters()[k]-1e-6 {
				return fmt.Errorf("point %d: a counter is %g", i, v)
			}
		}
		for _, v := range []float64{p.Live, p.Roots, p.NonHeap, p.Mapped, p.RSS} {
			if !(v >= 0 && v < 1e20) {
				return fmt.Errorf("point %d: a size is %g", i, v)
			}
		}
	}
	first, last := &r.Points[r.Start], &r.Points[len(r.Points)-1]
	switch n := last.Cycles - first.Cycles; {
	case n < MinCycles:
		return fmt.Errorf("%w: %.0f, at least %d are needed; run it longer", errFew, n, MinCycles)
	case !(last.gc() > first.gc()) || !(last.Busy > first.Busy):
		return errCPU
	case !(last.Alloc > first.Alloc):
		return errors.New("nothing was allocated")
	}
	return nil
}

// A Setting is GOGC and GOMEMLIMIT. As JSON it has no limit if there is none.
type Setting struct {
	GOGC  float64 // percent; -1 for off
	Limit float64 // bytes, or NoLimit
}

type settingJSON struct {
	GOGC  float64  `json:"gogc"`
	Limit *float64 `json:"limit,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (s Setting) MarshalJSON() ([]byte, error) {
	out := settingJSON{GOGC: s.GOGC}
	if s.Limit < NoLimit {
		out.Limit = &s.Limit
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Setting) UnmarshalJSON(data []byte) error {
	var in settingJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*s = Setting{in.GOGC, NoLimit}
	if in.Limit != nil {
		s.Limit = *in.Limit
	}
	return nil
}

// String returns the setting as the environment has it.
func (s Setting) String() string {
	text := fmt.Sprintf("GOGC=%g", s.GOGC)
	if s.GOGC < 0 {
		text = "GOGC=off"
	}
	if s.Limit < NoLimit {
		text += fmt.Sprintf(" GOMEMLIMIT=%dMiB", int64(math.Round(s.Limit/(1<<20))))
	}
	return text
}
