// Package ours allocates types with and without locks.
package ours

import (
	"context"
	"os"
	"reflect"
	"sync"
	"sync/atomic"

	"cases/lib"

	"lessgc/arena"
	"lessgc/arena/amap"
)

type conn struct {
	mu sync.Mutex
	id int
}

type guarded struct{ sync.RWMutex }

type counted struct {
	n    atomic.Int64
	mu   *sync.Mutex
	none [0]sync.Mutex
}

type pair[T any] struct{ a, b T }

var (
	typed   = arena.Pool{Policy: arena.RecycleTyped}
	all     = &arena.Pool{MaxKept: 1 << 20, Policy: arena.RecycleAll}
	safe    = arena.Pool{Policy: arena.Safe}
	bare    arena.Pool
	later   arena.Pool
	chosen  = arena.Pool{Policy: fromEnv()}
	named   = arena.Pool{Policy: mine}
	harmful = arena.Pool{Policy: other}
	kept    *arena.Arena
)

const (
	mine  = arena.Safe
	other = arena.Policy(2)
)

func init() { later.Policy = arena.RecycleTyped }

func fromEnv() arena.Policy {
	if os.Getenv("RECYCLE") != "" {
		return arena.RecycleAll
	}
	return arena.Safe
}

func badNew() {
	a := typed.Get()
	defer a.Free()
	arena.New[conn](a) // want `^arena\.New of conn panics: it holds a lock \(sync\.Mutex\), and the arena recycles its memory; keep the lock on the heap behind a pointer, or use a safe arena$`
}

func goodNew() {
	a := safe.Get()
	defer a.Free()
	arena.New[conn](a)
	arena.New[conn](nil)
	arena.New[conn](arena.NewArena())
}

func badKinds() {
	a := all.Get()
	defer a.Free()
	arena.MakeSlice[conn](a, 1, 2)                           // want `arena\.MakeSlice of conn panics`
	arena.Append(a, []guarded(nil), make([]guarded, 1)...)   // want `arena\.Append of guarded panics: it has the methods Lock and Unlock,`
	arena.CloneIn(a, new(conn))                              // want `arena\.CloneIn of conn panics`
	arena.CloneIn(a, make([]sync.Once, 1))                   // want `arena\.CloneIn of sync\.Once panics: it holds a lock, and`
	arena.Of[conn](a)                                        // want `arena\.Of of conn panics`
	arena.NewValue(a, reflect.TypeFor[conn]())               // want `arena\.NewValue of conn panics`
	arena.NewValue(a, reflect.TypeOf(conn{}))                // want `arena\.NewValue of conn panics`
	arena.MakeSliceValue(a, reflect.TypeFor[[]conn](), 1, 1) // want `arena\.MakeSliceValue of conn panics`
	amap.New[int, conn](a, 0)                                // want `^amap\.New of conn panics`
	amap.New[guardedKey, int](a, 0)                          // want `^amap\.New of guardedKey panics`
}

type guardedKey struct {
	sync.Mutex
	id int
}

func goodKinds(t reflect.Type) {
	a := all.Get()
	defer a.Free()
	arena.MakeSlice[*conn](a, 1, 2)
	arena.Append(a, []*guarded(nil), new(guarded))
	arena.CloneIn(a, "text")
	arena.CloneIn(a, []*conn{})
	arena.Of[counted](a)
	arena.New[counted](a)
	arena.New[sync.Locker](a)
	arena.New[[]conn](a)
	arena.New[map[string]conn](a)
	arena.New[[0]conn](a)
	arena.New[func() conn](a)
	arena.NewValue(a, t)
	arena.NewValue(a, reflect.TypeFor[counted]())
	arena.NewValue(a, reflect.TypeOf(new(conn)))
	arena.NewValue(a, reflect.TypeFor[[]conn]())
	amap.New[int, *conn](a, 0)
	amap.New[*conn, int](a, 0)
	arena.New[amap.Map[int, conn]](a)
	arena.Clone(new(conn))
}

func badTypes() {
	a := all.Get()
	defer a.Free()
	arena.New[sync.WaitGroup](a) // want `arena\.New of sync\.WaitGroup panics: it holds a lock, and`
	arena.New[lib.Conn](a)       // want `arena\.New of cases/lib\.Conn panics: it holds a lock \(sync\.Mutex\)`
	arena.New[[2]lib.Conn](a)    // want `arena\.New of \[2\]cases/lib\.Conn panics: it holds a lock \(sync\.Mutex\)`
	arena.New[pair[sync.Map]](a) // want `arena\.New of pair\[sync\.Map\] panics: it holds a lock \(sync\.Map\)`
	arena.New[struct {           // want `it holds a lock \(sync\.Pool\)`
		p sync.Pool
	}](a)
	type embedded struct{ *sync.Mutex }
	arena.New[embedded](a) // want `arena\.New of embedded panics: it has the methods Lock and Unlock`
}

func goodTypes() {
	a := all.Get()
	defer a.Free()
	arena.New[lib.Plain](a)
	arena.New[*lib.Conn](a)
	arena.New[pair[*sync.Map]](a)
	arena.New[pair[atomic.Bool]](a)
	arena.New[atomic.Pointer[conn]](a)
}

func badChild() {
	a := typed.Get()
	defer a.Free()
	arena.New[conn](a.Child()) // want `arena\.New of conn panics`
}

func badLater() {
	a := later.Get()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func badConverted() {
	a := harmful.Get()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func goodPools() {
	for _, p := range []*arena.Pool{&bare, &chosen, &named, all} {
		a := p.Get()
		arena.New[conn](a)
		a.Free()
	}
	a, b, c := bare.Get(), chosen.Get(), named.Get()
	arena.New[conn](a)
	arena.New[conn](b)
	arena.New[conn](c)
	a.Free()
	b.Free()
	c.Free()
}

func badLocalPool() {
	pool := arena.Pool{Policy: arena.RecycleAll}
	a := pool.Get()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func badLocalPointer() {
	pool := &arena.Pool{Policy: arena.RecycleAll}
	func() {
		a := pool.Get()
		defer a.Free()
		arena.New[conn](a) // want `arena\.New of conn panics`
	}()
}

func badAssigned() {
	pool := new(arena.Pool)
	pool.Policy = arena.RecycleTyped
	a := pool.Get()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func goodLocalPool(recycle bool) {
	pool, unset := &arena.Pool{Policy: arena.RecycleAll}, new(arena.Pool)
	if !recycle {
		pool.Policy = arena.Safe
	}
	inside := arena.Pool{Policy: arena.RecycleAll}
	func() { inside.Policy = arena.Safe }()
	a, b := pool.Get(), unset.Get()
	arena.New[conn](inside.Get())
	defer a.Free()
	defer b.Free()
	arena.New[conn](a)
	arena.New[conn](b)
}

func badBranches(x bool) {
	var a *arena.Arena
	switch {
	case x:
		a = typed.Get()
	case len(os.Args) > 1:
		a = all.Get()
	}
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func goodBranches(x bool) {
	a := arena.NewArena()
	if x {
		a = typed.Get()
	}
	defer a.Free()
	if !x {
		arena.New[conn](a)
	}
}

func badLoop() {
	a := typed.Get()
	for range 3 {
		arena.New[conn](a) // want `arena\.New of conn panics`
		a.Free()
		a = all.Get()
	}
	a.Free()
}

func badClosure() {
	a := typed.Get()
	defer func() { a.Free() }()
	build := func() *conn {
		return arena.New[conn](a) // want `arena\.New of conn panics`
	}
	build()
	a = all.Get()
}

func goodClosure() {
	a := typed.Get()
	defer func() { a.Free() }()
	build := func() *conn { return arena.New[conn](a) }
	a = arena.NewArena()
	build()
}

// Functions that have the arena of their callers.

func badPassed(a *arena.Arena, n int) *conn {
	if n > 0 {
		badPassed(a, n-1)
	}
	return arena.New[conn](a) // want `arena\.New of conn panics`
}

func goodPassed(a *arena.Arena) *conn { return arena.New[conn](a) }

// Anybody may pass it a safe arena, but the package does not.
func BadExported(a *arena.Arena) *conn {
	return arena.New[conn](a) // want `arena\.New of conn panics`
}

// GoodNotCalled is called by others only.
func GoodNotCalled(a *arena.Arena) *conn { return arena.New[conn](a) }

func calls() {
	a := typed.Get()
	defer a.Free()
	badPassed(a, 1)
	badPassed(nil, 1)
	BadExported(a.Child())
	goodPassed(a)
	goodPassed(arena.NewArena())
	goodEither(a, false)
	goodGeneric[conn](a)
	f := goodValue
	f(arena.NewArena())
}

// With a recycling arena it is called only for what has no lock.
func goodEither(a *arena.Arena, lock bool) {
	if lock {
		arena.New[conn](a)
	} else {
		arena.New[counted](a)
	}
}

func callsEither() { goodEither(arena.NewArena(), true) }

func goodGeneric[T any](a *arena.Arena) *T { return arena.New[T](a) }

func goodValue(a *arena.Arena) *conn { return arena.New[conn](a) }

func badInstance[T any](v T) {
	a := typed.Get()
	defer a.Free()
	arena.New[pair[T]](a)
	arena.New[struct { // want `it holds a lock \(sync\.Mutex\)`
		mu sync.Mutex
		v  T
	}](a)
}

// Functions that return an arena.

func open() *arena.Arena { return typed.Get() }

func openFrom(p *arena.Pool) (*arena.Arena, error) {
	if p == nil {
		return nil, os.ErrInvalid
	}
	return p.Get(), nil
}

func openEither(x bool) *arena.Arena {
	if x {
		return arena.NewArena()
	}
	return typed.Get()
}

func badOpened() {
	a := open()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
	b, err := openFrom(all)
	if err != nil {
		return
	}
	defer b.Free()
	arena.New[conn](b) // want `arena\.New of conn panics`
}

func goodOpened(ctx context.Context) {
	a, b, c := openEither(true), lib.Get(), lib.Arenas.Get()
	arena.New[conn](a)
	arena.New[conn](b)
	arena.New[conn](c)
	arena.New[conn](arena.FromContext(ctx))
	a.Free()
	b.Free()
	c.Free()
}

// Fields.

type server struct {
	arenas, safe arena.Pool
	pool         *arena.Pool
}

func newServer() *server {
	return &server{arenas: arena.Pool{Policy: arena.RecycleAll}, pool: &arena.Pool{Policy: arena.RecycleTyped}}
}

type request struct {
	a, scratch *arena.Arena
	mixed      *arena.Arena
}

func (s *server) badHandle() {
	r := request{a: s.arenas.Get(), scratch: s.safe.Get(), mixed: s.pool.Get()}
	defer r.a.Free()
	defer r.scratch.Free()
	defer r.mixed.Free()
	arena.New[conn](r.a) // want `arena\.New of conn panics`
	r.goodBuild()
	r.badBuild()
	p := s.pool.Get()
	defer p.Free()
	arena.New[conn](p) // want `arena\.New of conn panics`
}

func (r *request) badBuild() {
	arena.MakeSlice[conn](r.a, 0, 8) // want `arena\.MakeSlice of conn panics`
}

func (r *request) goodBuild() {
	arena.New[conn](r.scratch)
	arena.New[conn](r.mixed)
}

func goodMixed() *request { return &request{mixed: arena.NewArena()} }

type embedding struct{ *arena.Pool }

func badEmbedding() {
	e := embedding{Pool: &arena.Pool{Policy: arena.RecycleAll}}
	a := e.Get()
	defer a.Free()
	arena.New[conn](a) // want `arena\.New of conn panics`
}

func badVariable() {
	kept = typed.Get()
	arena.New[conn](kept) // want `arena\.New of conn panics`
}

func badFunction() {
	a := typed.Get()
	defer a.Free()
	make := arena.New[conn]
	make(a)                  // want `arena\.New of conn panics`
	defer arena.New[conn](a) // want `arena\.New of conn panics`
}

func goodDirective() {
	a := typed.Get()
	defer a.Free()
	//lessgc:ignore arenalock the test wants it to panic
	arena.New[conn](a)
}

// Generic types.

type cache[T any] struct {
	pool, unset arena.Pool
	a           *arena.Arena
}

func newCache[T any]() *cache[T] {
	return &cache[T]{pool: arena.Pool{Policy: arena.RecycleTyped}}
}

func (c *cache[T]) badFill() {
	c.a = c.pool.Get()
	arena.New[conn](c.a) // want `arena\.New of conn panics`
	arena.New[T](c.a)
}

func (c *cache[T]) goodFill() {
	a := c.unset.Get()
	defer a.Free()
	arena.New[conn](a)
}

// Ways that lead nowhere.

type builder interface{ build(a *arena.Arena) }

type lockBuilder struct{}

func (lockBuilder) build(a *arena.Arena) { goodBehind(a) }

func goodBehind(a *arena.Arena) { arena.New[conn](a) }

func goodInterface(b builder, pools map[string]*arena.Pool, arenas chan *arena.Arena) {
	a := typed.Get()
	defer a.Free()
	b.build(a)
	arena.New[conn](pools["safe"].Get())
	arena.New[conn](<-arenas)
	pool := all
	if len(pools) > 0 {
		pool = &safe
	}
	arena.New[conn](pool.Get())
}

func goodNever() *arena.Arena {
	arena.New[conn](goodNever())
	return goodNever()
}

func badRange(names []string) {
	a := typed.Get()
	defer a.Free()
	for range each(names) {
		arena.New[conn](a) // want `arena\.New of conn panics`
	}
	go func() {
		arena.New[conn](a) // want `arena\.New of conn panics`
	}()
}

func each(names []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, n := range names {
			if !yield(n) {
				return
			}
		}
	}
}

func goodForeign(r *lib.Request) {
	mine := lib.Request{Arena: typed.Get()}
	defer mine.Arena.Free()
	lib.Last = typed.Get()
	arena.New[conn](r.Arena)
	arena.New[conn](lib.Last)
}
