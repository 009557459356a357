package arena

import "sync"

// A shared has the arena that several goroutines use in turn.
type shared struct {
	mu    sync.Mutex
	arena Arena
}

// Share makes a usable by several goroutines at the same time from now on. Each call then
// takes a lock, so a [Arena.Child] for each goroutine is several times faster. Share has to
// be called before another goroutine has a, and Free when all others are done. Slabs
// from [Of] are by themselves, as those of a safe arena, and each is for one
// goroutine. Mark, Release and Reset panic. On a nil arena Share does nothing.
func (a *Arena) Share() {
	if a == nil || a.sharing() != nil {
		return
	}
	st := a.state()
	st.check()
	front := newIdle(st.pool)
	front.idle = false
	front.shared = &shared{arena: Arena{st: st, quota: a.quota}}
	if st.life != nil {
		st.life.shared = true
	}
	a.st = front
}

// sharing returns the arena behind a that others use too, nil if a is not shared.
func (a *Arena) sharing() *shared {
	if a.st == nil {
		return nil
	}
	return a.st.shared
}

// unshared returns a's state, which is for one goroutine.
func (a *Arena) unshared() *state {
	st := a.state()
	if st.shared != nil {
		panic("arena: " + operation() + " of a shared arena: give each goroutine a Child instead")
	}
	return st
}
