// Package wrap has pools that others use.
package wrap

import "sync"

// A Pool is a typed pool.
type Pool[T any] struct{ p *sync.Pool }

// New returns a pool.
func New[T any](f func() T) Pool[T] {
	return Pool[T]{&sync.Pool{New: func() any { return f() }}}
}

// Get gets.
func (p Pool[T]) Get() T { return p.p.Get().(T) }

// Put puts.
func (p Pool[T]) Put(x T) { p.p.Put(x) }

// A Counted pool is made of another.
type Counted[T any] struct {
	Pool[T]
	N int
}

// Put puts, and counts.
func (c *Counted[T]) Put(x T) {
	c.N++
	c.Pool.Put(x)
}

var shared sync.Pool

// Give puts anything.
func Give(x any) {
	if x != nil {
		shared.Put(x)
	}
}

// Return puts what its type says.
func Return[T any](x T) {
	defer func() { shared.Put(x) }()
}

// Pointers is a typed pool of pointers.
type Pointers[T any] struct{ p sync.Pool }

// Put puts.
func (p *Pointers[T]) Put(x *T) { p.p.Put(x) }

// Keep does not put.
func (p *Pointers[T]) Keep(x T) { _ = x }
