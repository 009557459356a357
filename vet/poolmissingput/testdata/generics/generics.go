// Package generics has pools with type parameters.
package generics

import (
	"errors"
	"sync"
)

var errNone = errors.New("none")

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

var rows Pool[row]

func badTypedPool(cells []string) (string, error) {
	r := rows.Get() // want "is not put back"
	if len(cells) == 0 {
		return "", errNone
	}
	r.cells = append(r.cells[:0], cells...)
	s := r.cells[0]
	rows.Put(r)
	return s, nil
}

func goodTypedPool(cells []string) (string, error) {
	r := rows.Get()
	defer rows.Put(r)
	if len(cells) == 0 {
		return "", errNone
	}
	r.cells = append(r.cells[:0], cells...)
	return r.cells[0], nil
}

func badGenericFunction[T any](p *Pool[T], list []T, same func(*T, *T) bool) int {
	v := p.Get() // want "is not put back"
	for i := range list {
		*v = list[i]
		if len(list) > i+1 && same(&list[i], &list[i+1]) {
			return i
		}
	}
	p.Put(v)
	return -1
}

func goodGenericFunction[T any](p *Pool[T], list []T, same func(*T, *T) bool) int {
	v := p.Get()
	defer p.Put(v)
	for i := range list {
		*v = list[i]
		if len(list) > i+1 && same(&list[i], &list[i+1]) {
			return i
		}
	}
	return -1
}

// with lends a value to f.
func with[T any](p *Pool[T], f func(*T) error) error {
	v := p.Get()
	defer p.Put(v)
	return f(v)
}

func goodLent(cells []string) error {
	return with(&rows, func(r *row) error {
		r.cells = append(r.cells[:0], cells...)
		return nil
	})
}

// A box owns its value until it is closed.
type box[T any] struct {
	pool *Pool[T]
	v    *T
}

func goodBox[T any](p *Pool[T]) *box[T] { return &box[T]{p, p.Get()} }

func badBox[T any](p *Pool[T]) *box[T] {
	v := p.Get() // want "is never put back"
	*v = *new(T)
	return &box[T]{pool: p}
}

// Close puts the value.
func (b *box[T]) Close() {
	b.pool.Put(b.v)
	b.v = nil
}
