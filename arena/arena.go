package arena

import (
	"math"
	"sync/atomic"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
)

// An Arena allocates Go values that are freed together. What Free means is
// decided by its [Policy].
//
// A nil *Arena is the heap: everything can be called with it and allocates
// there; Free does nothing. The zero Arena is an empty arena with policy
// [Safe].
//
// An Arena must not be copied, nor used by several goroutines at the same time:
// give each its own, see [Arena.Child].
type Arena struct {
	_ noCopy

	// st is the arena's memory. It is nil or idle as long as there is none, because
	// nothing was allocated or a safe arena took it from the heap, value by value.
	st *state

	// quota is negative as long as values come from the heap, one by one. Its upper bits
	// count them, up to zero; the lower ones are how many bytes they have. Between them are
	// counted, which is set if that has begun, and extended. It is dead in a freed arena.
	_     [0]atomic.Int64 // aligns it, also with 32 bits
	quota int64
}

const (
	// few is the number of values that a safe arena takes from the heap one by one before it
	// allocates several at once: until then it costs more to find the chunk of a type than
	// chunks save.
	few = 64

	one      = 1 << 54 // of them in a quota
	counted  = 1 << 53
	extended = 1 << 52
	fresh    = counted - few*one              // the quota of a safe arena
	more     = counted + extended - 3*few*one // see staysSmall
	dead     = math.MaxInt64

	// most is the size, in bytes, from which on a slice or text says nothing about the values
	// to come: it has a block to itself in any case.
	most = 256
)

// bytesTaken returns the bytes of values that came from the heap.
func (a *Arena) bytesTaken() int64 { return a.quota & (extended - 1) }

// noCopy lets go vet find copies of structs that embed it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// NewArena returns an empty arena with policy [Safe]. An arena that is not freed
// leaks nothing: the collector takes it with the last pointer into it. With
// LESSGC_ARENA=heap in the environment NewArena returns nil, which is the heap.
func NewArena() *Arena {
	if watchAll {
		return safeArenas.Get()
	}
	return &Arena{quota: fresh}
}

// watchAll reports whether NewArena has more to do than to make an empty arena.
var watchAll = allHeap || auditAll || checked.Enabled || sanitized

// safeArenas has the memory of arenas from NewArena.
var safeArenas Pool

// New returns a new zero T in a, or on the heap if a is nil.
func New[T any](a *Arena) *T {
	// Inlined, as TestInlined pins.
	if a != nil {
		if a.quota >= 0 {
			return as[T](outline.Call2(take, a, maker((*typed[T])(nil))))
		}
		a.quota += one + int64(sizeOf[T]()) // from the heap, by a safe arena that is small
	}
	var v T // not new(T): for that Go 1.27 has no allocator by size in generic code
	return &v
}

// take is New for an arena that is not nil and has no quota left, where p is a nil
// *typed[T].
func take(a *Arena, p maker) pointer {
	if st := a.st; st != nil { // all but the first object of a chunk end here
		typ := makerWord(p)
		s := &st.tab[slot(typ)]
		if off := s.off; s.typ == typ && off > s.lo {
			off -= s.size
			s.off = off
			return plus(s.chunk, off)
		}
	}
	return a.takeSlow(p)
}

// takeSlow is take for all other objects.
func (a *Arena) takeSlow(p maker) pointer {
	if a.small() && a.staysSmall() {
		a.quota += one + int64(infoOf(makerWord(p), p).size)
		return p.array(1)
	}
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.takeSlow(p)
	}
	s := st.slab(makerWord(p), p)
	if s.off <= s.lo {
		s.growFor(st)
	}
	s.off -= s.size
	return plus(s.chunk, s.off)
}

// growFor is grow for a call that looks its slab up, in st.
func (s *slab) growFor(st *state) {
	watched := st.watched() || s.sampled()
	if watched {
		st.check()
		st.watch.from = callerOfNew()
	}
	s.grow()
	if watched {
		st.watch.from = 0
	}
}

// slab returns what Of does, where p is a nil *typed[T]. If its type word is 0 it is what
// loose slabs are copies of.
func (a *Arena) slab(p maker) pointer {
	if a == nil || a.safe() || a.sharing() != nil {
		return pointerTo(&infoOf(makerWord(p), p).loose)
	}
	s := a.state().slabOf(p)
	if !s.out {
		s.arena.lend(s)
	}
	return pointerTo(s.lent)
}

// safe reports whether nothing that a hands out is looked at when it is freed.
func (a *Arena) safe() bool {
	if a.small() {
		a.check()
		if a.st == nil {
			return !watchAll
		}
	}
	a.st.check()
	return a.st.policy == Safe && a.st.watch == nil
}

// state returns the arena's state, which is opened by the first call.
func (a *Arena) state() *state {
	if st := a.st; st != nil && !st.idle {
		return st
	}
	return a.open()
}

func (a *Arena) open() *state {
	a.check()
	pool := a.pool()
	if a.st == nil {
		a.st = pool.open()
	} else { // Get has decided that it is not audited
		a.st = pool.openPlain()
	}
	a.quota &= one - 1
	return a.st
}

// small reports whether a has no state of its own.
func (a *Arena) small() bool { return a.st == nil || a.st.idle }

// check panics if a small arena was freed.
func (a *Arena) check() {
	if a.quota == dead {
		freed.check()
	}
}

// pool returns the pool of a small arena.
func (a *Arena) pool() *Pool {
	if a.st == nil {
		return &safeArenas
	}
	return a.st.pool
}

// staysSmall reports whether a small arena that has no quota left gets another one. The
// zero Arena does, and one whose pool makes states that never come back, because the arenas
// are never freed, or states for lives that then end soon: such a state costs more than it
// saves.
func (a *Arena) staysSmall() bool {
	a.check()
	switch p := a.pool(); {
	case p.Policy != Safe || a.st == nil && watchAll:
		return false
	case a.quota&counted == 0:
		a.quota |= fresh
	case (p.losesStates() || p.brief.Load() && a.quota&extended == 0) && !p.tries():
		a.quota |= more
	default:
		return false
	}
	return true
}

// Free ends the life of the arena and of everything allocated from it: with
// policy Safe the collector frees unreachable memory; with a recycling
// policy the memory is zeroed and handed out again, and pointers to it must be
// gone. Children are freed first. Afterwards the arena must not be used: in
// every build a second Free panics, and so does each call that would take memory,
// also when the memory has another owner by then. Of two calls of Free at the same
// time one panics, unless the arena has not taken more than a few values from the heap.
func (a *Arena) Free() {
	// Inlined, as TestInlined pins.
	if a != nil {
		if a.quota >= 0 {
			a.free()
			return
		}
		a.quota = dead
	}
}

// free is Free for an arena that is not nil and has no quota left.
func (a *Arena) free() {
	if a.small() {
		if a.quota == dead {
			panic("arena: Free after Free")
		}
		a.quota = dead
		return
	}
	st := a.st
	if checked.Enabled {
		st.checkFree()
	}
	if atomic.SwapInt64(&a.quota, dead) == dead {
		panic("arena: Free after Free")
	}
	if sh := st.shared; sh != nil {
		a.st = &freed
		sh.arena.Free()
		return
	}
	a.st = st.end()
	st.pool.close(st)
}

// freed reports whether a was freed. The goroutine that a child was made for may
// do that at this moment.
func (a *Arena) freed() bool { return atomic.LoadInt64(&a.quota) == dead }

// Child returns an empty arena of its own, with the policy of a, that is freed
// with a unless it was freed before. It is for a goroutine that works for the
// one that owns a: only the owner may call Child, and Free only when the other
// goroutine is done. The child of a nil arena is nil.
func (a *Arena) Child() *Arena {
	if a == nil {
		return nil
	}
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.Child()
	}
	st := a.state()
	st.check()
	child := &Arena{st: st.pool.open()}
	if checked.Enabled {
		child.st.life.lend()
	}
	if w := st.watch; w != nil && w.owner != nil {
		child.own(w.owner)
	}
	st.addChild(child)
	return child
}

// Reset makes the arena empty, as Free and opening it again would. Slabs that
// [Of] returned before panic afterwards.
func (a *Arena) Reset() {
	if a == nil {
		return
	}
	if a.small() {
		a.check()
		if a.quota != 0 {
			a.quota = fresh
		}
		return
	}
	a.unshared().check()
	a.st.release()
	a.quota = 0
	if checked.Strict {
		a.renew()
	} else {
		a.st.renewHandles()
	}
	if w := a.st.watch; w != nil && !w.all {
		w.choose(a.st)
	}
}

// Keep leaves all that was and will be allocated in this life of a, until Free or Reset,
// to the collector, whatever the policy: it may be kept. It is for the one request in many
// that hands its data on; children and what Release frees are not included. On a nil arena
// Keep does nothing.
func (a *Arena) Keep() {
	if a == nil {
		return
	}
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.arena.Keep()
		return
	}
	st := a.state()
	st.check()
	st.keepAll = true
}
