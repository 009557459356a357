// Package generic has generic wrappers of pools.
package generic

import (
	"sync"

	"lessgc/pool"
)

// A typed pool as it should be.
type typed[T any] struct{ p sync.Pool }

func newTyped[T any](make func() T) *typed[T] {
	return &typed[T]{p: sync.Pool{New: func() any { return make() }}}
}

func (t *typed[T]) goodGet() T  { return t.p.Get().(T) }
func (t *typed[U]) goodPut(x U) { t.p.Put(x) }

// Its Put has lost an asterisk.
type lost[T any] struct{ p sync.Pool }

func newLost[T any]() *lost[T] {
	return &lost[T]{p: sync.Pool{New: func() any { return new(T) }}}
}

func (t *lost[T]) goodGet() *T { return t.p.Get().(*T) }
func (t *lost[U]) badPut(x U) {
	t.p.Put(x) // want `U is put into t.p, from which \*T is asserted`
}

type session struct{ user string }

var sessions = newTyped(func() *session { return new(session) })

func goodTyped() string {
	s := sessions.goodGet()
	defer sessions.goodPut(s)
	return s.user
}

var anything = sync.Pool{New: func() any { return new(session) }}

func put[T any](x T) { anything.Put(x) }

func badInstance(s *session) string {
	put(*s) // want `session is put into anything, from which \*session is asserted`
	if v := anything.Get(); s.user != "" {
		return v.(*session).user
	}
	return ""
}

func goodInstance(s *session) {
	put(s)
}

var users pool.Pool[session]
var lines pool.Buffers

func badNilValue() {
	users.Put(nil) // want `nil is put into users: Put panics`
}

func badNilBuffer() {
	lines.Put(nil) // want `nil is put into lines: Put panics`
}

func goodValue() {
	users.Put(users.Get())
	lines.Put(lines.Get(0))
}
