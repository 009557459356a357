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

// A Slices pool keeps slices.
type Slices[E any] struct{ pool sync.Pool }

// Get returns an empty slice behind a pointer.
func (p *Slices[E]) Get() *[]E {
	if v, ok := p.pool.Get().(*[]E); ok {
		*v = (*v)[:0]
		return v
	}
	return new([]E)
}

// Put gives a slice back.
func (p *Slices[E]) Put(v *[]E) { p.pool.Put(v) }

type query struct {
	args []string
	text string
}

var (
	queries Pool[query]
	words   Slices[string]
	latest  *query
)

func badTypedPool(arg string) []string {
	q := queries.Get()
	defer queries.Put(q)
	q.args = append(q.args[:0], arg)
	return q.args // want "which is put back"
}

func goodTypedPool(arg string) []string {
	q := queries.Get()
	defer queries.Put(q)
	q.args = append(q.args[:0], arg)
	return append([]string(nil), q.args...)
}

func badTypedPoolStored(text string) {
	q := queries.Get()
	defer queries.Put(q)
	q.text = text
	latest = q // want "which is put back"
}

func goodTypedPoolStored(text string) {
	q := queries.Get()
	defer queries.Put(q)
	q.text = text
	latest = &query{text: q.text}
}

func badSlices(split func(string) []string, text string) []string {
	p := words.Get()
	defer words.Put(p)
	*p = append(*p, split(text)...)
	return *p // want "which is put back"
}

func goodSlices(split func(string) []string, text string) []string {
	p := words.Get()
	defer words.Put(p)
	*p = append(*p, split(text)...)
	return append([]string{}, *p...)
}

// filter is one for slices of all types.
func badGenericFunction[E any](pool *Slices[E], list []E, keep func(E) bool) []E {
	p := pool.Get()
	defer pool.Put(p)
	for _, e := range list {
		if keep(e) {
			*p = append(*p, e)
		}
	}
	return *p // want "which is put back"
}

func goodGenericFunction[E any](pool *Slices[E], list []E, keep func(E) bool) []E {
	p := pool.Get()
	defer pool.Put(p)
	for _, e := range list {
		if keep(e) {
			*p = append(*p, e)
		}
	}
	return append(make([]E, 0, len(*p)), *p...)
}

// first returns part of its argument, whatever that is.
func first[E any](list []E, n int) []E { return list[:min(n, len(list))] }

func badThroughGenericFunction(text string, n int) []string {
	p := words.Get()
	defer words.Put(p)
	*p = append(*p, text, text)
	return first(*p, n) // want "which is put back"
}

func goodThroughGenericFunction(text string, n int) []string {
	p := words.Get()
	defer words.Put(p)
	*p = append(*p, text, text)
	return first([]string{text, text}, n)
}

// with lends a value to f and returns what f makes of it.
func with[T, R any](p *Pool[T], f func(*T) R) R {
	v := p.Get()
	defer p.Put(v)
	return f(v)
}

func goodLent(text string) int {
	return with(&queries, func(q *query) int {
		q.text = text
		return len(q.text)
	})
}

// A box owns its value until it is closed.
type box[T any] struct {
	pool *Pool[T]
	v    *T
}

func goodBox[T any](p *Pool[T]) *box[T] { return &box[T]{p, p.Get()} }

func badBox[T any](p *Pool[T]) *box[T] {
	v := p.Get()
	defer p.Put(v)
	return &box[T]{p, v} // want "which is put back"
}

// Close puts the value.
func (b *box[T]) Close() {
	b.pool.Put(b.v)
	b.v = nil
}
