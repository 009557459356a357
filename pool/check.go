package pool

import (
	"fmt"
	"hash/maphash"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// This file is the part of the checked build that both kinds of pool share.

// A loan is the time from a Get to its Put.
type loan struct {
	got, put callStack
}

// newLoan returns a loan that begins here.
func newLoan() *loan { return &loan{got: here()} }

func (l *loan) over() bool { return l.put.n != 0 }

// A callStack is the stack from a call of a pool on.
type callStack struct {
	pcs [12]uintptr
	n   int
}

func here() (p callStack) {
	p.n = runtime.Callers(2, p.pcs[:])
	return p
}

// inside begins the names of this package's functions.
var inside = reflect.TypeFor[Buffer]().PkgPath() + "."

// String returns the file and line of the innermost caller outside this package.
func (p callStack) String() string {
	frames := runtime.CallersFrames(p.pcs[:p.n])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, inside) || !more {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
}

// misuse panics with what happened to value, and where: positions come in pairs of a
// verb and a position.
func misuse(value any, happened string, positions ...any) {
	var s strings.Builder
	fmt.Fprintf(&s, "pool: a %T %s", value, happened)
	for i := 0; i < len(positions); i += 2 {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(&s, "%s%s at %s", sep, positions[i], positions[i+1])
	}
	panic(s.String())
}

// A pen holds values that were put, and keeps each of them for a while before it
// gives it out, so that a use after Put hits a value without an owner. The
// longer it is in there, the more of these uses are found.
type pen struct {
	mu    sync.Mutex
	ring  [64]*penned
	first int // index of the one that was put longest ago
	n     int
}

// patience is the number of values that a pen holds back: it gives out the first
// when it has more.
const patience = 8

// A penned value must not change.
type penned struct {
	value  any
	memory []byte // must not change
	sum    uint64
	loan   *loan // the one that has ended
}

var seed = maphash.MakeSeed()

// changed reads memory of the next owner's past: like its callers it is not seen by
// the race detector, whether it is inlined or not.
//
//go:norace
func (h *penned) changed() bool { return maphash.Bytes(seed, h.memory) != h.sum }

// put takes a value whose loan has ended. If the pen is full, the value that has
// been there longest goes to the collector.
func (q *pen) put(h *penned) {
	h.sum = maphash.Bytes(seed, h.memory)
	raceRelease(pointerTo(h), h.memory)
	if bad := q.push(h); bad != nil {
		bad.report()
	}
}

// take returns the value that has been in the pen longest, or nil if it should
// stay there. It panics if that value or the one that was put last has changed.
func (q *pen) take() *penned {
	h, bad := q.pull()
	if bad != nil {
		bad.report()
	}
	if h != nil {
		raceAcquire(pointerTo(h))
	}
	return h
}

func (h *penned) report() {
	raceAcquire(pointerTo(h))
	value := h.value
	if _, ok := value.(*body); ok {
		value = (*Buffer)(nil)
	}
	misuse(value, "was changed after it was put", "got", h.loan.got, "put", h.loan.put, "found", here())
}

// push and pull are not seen by the race detector: see raceHide.

//go:norace
func (q *pen) push(h *penned) (bad *penned) {
	raceHide()
	q.mu.Lock()
	if q.n == len(q.ring) {
		if oldest := q.shift(); oldest.changed() {
			bad = oldest
		}
	}
	q.ring[(q.first+q.n)%len(q.ring)] = h
	q.n++
	q.mu.Unlock()
	raceShow()
	return bad
}

//go:norace
func (q *pen) pull() (h, bad *penned) {
	raceHide()
	q.mu.Lock()
	if q.n > 0 {
		last := &q.ring[(q.first+q.n-1)%len(q.ring)]
		if (*last).changed() {
			bad, *last = *last, nil
			q.n--
		}
	}
	if bad == nil && q.n > patience {
		h = q.shift()
		if h.changed() {
			h, bad = nil, h
		}
	}
	q.mu.Unlock()
	raceShow()
	return h, bad
}

//go:norace
func (q *pen) shift() *penned {
	h := q.ring[q.first]
	q.ring[q.first] = nil
	q.first = (q.first + 1) % len(q.ring)
	q.n--
	return h
}
