package arena

import (
	"runtime"
	"sync"
	"sync/atomic"

	"lessgc/internal/checked"
	"lessgc/internal/outline"
)

// DefaultMaxKept is the MaxKept of a Pool that does not set it, in bytes.
const DefaultMaxKept = 64 << 20

// A Pool holds the memory of freed arenas for the next ones. The zero Pool is
// ready to use, by any number of goroutines; it must not be copied. Idle arenas
// are kept per processor, and are gone after two garbage collections in which
// nobody used them.
type Pool struct {
	// Policy of the arenas. It must not change after the first Get.
	Policy Policy

	// MaxKept bounds the memory that arenas keep for the ones after them, in
	// bytes: DefaultMaxKept if it is zero, nothing is kept if it is negative.
	// An arena that is freed while the pool has more, what open arenas have
	// included, gives all it has to the collector.
	MaxKept int

	// AuditEvery is the number of arenas of which one, chosen at random, is
	// audited, whatever the policy: up to one of its objects, slices or strings, at
	// random too, gets memory that is not recycled, and some time after Free package
	// audit reports whether it is still reachable. 1 audits every object of all arenas,
	// recycles nothing and costs a few microseconds per object; 0 audits none.
	AuditEvery int

	audit  audit
	states sync.Pool             // of *state
	large  largeStates           // states that keep much memory
	idle   atomic.Pointer[state] // the state of arenas that have not needed one yet
	kept   atomic.Int64          // sum of all accounts: of idle and open arenas

	made, shed, peak atomic.Int64 // see PoolStats
	lost             atomic.Int64 // states made since one came back
	asked            atomic.Int64 // see tries
	brief            atomic.Bool  // the last life that had a safe state ended soon after
}

// Get returns an empty arena. Its Free gives the memory back to p. With
// LESSGC_ARENA=heap in the environment Get returns nil, which is the heap.
func (p *Pool) Get() *Arena {
	return p.get(new(Arena)) // on the caller's stack, if it can be
}

// get makes a, which is zero, an arena of p and returns it, or nil.
func (p *Pool) get(a *Arena) *Arena {
	if allHeap {
		return nil
	}
	a.st = p.openWatched()
	switch {
	case checked.Strict:
		return a.st.fresh()
	case a.st != nil:
	case checked.Enabled:
		a.st = p.openPlain()
	default: // an arena that allocates nothing, or is never freed, costs no state
		a.st = p.idleState()
		if p.Policy == Safe {
			a.quota = fresh
		}
	}
	return a
}

// idleState returns the state that stands for none.
func (p *Pool) idleState() *state {
	if st := p.idle.Load(); st != nil {
		return st
	}
	p.idle.CompareAndSwap(nil, newIdle(p))
	return p.idle.Load()
}

// open returns an empty state.
func (p *Pool) open() *state {
	if st := p.openWatched(); st != nil {
		return st
	}
	return p.openPlain()
}

// losesStates reports whether the states that p makes do not come back.
func (p *Pool) losesStates() bool {
	const many = 4
	return p.lost.Load() >= many
}

// tries reports, every now and then, that an arena is to have a state for all that, so that
// the pool learns when lives have changed.
func (p *Pool) tries() bool { return p.asked.Add(1)%64 == 0 }

// largeStates are the idle states of a pool that keep much. They are by themselves, and taken
// first: an arena in which small ones open and close would else get the state of one of these,
// which was put back before its own, and they that.
type largeStates struct {
	states sync.Pool    // of *state
	tries  atomic.Int32 // times that it may be found empty, which takes some time, since there was one
}

// largeState is the kept memory, in bytes, from which on a state counts as large.
const largeState = 256 << 10

func (l *largeStates) put(st *state) {
	const tries = 64
	l.states.Put(st)
	if l.tries.Load() < tries {
		l.tries.Store(tries)
	}
}

func (l *largeStates) get() *state {
	st, ok := l.states.Get().(*state)
	if !ok {
		l.tries.Add(-1)
	}
	return st
}

// idleOf returns an idle state of p that belongs to the caller, nil if there is none.
func (p *Pool) idleOf() (st *state) {
	if p.large.tries.Load() > 0 {
		st = outline.Call((*largeStates).get, &p.large)
	}
	if st == nil {
		st, _ = outline.Call((*sync.Pool).Get, &p.states).(*state)
	}
	return st
}

// openPlain returns an empty state without a watch.
func (p *Pool) openPlain() *state {
	st := p.idleOf()
	switch {
	case st != nil:
		if p.lost.Load() != 0 {
			p.lost.Store(0)
		}
	default:
		p.made.Add(1)
		p.lost.Add(1)
		st = newState(p, nil)
		if p.Policy.recycles() {
			st.account = &account{sum: &p.kept}
			runtime.AddCleanup(st, (*account).settle, st.account)
		}
	}
	st.begin()
	return st
}

// close takes back the state of an arena that was freed. One that the checked
// build looks at is given up if someone may still have a slab of it, to say where.
func (p *Pool) close(st *state) {
	kept, used := st.release()
	if int64(used) > p.peak.Load() {
		p.raisePeak(int64(used))
	}
	if st.watched() || checked.Enabled && len(st.lenders) > 0 {
		st.retire()
		return
	}
	st.watch = nil
	st.renewHandles()
	if brief := st.worth < 0; st.policy == Safe && st.worth != 0 && brief != p.brief.Load() {
		p.brief.Store(brief)
	}
	if st.account != nil {
		st.account.set(int64(kept))
		if p.kept.Load() > p.maxKept() {
			p.shed.Add(1)
			st.shed()
			st.account.set(0)
			kept = 0
		}
	}
	if kept >= largeState {
		p.large.put(st)
	} else {
		p.states.Put(st)
	}
}

func (p *Pool) raisePeak(used int64) {
	for {
		peak := p.peak.Load()
		if used <= peak || p.peak.CompareAndSwap(peak, used) {
			return
		}
	}
}

// Trim leaves the memory of idle arenas to the collector now. Without it that happens
// when two collections in a row found it unused; the runtime has one at least every two
// minutes, and gives memory that stays unused back to the operating system in the
// background. Each processor may keep two idle arenas that Trim does not reach. Arenas
// that are open are not affected.
func (p *Pool) Trim() {
	for {
		st := p.idleOf()
		if st == nil {
			return
		}
		st.shed()
		if st.account != nil {
			st.account.set(0)
		}
	}
}

// maxKept returns the bound that MaxKept stands for.
func (p *Pool) maxKept() int64 {
	if p.MaxKept == 0 {
		return DefaultMaxKept
	}
	return int64(max(p.MaxKept, 0))
}
