package perhaps

import (
	"errors"
	"io"
	"sync"
)

var (
	blocks   = sync.Pool{New: func() any { return new([4096]byte) }}
	requests = sync.Pool{New: func() any { return new(request) }}
)

// A request keeps large inputs as they are, and copies small ones.
type request struct {
	small  [64]byte
	input  []byte
	pooled *[4096]byte
}

// takes reports whether the request has the block now.
func (r *request) takes(block *[4096]byte, n int) bool {
	if n < len(r.small) {
		r.input = r.small[:copy(r.small[:], block[:n])]
		return false
	}
	r.input, r.pooled = block[:n], block
	return true
}

var errSmall = errors.New("small")

// take fails if the request has no use for the block.
func (r *request) take(block *[4096]byte, n int) error {
	if n < len(r.small) {
		return errSmall
	}
	r.pooled = block
	return nil
}

// adopts does not tell by a result of its own, but hands on what take tells.
func adopts(r *request, block *[4096]byte, n int) error { return r.take(block, n) }

// always has the block in any case, whatever it returns.
func (r *request) always(block *[4096]byte, n int) bool {
	r.pooled = block
	return n > 0
}

func goodTakes(src io.Reader) (*request, error) {
	r := requests.Get().(*request)
	block := blocks.Get().(*[4096]byte)
	n, err := src.Read(block[:])
	if err != nil {
		requests.Put(r)
		blocks.Put(block)
		return nil, err
	}
	if !r.takes(block, n) {
		blocks.Put(block)
		block = nil
	}
	return r, nil
}

func goodTakesNew(block *[4096]byte, n int) *request {
	r := new(request)
	taken := r.takes(block, n)
	if !taken {
		blocks.Put(block)
	}
	return r
}

func goodTake(src io.Reader) *request {
	r := &request{}
	block := blocks.Get().(*[4096]byte)
	n, _ := src.Read(block[:])
	if err := r.take(block, n); err != nil {
		blocks.Put(block)
	}
	return r
}

func goodAdopts(src io.Reader) *request {
	r := &request{}
	block := blocks.Get().(*[4096]byte)
	n, _ := src.Read(block[:])
	if adopts(r, block, n) == errSmall {
		blocks.Put(block)
	}
	return r
}

func badAlways(src io.Reader) *request {
	r := &request{}
	block := blocks.Get().(*[4096]byte)
	n, _ := src.Read(block[:])
	if !r.always(block, n) {
		blocks.Put(block)
	}
	return r // want "the value returned aliases block"
}
