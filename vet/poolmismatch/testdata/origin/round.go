package origin

import "sync"

// A recycler keeps values, and pointers without one apart.
type recycler[T any] struct{ items, pointers sync.Pool }

func (r *recycler[T]) get() T {
	pooled := r.items.Get()
	if pooled == nil {
		var zero T
		return zero
	}
	p := pooled.(*T)
	item := *p
	r.pointers.Put(p)
	return item
}

func (r *recycler[T]) put(item T) {
	var p *T
	if pooled := r.pointers.Get(); pooled != nil {
		p = pooled.(*T)
	} else {
		p = new(T)
	}
	*p = item
	r.items.Put(p)
}
