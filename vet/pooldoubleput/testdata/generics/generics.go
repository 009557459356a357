// Package generics has pools with type parameters.
package generics

import "sync"

// A Pool keeps values of one type.
type Pool[T any] struct{ pool sync.Pool }

// Get returns a value.
func (p *Pool[T]) Get() *T {
	if v, ok := p.pool.Get().(*T); ok {
		return v
	}
	return new(T)
}

// Put gives a value back.
func (p *Pool[T]) Put(v *T) { p.pool.Put(v) }

type row struct{ cells []string }

var (
	rows   Pool[row]
	tables Pool[[]row]
)

func badTypedPool(cells []string) int {
	r := rows.Get()
	defer rows.Put(r) // want "is put back twice"
	r.cells = append(r.cells[:0], cells...)
	if len(r.cells) == 0 {
		rows.Put(r)
		return 0
	}
	return len(r.cells[0])
}

func goodTypedPool(cells []string) int {
	r := rows.Get()
	defer rows.Put(r)
	r.cells = append(r.cells[:0], cells...)
	if len(r.cells) == 0 {
		return 0
	}
	return len(r.cells[0])
}

func badGenericFunction[T any](p *Pool[T], f func(*T) bool) {
	v := p.Get()
	if !f(v) {
		p.Put(v)
	}
	p.Put(v) // want "is put back twice"
}

func goodGenericFunction[T any](p *Pool[T], f func(*T) bool) {
	v := p.Get()
	if !f(v) {
		p.Put(v)
		return
	}
	p.Put(v)
}

// put puts all of them.
func put[T any](p *Pool[T], values ...*T) {
	for _, v := range values {
		p.Put(v)
	}
}

func goodVariadic(n int) {
	a, b := tables.Get(), tables.Get()
	*a = append((*a)[:0], make([]row, n)...)
	*b = append((*b)[:0], *a...)
	put(&tables, a, b)
}

// discard is one for any pool.
func discard[T any](p *Pool[T], v *T) {
	*v = *new(T)
	p.Put(v)
}

func badThroughGenericFunction(n int) {
	t := tables.Get()
	*t = append((*t)[:0], make([]row, n)...)
	discard(&tables, t)
	tables.Put(t) // want "is put back twice"
}

func goodThroughGenericFunction(n int) {
	t := tables.Get()
	*t = append((*t)[:0], make([]row, n)...)
	discard(&tables, t)
}
