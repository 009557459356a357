package pool

import (
	"runtime"
	"sync"
	"sync/atomic"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
)

// A Pool keeps values of type T, each behind its pointer. The zero value is
// ready to use and hands out zeroed values. A Pool is safe for use by many
// goroutines and must not be copied.
type Pool[T any] struct {
	// New makes a value when the pool has none. It must return the only pointer
	// to memory from new or make. If New is nil, the pool uses new(T).
	New func() *T

	// Reset is called by Put, before anybody else can get the value. It should
	// let go of what the value points to, or the pool keeps that too, and must not
	// panic. If Reset is nil, the next owner finds the value as the last one left
	// it.
	Reset func(*T)

	values  sync.Pool // of *T
	account atomic.Pointer[account]
	watch   atomic.Pointer[watch] // checked build only
}

// Get returns a value that belongs to the caller until it is put back.
func (p *Pool[T]) Get() *T {
	// Inlined, as TestInlined pins.
	if checked.Enabled {
		return getChecked(p)
	}
	if v, ok := outline.Call((*sync.Pool).Get, &p.values).(*T); ok {
		return v
	}
	return (*T)(outline.Call(makeFrom, maker(p)))
}

// Put gives v back. It must come from Get of the same pool, be put once, and not
// be used after that. A nil v panics.
func (p *Pool[T]) Put(v *T) {
	// Inlined, as TestInlined pins.
	if v == nil {
		panic("pool: Put of a nil pointer")
	}
	if checked.Enabled {
		putChecked(p, v)
		return
	}
	if p.Reset != nil {
		outline.Do(p.Reset, v)
	}
	outline.Do2((*sync.Pool).Put, &p.values, any(v))
}

// With calls f with a value and puts it back when f has returned. f must not
// keep the value. If f panics or ends its goroutine, the value is not put back.
func (p *Pool[T]) With(f func(*T)) {
	if checked.Enabled {
		v := getChecked(p)
		f(v)
		putChecked(p, v)
		return
	}
	// Get and Put, whose calls would cost as much as that of f.
	v, ok := p.values.Get().(*T)
	if !ok {
		v = p.make()
	}
	f(v)
	if p.Reset != nil {
		p.Reset(v)
	}
	p.values.Put(v)
}

// Stats returns the figures of the pool.
func (p *Pool[T]) Stats() Stats {
	s := accountOf(&p.account).stats()
	s.KeptBytes = s.Kept * int64(sizeOf[T]())
	return s
}

// A maker is a *Pool[T] to a function without type parameters, as package outline wants it.
type maker interface {
	makeAny() pointer // a *T
}

func makeFrom(m maker) pointer { return m.makeAny() }

func (p *Pool[T]) makeAny() pointer { return pointerTo(p.make()) }

// make returns a new value that is counted, and counted out when it is
// collected.
func (p *Pool[T]) make() *T {
	var v *T
	if p.New != nil {
		v = p.New()
	} else {
		v = new(T)
	}
	if v == nil {
		panic("pool: New returned a nil pointer")
	}
	a := accountOf(&p.account)
	a.misses.Add(1)
	if sizeOf[T]() > 0 { // else there is one for all, for ever
		a.kept.Add(1)
		runtime.AddCleanup(v, (*account).lost, a)
	}
	return v
}

// lost counts a value of a Pool out that the collector has taken.
func (a *account) lost() {
	a.kept.Add(-1)
	a.dropped.Add(1)
}
