package pool

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A watch records what the checked build knows about the values of one Pool.
type watch struct {
	loans *loans
	pen   pen
}

// watchOf returns the watch in p, after making it if there is none.
func watchOf(p *atomic.Pointer[watch]) *watch {
	if w := p.Load(); w != nil {
		return w
	}
	p.CompareAndSwap(nil, &watch{loans: new(loans)})
	return p.Load()
}

// loans are the values that exist, by address, each with its latest loan. There
// are many locks so that they seldom order the users of different values, which
// would hide races from the race detector.
type loans [128]struct {
	mu     sync.Mutex
	values map[uintptr]*record
}

// A record is about one value. It must not refer to it: its cleanup has it.
type record struct {
	loan *loan
}

// A departed value is to be forgotten. Its address may have a new value already.
type departed struct {
	loans  *loans
	addr   uintptr
	record *record
}

func (l *loans) add(addr uintptr) *record {
	s := &l[addr>>4%uintptr(len(l))]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = make(map[uintptr]*record)
	}
	r := &record{newLoan()}
	s.values[addr] = r
	return r
}

func (d departed) forget() {
	s := &d.loans[d.addr>>4%uintptr(len(d.loans))]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values[d.addr] == d.record {
		delete(s.values, d.addr)
	}
}

// begin starts the next loan of a value that is known.
func (l *loans) begin(addr uintptr) {
	s := &l[addr>>4%uintptr(len(l))]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[addr].loan = newLoan()
}

// end ends the loan of value, which is at addr, and returns it. It panics if
// there is none.
func (l *loans) end(addr uintptr, value any) *loan {
	s := &l[addr>>4%uintptr(len(l))]
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.values[addr]
	if r == nil {
		misuse(value, "was put into a pool that did not give it out", "put", here())
	}
	if r.loan.over() {
		misuse(value, "was put twice", "got", r.loan.got, "put", r.loan.put, "put again", here())
	}
	r.loan.put = here()
	return r.loan
}

// enroll makes a new value known, which is on its first loan. Values without a
// size share one address, and have no memory that could be misused.
func enroll[T any](p *Pool[T], v *T) {
	if sizeOf[T]() == 0 {
		return
	}
	l, addr := watchOf(&p.watch).loans, uintptr(pointerTo(v))
	runtime.AddCleanup(v, departed.forget, departed{l, addr, l.add(addr)})
}

// getChecked is Get: of the values that were put it returns one that has waited long
// enough, or else a new one.
func getChecked[T any](p *Pool[T]) *T {
	w := watchOf(&p.watch)
	h := w.pen.take()
	if h == nil {
		v := p.make()
		enroll(p, v)
		return v
	}
	v := h.value.(*T)
	w.loans.begin(uintptr(pointerTo(v)))
	return v
}

// putChecked is Put. The memory is compared as it is after Reset.
func putChecked[T any](p *Pool[T], v *T) {
	w := watchOf(&p.watch)
	var ended *loan
	if sizeOf[T]() != 0 {
		ended = w.loans.end(uintptr(pointerTo(v)), v)
	}
	if p.Reset != nil {
		p.Reset(v)
	}
	if ended != nil {
		memory := memoryOf(v)
		w.pen.put(&penned{value: v, memory: memory, loan: ended})
	}
}
