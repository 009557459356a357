package pools

import (
	"sync"

	"lessgc/pool"
)

// A request fills a size class: 64 bytes.
type request struct {
	id   uint64
	name string
	tags []string
	_    [16]byte
}

func newRequest() *request { return &request{tags: make([]string, 0, 4)} }

func (r *request) reset() {
	clear(r.tags)
	r.id, r.name, r.tags = 0, "", r.tags[:0]
}

// fill uses a request that is empty, or else spoils the checksum.
func (r *request) fill(i int) uint64 {
	r.id += uint64(i)
	r.tags = append(r.tags, "tag")
	return r.id + uint64(len(r.tags))
}

var (
	plainSync = sync.Pool{New: func() any { return new(request) }}
	plainPool pool.Pool[request]
	plainTwo  twoPools[request]
)

var getput = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := plainSync.Get().(*request)
			r.id = uint64(i)
			sum += r.id
			plainSync.Put(r)
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := plainPool.Get()
			r.id = uint64(i)
			sum += r.id
			plainPool.Put(r)
		}
		return sum
	}},
	{"twopools", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := plainTwo.Get()
			r.id = uint64(i)
			sum += r.id
			plainTwo.Put(r)
		}
		return sum
	}},
}

var (
	resetSync = sync.Pool{New: func() any { return newRequest() }}
	resetPool = pool.Pool[request]{New: newRequest, Reset: (*request).reset}
	resetTwo  twoPools[*request]
)

var reset = []impl{
	{"syncpool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := resetSync.Get().(*request)
			sum += r.fill(i)
			r.reset()
			resetSync.Put(r)
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := resetPool.Get()
			sum += r.fill(i)
			resetPool.Put(r)
		}
		return sum
	}},
	{"twopools", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			r := resetTwo.Get()
			if r == nil {
				r = newRequest()
			}
			sum += r.fill(i)
			r.reset()
			resetTwo.Put(r)
		}
		return sum
	}},
}

// with has the closure that a caller writes: it changes a variable outside.
var with = []impl{
	reset[0],
	{"syncfunc", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			withRequest(func(r *request) { sum += r.fill(i) })
		}
		return sum
	}},
	{"pool", func(from, n int) (sum uint64) {
		for i := from; i < from+n; i++ {
			resetPool.With(func(r *request) { sum += r.fill(i) })
		}
		return sum
	}},
}

// withRequest is the function that people write around a sync.Pool.
func withRequest(f func(*request)) {
	r := resetSync.Get().(*request)
	f(r)
	r.reset()
	resetSync.Put(r)
}

// twoPools keeps values behind pointers, which are used again for other values.
type twoPools[T any] struct{ full, empty sync.Pool }

func (p *twoPools[T]) Get() (v T) {
	if h, _ := p.full.Get().(*T); h != nil {
		v, *h = *h, v
		p.empty.Put(h)
	}
	return v
}

func (p *twoPools[T]) Put(v T) {
	h, _ := p.empty.Get().(*T)
	if h == nil {
		h = new(T)
	}
	*h = v
	p.full.Put(h)
}
