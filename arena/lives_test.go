package arena

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// The tests of this file attack handles: an Arena or a Slab that is used after
// the life that it was for must not reach the next owner of the memory, in any
// build.

// refused checks that f panics with a message that has want in it.
func refused(t *testing.T, what, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text, _ := recover().(string); !strings.Contains(text, want) {
			t.Errorf("%s: panic %q, want one with %q", what, text, want)
		}
	}()
	f()
}

// pooled are the policies whose arenas have memory of their own.
var pooled = []Policy{Safe, RecycleTyped, RecycleAll, audited}

// audited stands for a pool that audits each of its arenas.
const audited Policy = 99

// poolOf returns a pool of that policy.
func poolOf(p Policy) *Pool {
	if p == audited {
		return &Pool{AuditEvery: 1}
	}
	return &Pool{Policy: p}
}

// next returns an arena that was opened after stale was freed, with a value in
// it. If the pool reuses the memory at all, it reuses that of stale.
func next(p *Pool) (*Arena, *int) {
	a := p.Get()
	v := New[int](a)
	*v = 1
	return a, v
}

// TestStaleHandle checks that every method of an arena that was freed panics
// after the pool has handed the memory to another owner, and leaves that owner
// alone.
func TestStaleHandle(t *testing.T) {
	check := func(what string, f func(*Arena)) {
		t.Helper()
		for _, policy := range pooled {
			p := poolOf(policy)
			stale := p.Get()
			New[int](stale)
			stale.Free()
			a, v := next(p)
			refused(t, what+" with policy "+policy.String(), "fter Free", func() { f(stale) })
			if *v != 1 {
				t.Errorf("%s with policy %s: another owner's value is %d", what, policy, *v)
			}
			for range 100 { // all from one owner
				if w := New[int](a); *w != 0 {
					t.Fatalf("%s with policy %s: New returned %d", what, policy, *w)
				} else {
					*w = 2
				}
			}
			a.Free() // panics if it was freed
		}
	}
	check("Free", func(a *Arena) { a.Free() })
	check("Reset", func(a *Arena) { a.Reset() })
	check("New", func(a *Arena) { New[int](a) })
	check("Of", func(a *Arena) { Of[int](a) })
	check("MakeSlice", func(a *Arena) { MakeSlice[int](a, 1, 1) })
	check("String", func(a *Arena) { a.String("text") })
	check("Bytes", func(a *Arena) { a.Bytes([]byte("text")) })
	check("Child", func(a *Arena) { a.Child() })
	check("Mark", func(a *Arena) { a.Mark() })
	check("Keep", func(a *Arena) { a.Keep() })
	check("Stats", func(a *Arena) { a.Stats() })
}

// TestStaleRelease checks that a mark does not outlive its arena.
func TestStaleRelease(t *testing.T) {
	p := new(Pool)
	stale := p.Get()
	New[int](stale)
	m := stale.Mark()
	stale.Free()
	a, v := next(p)
	refused(t, "Release of the new owner", "Release to a mark", func() { a.Release(m) })
	refused(t, "Release of the stale arena", "Release to a mark", func() { stale.Release(m) })
	if *v != 1 {
		t.Errorf("another owner's value is %d", *v)
	}
	a.Free()
}

// TestStaleChild checks that a child can be freed once, in all orders.
func TestStaleChild(t *testing.T) {
	for _, policy := range pooled {
		p := poolOf(policy)
		parent := p.Get()
		early, late := parent.Child(), parent.Child()
		New[int](early)
		New[int](late)
		early.Free()
		a, v := next(p)
		refused(t, "Free of a child", "fter Free", func() { early.Free() })
		parent.Free()
		b, w := next(p)
		refused(t, "Free of a child after that of its parent", "fter Free", func() { late.Free() })
		refused(t, "Free of a child after that of its parent", "fter Free", func() { early.Free() })
		if *v != 1 || *w != 1 {
			t.Errorf("values of other owners are %d and %d", *v, *w)
		}
		a.Free()
		b.Free()
	}
}

// TestStaleSlab checks that a slab does not reach the memory of the owner after
// its arena, in any build.
func TestStaleSlab(t *testing.T) {
	type user struct {
		id int
		_  *string
	}
	check := func(what string, f func(ints *Slab[int], users *Slab[user])) {
		t.Helper()
		for _, end := range []string{"Free", "Reset"} {
			for _, policy := range pooled[1:] { // a slab of a safe arena is the heap's
				p := poolOf(policy)
				stale := p.Get()
				ints, users := Of[int](stale), Of[user](stale)
				ints.New()
				users.New()
				owner := stale
				if end == "Free" {
					stale.Free()
					owner = p.Get()
				} else {
					stale.Reset()
				}
				own := Of[user](owner)
				own.New().id = 1
				refused(t, what+" after "+end+" with policy "+policy.String(), map[string]string{"Free": "fter Free", "Reset": "Reset"}[end], func() { f(ints, users) })
				for range 100 {
					if u := own.New(); u.id != 0 {
						t.Fatalf("%s: New returned %v", what, u)
					} else {
						u.id = 2
					}
				}
				owner.Free()
			}
		}
	}
	check("Slab.New", func(_ *Slab[int], users *Slab[user]) { users.New() })
	check("Slab.New without pointers", func(ints *Slab[int], _ *Slab[user]) { ints.New() })
	check("Slab.Make", func(_ *Slab[int], users *Slab[user]) { users.Make(3, 3) })
	check("Slab.Append", func(_ *Slab[int], users *Slab[user]) { users.Append(nil, user{}) })
}

// TestFreeRace checks that of two calls of Free at the same time one panics and
// the memory is freed once.
func TestFreeRace(t *testing.T) {
	if checked.Enabled {
		t.Skip("the checked build looks at the arena's goroutine, not at its handle")
	}
	p := &Pool{Policy: RecycleTyped} // a safe one has nothing to free as long as it is small
	for range 2000 {
		a := p.Get()
		New[int](a)
		var start, done sync.WaitGroup
		var panics atomic.Int32
		start.Add(2)
		for range 2 {
			done.Go(func() {
				defer func() {
					if recover() != nil {
						panics.Add(1)
					}
				}()
				start.Done()
				start.Wait()
				a.Free()
			})
		}
		done.Wait()
		if n := panics.Load(); n != 1 {
			t.Fatalf("%d of two calls of Free panicked", n)
		}
	}
}

// TestManyOwners is a server in which one request in a hundred frees its arena
// once more at some later time: no other request may be affected.
func TestManyOwners(t *testing.T) {
	type user struct {
		id int
		_  *string
	}
	p := new(Pool)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var stale *Arena
			for i := range 500 {
				a := p.Get()
				id := g<<16 | i
				users := Of[user](a)
				var all []*user
				for j := range 50 {
					u := New[user](a)
					if j%2 == 0 {
						u = users.New()
					}
					if *u != (user{}) {
						t.Errorf("an object from New is %v", *u)
						return
					}
					u.id = id
					all = append(all, u)
				}
				if i%100 == 50 && stale != nil {
					refused(t, "Free of an arena of long ago", "fter Free", stale.Free)
				}
				runtime.Gosched()
				for _, u := range all {
					if u.id != id {
						t.Errorf("request %x reads %x", id, u.id)
						return
					}
				}
				a.Free()
				stale = a
			}
		})
	}
	wg.Wait()
}

// TestLifeAllocs checks what a life costs that uses one slab: an allocation in four
// lives.
func TestLifeAllocs(t *testing.T) {
	if checked.Enabled {
		t.Skip("no memory is used twice")
	}
	p := &Pool{Policy: RecycleTyped}
	lives := func() {
		for range 640 {
			a := p.Get()
			New[node](a)
			Of[int](a).New()
			a.Free()
		}
	}
	lives()
	if n := alloctest.PerRun(t, lives); n > 640/4+640*escapes {
		t.Errorf("%d allocations in 640 lives", n)
	}
}

// TestChildrenAreForgotten checks that an arena that lives long keeps nothing of
// children that were freed, and that many open ones do not make a new one dear.
func TestChildrenAreForgotten(t *testing.T) {
	check := func(open, freed int) {
		t.Helper()
		a := new(Pool).Get()
		for range open {
			a.Child()
		}
		for range freed {
			a.Child().Free()
		}
		if got, most := cap(a.st.children), 4*open+8; got > most {
			t.Errorf("%d open children and %d freed ones: a list of %d, want at most %d", open, freed, got, most)
		}
		a.Free()
	}
	check(0, 1000)
	check(0, 100_000)
	check(100, 1000)
	check(100, 100_000)

	a := new(Pool).Get()
	defer a.Free()
	sweeps := 0
	for range 1000 {
		a.Child()
	}
	for range 10_000 {
		before := len(a.st.children)
		a.Child().Free()
		if len(a.st.children) <= before {
			sweeps++
		}
	}
	if sweeps > 20 {
		t.Errorf("10,000 short-lived children among 1,000 open ones: the list was searched %d times", sweeps)
	}
}

// TestSharedArena checks that an arena notices, where it looks anyway, what two
// goroutines that use it at once leave behind: a position outside the free part of
// its chunk.
func TestSharedArena(t *testing.T) {
	if checked.Strict {
		t.Skip("no chunk serves two objects")
	}
	check := func(what string, spoil func(s *slab), f func(*Arena)) {
		t.Helper()
		for _, policy := range pooled {
			a := (&Pool{Policy: policy, AuditEvery: -1}).Get()
			a.open()
			New[node](a)
			spoil(a.state().slabOf((*typed[node])(nil)))
			refused(t, what+" with policy "+policy.String(), "several goroutines", func() { f(a) })
		}
	}
	below := func(s *slab) { s.lo, s.off = 2*s.size, s.size } // both took the last object
	check("New", below, func(a *Arena) { New[node](a) })
	check("MakeSlice", below, func(a *Arena) { MakeSlice[node](a, 2, 2) })
	check("Free", below, (*Arena).Free)
	check("Reset", below, (*Arena).Reset)
	check("Free below the chunk", func(s *slab) { s.off -= 1 << 20 }, (*Arena).Free)
	check("Free above the chunk", func(s *slab) { s.lo += 1 << 20; s.off += 1 << 20 }, (*Arena).Free)
}

// TestRefusedSlice checks that a slice which cannot be made leaves a small arena as it was.
func TestRefusedSlice(t *testing.T) {
	for _, n := range []int{-1, -8, math.MaxInt} {
		for _, a := range []*Arena{NewArena(), new(Arena), (&Pool{}).Get()} {
			New[int](a)
			before := a.Len()
			for _, f := range []func(){func() { MakeSlice[byte](a, 0, min(n, -n)) }, func() { MakeSlice[[1 << 20]byte](a, 0, n) }} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("no panic for a capacity of %d", n)
						}
					}()
					f()
				}()
			}
			if got := a.Len(); got != before {
				t.Errorf("capacity %d: the arena has handed out %d bytes, %d before", n, got, before)
			}
			*New[int](a) = 1
			a.Free()
		}
	}
}

// TestBrief pins that safe arenas stay on the heap for longer where lives end soon after they
// got a state, and no longer than before where lives are long again.
func TestBrief(t *testing.T) {
	p := new(Pool)
	if a := p.Get(); a == nil || !a.small() || a.quota == 0 {
		t.Skip("arenas have a state from the start")
	}
	type (
		one   struct{ _ [1]*int }
		two   struct{ _ [2]*int }
		three struct{ _ [3]*int }
	)
	life := func(values int) (fromChunks int64) {
		a := p.Get()
		defer a.Free()
		for i := range values {
			switch i % 3 {
			case 0:
				escaped = New[one](a)
			case 1:
				escaped = New[two](a)
			default:
				escaped = New[three](a)
			}
		}
		return a.Stats().Objects
	}
	if n := life(few + 15); n != 15 {
		t.Errorf("%d objects of the first life come from chunks, want 15", n)
	}
	from := 0
	for range 100 {
		if life(few+15) > 0 {
			from++
		}
	}
	if from == 0 || from > 3 {
		t.Errorf("%d of 100 short lives had a state, want 1 to 3", from)
	}
	life(4*few + 100)
	for range 100 {
		if n := life(4*few + 100); n != 3*few+100 {
			t.Fatalf("%d objects of a long life come from chunks, want %d", n, 3*few+100)
		}
	}
	life(few + 15)
	for range 64 {
		life(few + 100)
	}
	if n := life(few + 100); n != 100 {
		t.Errorf("%d objects of a life of medium length come from chunks, want 100", n)
	}
}
