package meant

import (
	"errors"
	"io"
	"sync"
)

// The pool ends with the function: where that returns, nothing is lost.
func goodOwnPool(r io.Reader, handle func([]byte)) error {
	pool := &sync.Pool{New: func() any { b := make([]byte, 1500); return &b }}
	for {
		b := pool.Get().(*[]byte)
		n, err := r.Read(*b)
		if err != nil {
			return err
		}
		go func() {
			defer pool.Put(b)
			handle((*b)[:n])
		}()
	}
}

func goodOwnPoolVariable(r io.Reader, handle func([]byte)) error {
	var pool sync.Pool
	pool.New = func() any { b := make([]byte, 1500); return &b }
	for {
		b := pool.Get().(*[]byte)
		n, err := r.Read(*b)
		if err != nil {
			return err
		}
		handle((*b)[:n])
		pool.Put(b)
	}
}

// An iteration that loses its block makes the next one take another.
func badOwnPoolIteration(r io.Reader, handle func([]byte)) error {
	var pool sync.Pool
	pool.New = func() any { b := make([]byte, 1500); return &b }
	for {
		b := pool.Get().(*[]byte) // want "b is not put back on the path"
		n, err := r.Read(*b)
		if errors.Is(err, io.ErrNoProgress) {
			continue
		}
		if err != nil {
			return err
		}
		handle((*b)[:n])
		pool.Put(b)
	}
}

type reading struct{ pool *sync.Pool }

// The pool is kept.
func (r *reading) badKeptPool(from io.Reader, handle func([]byte)) error {
	pool := &sync.Pool{New: func() any { b := make([]byte, 1500); return &b }}
	r.pool = pool
	for {
		b := pool.Get().(*[]byte) // want "b is not put back on the path"
		n, err := from.Read(*b)
		if err != nil {
			return err
		}
		handle((*b)[:n])
		pool.Put(b)
	}
}
