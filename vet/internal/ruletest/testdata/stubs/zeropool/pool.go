// Package zeropool has the part of github.com/colega/zeropool that the cases use.
package zeropool

import "sync"

// A Pool keeps values of any type.
type Pool[T any] struct {
	items    sync.Pool
	pointers sync.Pool
}

// New returns a pool that makes its values with item.
func New[T any](item func() T) Pool[T] {
	return Pool[T]{items: sync.Pool{New: func() any {
		v := item()
		return &v
	}}}
}

// Get returns a value.
func (p *Pool[T]) Get() T {
	ptr := p.items.Get()
	if ptr == nil {
		var zero T
		return zero
	}
	t := ptr.(*T)
	v := *t
	var zero T
	*t = zero
	p.pointers.Put(ptr)
	return v
}

// Put gives a value back.
func (p *Pool[T]) Put(item T) {
	ptr, ok := p.pointers.Get().(*T)
	if !ok {
		ptr = new(T)
	}
	*ptr = item
	p.items.Put(ptr)
}
