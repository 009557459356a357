// Package multi has getters with several results, one of which releases the other.
package multi

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errLong = errors.New("too long")
)

func noRelease() {}

// summary: result 0: item of buffers, released by result 1
func get(n int) (b *bytes.Buffer, release func(), err error) {
	if n > 1000 {
		return nil, noRelease, errLong
	}
	b = buffers.Get().(*bytes.Buffer)
	b.Grow(n)
	return b, func() { buffers.Put(b) }, nil
}

func badGet(n int) (int, error) {
	b, release, err := get(n)
	if err != nil {
		return 0, err
	}
	release()
	return b.Len(), nil // want "b is used after it was put back"
}

func goodGet(n int) (int, error) {
	b, release, err := get(n)
	if err != nil {
		return 0, err
	}
	defer release()
	return b.Len(), nil
}

type page struct {
	data []byte
	pool *sync.Pool
}

func (p *page) free() { p.pool.Put(p) }

type pages struct{ pool sync.Pool }

// summary: p: held by result 0, held by result 1, used; result 0: item of pool, detached pool, released by result 1
func (p *pages) next() (*page, func()) {
	x := p.pool.Get().(*page)
	x.pool = &p.pool
	return x, x.free
}

func (p *pages) badNext(w io.Writer) {
	x, free := p.next()
	free()
	w.Write(x.data) // want "x is used after it was put back"
}

func (p *pages) goodNext(w io.Writer) {
	x, free := p.next()
	w.Write(x.data)
	free()
}

// Another getter hands on both.
//
// summary: result 0: item of buffers, released by result 1
func getSmall() (*bytes.Buffer, func(), error) {
	b, release, err := get(10)
	if err != nil {
		return nil, nil, err
	}
	b.Reset()
	return b, release, nil
}

func badSmall() (int, error) {
	b, release, err := getSmall()
	if err != nil {
		return 0, err
	}
	release()
	return b.Len(), nil // want "b is used after it was put back"
}

func goodSmall() (int, error) {
	b, release, err := getSmall()
	if err != nil {
		return 0, err
	}
	n := b.Len()
	release()
	return n, nil
}

// A function that does something else is none that releases.
func getCounted() (*bytes.Buffer, func() int) {
	b := buffers.Get().(*bytes.Buffer)
	return b, func() int { return b.Len() }
}

func goodCounted() int {
	b, count := getCounted()
	count()
	return b.Cap()
}

// Whether it is called is up to others.
func goodGiven(n int, later func(func())) (int, error) {
	b, release, err := get(n)
	if err != nil {
		return 0, err
	}
	later(release)
	return b.Len(), nil
}

func badClosure(n int) (int, error) {
	b, release, err := get(n)
	if err != nil {
		return 0, err
	}
	done := func() { release() }
	done()
	return b.Len(), nil // want "b is used after it was put back"
}

func goodClosure(n int) (int, error) {
	b, release, err := get(n)
	if err != nil {
		return 0, err
	}
	defer func() { release() }()
	return b.Len(), nil
}
