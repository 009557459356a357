// Package generics has pools with type parameters.
package generics

import "sync"

// A Pool keeps values of one type.
type Pool[T any] struct {
	pool sync.Pool
	made func() *T
}

// Get returns a value.
func (p *Pool[T]) Get() *T {
	if v, ok := p.pool.Get().(*T); ok {
		return v
	}
	return p.made()
}

// Put gives a value back.
func (p *Pool[T]) Put(v *T) { p.pool.Put(v) }

// A resetter can be emptied.
type resetter[T any] interface {
	*T
	Reset()
}

// A Cleaned pool keeps empty values.
type Cleaned[T any, P resetter[T]] struct{ pool sync.Pool }

// Get returns an empty value.
func (c *Cleaned[T, P]) Get() P {
	if v, ok := c.pool.Get().(P); ok {
		return v
	}
	return P(new(T))
}

// Put gives a value back.
func (c *Cleaned[T, P]) Put(v P) {
	v.Reset()
	c.pool.Put(v)
}

type query struct {
	text string
	args []any
}

func (q *query) Reset() { q.args = q.args[:0] }

func (q *query) bind(v any) { q.args = append(q.args, v) }

var (
	queries = Pool[query]{made: func() *query { return new(query) }}
	cleaned Cleaned[query, *query]
	numbers = Pool[[]int]{made: func() *[]int { return new([]int) }}
)

func badTypedPool(text string) int {
	q := queries.Get()
	q.text = text
	q.bind(1)
	queries.Put(q)
	return len(q.args) // want "is used after it was put back"
}

func goodTypedPool(text string) int {
	q := queries.Get()
	q.text = text
	q.bind(1)
	n := len(q.args)
	queries.Put(q)
	return n
}

func badCleanedPool(text string) {
	q := cleaned.Get()
	q.text = text
	cleaned.Put(q)
	q.bind(text) // want "is used after it was put back"
}

func goodCleanedPool(text string) {
	q := cleaned.Get()
	q.text = text
	q.bind(text)
	cleaned.Put(q)
}

func badSliceOfTypedPool(n int) int {
	p := numbers.Get()
	list := append((*p)[:0], n, n*n)
	*p = list
	numbers.Put(p)
	return list[1] // want "is used after it was put back"
}

func goodSliceOfTypedPool(n int) int {
	p := numbers.Get()
	list := append((*p)[:0], n, n*n)
	*p = list
	square := list[1]
	numbers.Put(p)
	return square
}

// with lends a value to f.
func with[T any](p *Pool[T], f func(*T)) {
	v := p.Get()
	defer p.Put(v)
	f(v)
}

func goodLent(text string) (n int) {
	with(&queries, func(q *query) {
		q.text = text
		n = len(q.args)
	})
	return n
}

// each runs f for n values, one after the other.
func badGenericFunction[T any](p *Pool[T], n int, f func(*T)) {
	for range n {
		v := p.Get()
		p.Put(v)
		f(v) // want "is used after it was put back"
	}
}

func goodGenericFunction[T any](p *Pool[T], n int, f func(*T)) {
	for range n {
		v := p.Get()
		f(v)
		p.Put(v)
	}
}

// A stack of values of which each is one of the pool's.
type stack[T any] struct {
	pool  *Pool[T]
	items []*T
}

func (s *stack[T]) goodPop() (value T) {
	last := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	value = *last
	s.pool.Put(last)
	return value
}

func (s *stack[T]) badPop() (value T) {
	last := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	s.pool.Put(last)
	return *last // want "is used after it was put back"
}
