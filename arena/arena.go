package arena

import (
	"unsafe"

	"lessgc/internal/checked"
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
	_  noCopy
	st *state
}

// noCopy lets go vet find copies of what embeds it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// NewArena returns an empty arena with policy [Safe], [Std] if the build has
// that, or nil if arenas are switched off, see [UseHeap]. An arena that is not freed leaks nothing: the
// collector takes it with the last pointer into it.
func NewArena() *Arena {
	if heapOnly || useHeap.Load() {
		return nil
	}
	if checked.Strict {
		return safeArenas.open().fresh()
	}
	return &Arena{st: safeArenas.open()}
}

// safeArenas recycles the bookkeeping of arenas from NewArena, never memory
// that they handed out.
var safeArenas = Pool{Policy: newArenas}

// New returns a new zero T in a, or on the heap if a is nil.
func New[T any](a *Arena) *T {
	if a == nil {
		return new(T)
	}
	return (*T)(a.take((*T)(nil)))
}

// take returns a zero T, where p is a nil *T. It is the fast path of New: all
// but the first object of a chunk end here.
func (a *Arena) take(p any) unsafe.Pointer {
	if st := a.st; st != nil {
		typ := typeWord(p)
		s := &st.tab[slot(typ)]
		if off := s.off; s.typ == typ && off > s.lo {
			off -= s.size
			s.off = off
			return unsafe.Add(s.chunk, off)
		}
	}
	return a.takeSlow(p)
}

func (a *Arena) takeSlow(p any) unsafe.Pointer {
	st := a.state()
	s := st.slab(p)
	if s.off <= s.lo {
		if st.watch != nil {
			st.check()
			st.watch.from = callerOfNew()
		}
		s.grow()
		if st.watch != nil {
			st.watch.from = 0
		}
	}
	s.off -= s.size
	return unsafe.Add(s.chunk, s.off)
}

// Of returns the slab of T in a: for loops that allocate many T. A nil arena
// has no slabs; there Of returns one of its own that allocates from chunks on
// the heap, which the collector takes like everything else.
func Of[T any](a *Arena) *Slab[T] {
	return (*Slab[T])(unsafe.Pointer(a.slab((*T)(nil))))
}

// slab returns the slab of T, where p is a nil *T.
func (a *Arena) slab(p any) *slab {
	if a == nil {
		return onHeap.addSlab(new(slab), infoOf(p), typeWord(p))
	}
	st := a.state()
	s := st.slab(p)
	if !s.out {
		st.lend(s)
	}
	return s.lent
}

// state returns the arena's state, a new one for a zero Arena.
func (a *Arena) state() *state {
	if a.st == nil {
		a.st = safeArenas.open()
	}
	return a.st
}

// Free ends the life of the arena and of everything allocated from it: with
// policy Safe the collector takes what nobody holds any more; with a recycling
// policy the memory is zeroed and handed out again, and pointers to it must be
// gone. Children are freed first. Afterwards the arena must not be used: in
// every build a second Free panics, and so does each call that would take memory,
// also when the memory has another owner by then. Of two calls of Free at the same
// time one panics.
func (a *Arena) Free() {
	if a == nil {
		return
	}
	if checked.Enabled {
		a.st.checkFree()
	}
	st := swapState(&a.st, &freed)
	if st == &freed {
		panic("arena: Free after Free")
	}
	if st != nil {
		if checked.Enabled {
			swapState(&a.st, st.end())
		}
		st.pool.close(st)
	}
}

// Child returns an empty arena of its own, with the policy of a, that is freed
// with a unless it was freed before. It is for a goroutine that works for the
// one that owns a: only the owner may call Child, and Free only when the other
// goroutine is done. The child of a nil arena is nil.
func (a *Arena) Child() *Arena {
	if a == nil {
		return nil
	}
	st := a.state()
	st.check()
	child := &Arena{st: st.pool.open()}
	if checked.Enabled {
		child.st.life.lend()
	}
	st.addChild(child)
	return child
}

// Reset makes the arena empty, as Free and opening it again would. Slabs that
// [Of] returned before panic afterwards.
func (a *Arena) Reset() {
	if a == nil || a.st == nil {
		return
	}
	a.st.check()
	a.st.release()
	a.st.openStd()
	if checked.Strict {
		a.renew()
	} else {
		a.st.renewHandles()
	}
}

// Keep keeps v, and what it points to, reachable until a is freed or reset.
// Pointers inside arena objects need no Keep, the collector knows them; it is
// for what the collector cannot see, such as a pointer handed to C. On a nil
// arena Keep does nothing.
func (a *Arena) Keep(v any) {
	if a != nil {
		st := a.state()
		st.check()
		st.kept = append(st.kept, v)
	}
}

// KeepAll makes this one life of a end as with policy Safe, whatever its policy:
// what was and will be allocated until Free or Reset is left to the collector, and
// may be kept. It is for the one request in many that hands its data on; children
// and what Release frees are not included. On a nil arena KeepAll does nothing.
func (a *Arena) KeepAll() {
	if a != nil {
		st := a.state()
		st.check()
		st.keepAll = true
	}
}
