package moved

import (
	"errors"
	"io"
	"sync"
)

var (
	takenBlocks = sync.Pool{New: func() any { return new([4096]byte) }}
	takers      = sync.Pool{New: func() any { return new(blockRequest) }}
)

// A blockRequest keeps large inputs as they are, and copies small ones.
type blockRequest struct {
	small  [64]byte
	input  []byte
	pooled *[4096]byte
}

// takes reports whether the request has the block now.
func (r *blockRequest) takes(block *[4096]byte, n int) bool {
	if n < len(r.small) {
		r.input = r.small[:copy(r.small[:], block[:n])]
		return false
	}
	r.input, r.pooled = block[:n], block
	return true
}

var errSmall = errors.New("small")

// take fails if the request has no use for the block.
func (r *blockRequest) take(block *[4096]byte, n int) error {
	if n < len(r.small) {
		return errSmall
	}
	r.pooled = block
	return nil
}

func badTakes(src io.Reader) (*blockRequest, error) {
	r := takers.Get().(*blockRequest)
	block := takenBlocks.Get().(*[4096]byte) // want "block is not put back on the path to line 48"
	n, err := src.Read(block[:])
	if err != nil {
		takers.Put(r)
		return nil, err
	}
	if !r.takes(block, n) {
		takenBlocks.Put(block)
	}
	return r, nil
}

func badTake(src io.Reader) (*blockRequest, error) {
	r := &blockRequest{}
	block := takenBlocks.Get().(*[4096]byte) // want "block is not put back on the path to line 61"
	n, _ := src.Read(block[:])
	if !r.takes(block, n) {
		return nil, errSmall
	}
	return r, nil
}

func goodTakes(src io.Reader) (*blockRequest, error) {
	r := takers.Get().(*blockRequest)
	block := takenBlocks.Get().(*[4096]byte)
	n, err := src.Read(block[:])
	if err != nil {
		takers.Put(r)
		takenBlocks.Put(block)
		return nil, err
	}
	if !r.takes(block, n) {
		takenBlocks.Put(block)
		block = nil
	}
	return r, nil
}

func goodTake(src io.Reader) (*blockRequest, error) {
	r := &blockRequest{}
	block := takenBlocks.Get().(*[4096]byte)
	n, _ := src.Read(block[:])
	if err := r.take(block, n); err != nil {
		takenBlocks.Put(block)
		return nil, err
	}
	return r, nil
}

// keeps has the block in any case, whatever it returns.
func (r *blockRequest) keeps(block *[4096]byte, n int) bool {
	r.pooled = block
	return n > 0
}

func goodKeeps(src io.Reader) *blockRequest {
	r := &blockRequest{}
	block := takenBlocks.Get().(*[4096]byte)
	n, _ := src.Read(block[:])
	if !r.keeps(block, n) {
		return nil
	}
	return r
}
