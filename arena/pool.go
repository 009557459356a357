package arena

import (
	"runtime"
	"sync"
	"sync/atomic"

	"lessgc/internal/checked"
)

// DefaultMaxKept is the MaxKept of a Pool that does not set it, in bytes.
const DefaultMaxKept = 64 << 20

// A Pool holds the memory of freed arenas for the next ones. The zero Pool is
// ready to use, by any number of goroutines; it must not be copied. Idle arenas
// are kept per processor, and are gone after two garbage collections in which
// nobody used them.
type Pool struct {
	// Policy of the arenas: RecycleTyped if it is zero. It must not change
	// after the first Get.
	Policy Policy

	// MaxKept bounds the memory that arenas keep for the ones after them, in
	// bytes: DefaultMaxKept if it is zero, nothing is kept if it is negative.
	// An arena that would exceed it gives all it has to the collector.
	MaxKept int

	// AuditEvery is the number of arenas of which one, chosen at random, is
	// audited, whatever the policy: it recycles nothing, costs a few
	// microseconds per object, and some time after Free [Pool.Audit] says what
	// of it is still reachable. 1 audits all arenas. 0 audits none, but with
	// policy Audit one in DefaultAuditEvery; a negative number none at all.
	AuditEvery int

	audit  audit
	states sync.Pool
	kept   atomic.Int64 // sum of all accounts

	made, shed atomic.Int64 // see PoolStats
}

// Get returns an empty arena, or nil if the policy is Heap or arenas are
// switched off, see [UseHeap]. Its Free gives the memory back to p.
func (p *Pool) Get() *Arena {
	if heapOnly || p.Policy == Heap || useHeap.Load() {
		return nil
	}
	st := p.open()
	if checked.Enabled {
		return st.fresh()
	}
	return st.handle()
}

// open returns an empty state.
func (p *Pool) open() *state {
	if every := p.auditEvery(); every > 0 || checked.Strict || sanitized {
		if st := p.openWatched(every); st != nil {
			return st
		}
	}
	st, ok := p.states.Get().(*state)
	if !ok {
		p.made.Add(1)
		st = newState(p, p.policy())
		st.account = &account{sum: &p.kept}
		runtime.AddCleanup(st, (*account).settle, st.account)
	}
	st.begin()
	return st
}

// policy returns the policy of new arenas.
func (p *Pool) policy() Policy {
	if p.Policy == Default {
		return RecycleTyped
	}
	return p.Policy
}

// close takes back the state of an arena that was freed. One that the checked
// build looks at is given up if someone may still have a slab of it, to say where.
func (p *Pool) close(st *state) {
	kept := st.release()
	if st.watch != nil || checked.Enabled && len(st.lenders) > 0 {
		st.retire()
		return
	}
	st.renewHandles()
	st.account.set(int64(kept))
	if p.kept.Load() > p.maxKept() {
		p.shed.Add(1)
		st.shed()
		st.account.set(0)
	}
	p.states.Put(st)
}

// maxKept returns the bound that MaxKept stands for.
func (p *Pool) maxKept() int64 {
	if p.MaxKept == 0 {
		return DefaultMaxKept
	}
	return int64(max(p.MaxKept, 0))
}
