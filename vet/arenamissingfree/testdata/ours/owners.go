package ours

import (
	"context"
	"io"
	"runtime"
	"sync"
	"testing"

	"lessgc/arena"
)

// A session owns its arena until Close.
type session struct {
	arena *arena.Arena
	users []*user
}

func newSession(a *arena.Arena) *session { return &session{arena: a} }

func (s *session) Close() error {
	s.arena.Free()
	return nil
}

func goodReturned() *arena.Arena {
	a := arenas.Get()
	arena.Of[user](a).New()
	return a
}

func goodReturnedWithFree(line string) (*user, func(), error) {
	a := arenas.Get()
	u, err := parse(a, line)
	if err != nil {
		a.Free()
		return nil, nil, err
	}
	return u, a.Free, nil
}

func badReturnedWithFree(line string) (*user, func(), error) {
	a := arenas.Get() // want "is not freed"
	u, err := parse(a, line)
	if err != nil {
		return nil, nil, err
	}
	return u, a.Free, nil
}

func goodOwner() *session {
	a := arenas.Get()
	return &session{arena: a}
}

func goodConstructor() *session {
	a := arenas.Get()
	return newSession(a)
}

func badConstructor(line string) (*session, error) {
	a := arenas.Get() // want "is not freed"
	u, err := parse(a, line)
	if err != nil {
		return nil, err
	}
	s := newSession(a)
	s.users = append(s.users, u)
	return s, nil
}

func goodInterface() io.Closer {
	a := arenas.Get()
	return &session{arena: a}
}

func goodReturnedClosure() func() {
	a := arenas.Get()
	return func() { a.Free() }
}

// A worker keeps one arena for all that it does.
type worker struct {
	pool  arena.Pool
	arena *arena.Arena
	spare []*arena.Arena
	byKey map[string]*arena.Arena
	users int
}

func (w *worker) goodField() {
	a := w.pool.Get()
	w.arena = a
}

func (w *worker) badField(line string) {
	a := w.pool.Get() // want "is not freed"
	w.users += len(a.String(line))
}

func (w *worker) goodFreedField(line string) {
	a := w.pool.Get()
	w.users += len(a.String(line))
	a.Free()
}

func (w *worker) goodAppended(n int) {
	for range n {
		a := w.pool.Get()
		w.spare = append(w.spare, a)
	}
}

func (w *worker) goodInMap(key string) *arena.Arena {
	a := w.byKey[key]
	if a == nil {
		a = w.pool.Get()
		w.byKey[key] = a
	}
	return a
}

func (w *worker) goodLocalSlice(lines []string) {
	var all []*arena.Arena
	for _, line := range lines {
		a := w.pool.Get()
		all = append(all, a)
		w.users += len(a.String(line))
	}
	for _, a := range all {
		a.Free()
	}
}

func goodSent(out chan<- *arena.Arena) {
	a := arenas.Get()
	out <- a
}

type job struct {
	arena *arena.Arena
	users []*user
}

func badSent(out chan<- int, lines []string) {
	a := arenas.Get() // want "is not freed"
	users := arena.MakeSlice[*user](a, 0, len(lines))
	out <- cap(users)
}

func goodSentJob(out chan<- job, lines []string) {
	a := arenas.Get()
	users := arena.MakeSlice[*user](a, 0, len(lines))
	out <- job{a, users}
}

// scratch is there as long as the process.
var scratch = arena.NewArena()

var shared *arena.Arena

func init() { shared = arenas.Get() }

func goodGlobal() {
	a := arena.NewArena()
	shared = a
}

func goodCleanup(line string) *session {
	a := arenas.Get()
	s := &session{users: make([]*user, len(line))}
	runtime.AddCleanup(s, func(a *arena.Arena) {
		a.Adopt()
		a.Free()
	}, a)
	return s
}

func badNoCleanup(line string) *session {
	a := arenas.Get() // want "is not freed"
	s := &session{users: make([]*user, len(a.String(line)))}
	return s
}

func goodFinalizer() *session {
	a := arenas.Get()
	s := &session{}
	runtime.SetFinalizer(s, func(*session) {
		a.Adopt()
		a.Free()
	})
	return s
}

func goodTestCleanup(t *testing.T) {
	a := arenas.Get()
	t.Cleanup(a.Free)
	if len(a.String("x")) != 1 {
		t.Error("no text")
	}
}

func badTest(t *testing.T) {
	a := arenas.Get() // want "is not freed"
	if len(a.String("x")) != 1 {
		t.Error("no text")
	}
}

func goodAfterFunc(ctx context.Context) context.Context {
	a := arenas.Get()
	context.AfterFunc(ctx, func() {
		a.Adopt()
		a.Free()
	})
	return arena.NewContext(ctx, a)
}

func goodOnce(line string) int {
	a := arenas.Get()
	free := sync.OnceFunc(a.Free)
	defer free()
	return len(a.String(line))
}

func goodMethodValue(line string) int {
	a := arenas.Get()
	free := a.Free
	defer free()
	return len(a.String(line))
}

func goodMethodExpression(line string) int {
	a := arenas.Get()
	defer (*arena.Arena).Free(a)
	return len(a.String(line))
}

func goodDeferredClosure(line string) int {
	a := arenas.Get()
	defer func() {
		if r := recover(); r != nil {
			a.Keep()
		}
		a.Free()
	}()
	return len(a.String(line))
}

func badDeferredClosure(line string) int {
	a := arenas.Get() // want "is not freed"
	defer func() {
		if r := recover(); r != nil {
			a.Keep()
		}
	}()
	return len(a.String(line))
}

// A sink may take over what it is given.
type sink interface{ Take(a *arena.Arena) }

func goodSink(s sink, line string) {
	a := arenas.Get()
	a.String(line)
	s.Take(a)
}

func goodCallback(done func(*arena.Arena), line string) {
	a := arenas.Get()
	a.String(line)
	done(a)
}

func goodHandedToGoroutine(line string) {
	a := arenas.Get()
	go finish(a, line)
}

func finish(a *arena.Arena, line string) {
	a.Adopt()
	defer a.Free()
	a.String(line)
}

func badLeftInGoroutine(line string) {
	a := arenas.Get() // want "is not freed"
	go look(a, line)
}

func look(a *arena.Arena, line string) {
	a.Adopt()
	a.String(line)
}

// A holder is a local value that owns an arena for a while.
type holder struct{ arena *arena.Arena }

func (h *holder) free() { h.arena.Free() }

func goodLocalHolder(line string) int {
	h := holder{arena: arenas.Get()}
	defer h.free()
	return len(h.arena.String(line))
}

func goodContextHolder(ctx context.Context, line string) int {
	ctx = arena.NewContext(ctx, arenas.Get())
	defer arena.FromContext(ctx).Free()
	return len(greet(ctx, line))
}
