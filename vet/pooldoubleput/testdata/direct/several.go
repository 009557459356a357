package direct

import (
	"io"
	"log"
)

// Each branch lacks its return.
func badTwoBranches(r io.Reader, limit int) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
	} else if n > limit {
		log.Print("too long")
		blocks.Put(bp)
	}
	blocks.Put(bp) // want "is put back twice, after line 14" "is put back twice, after line 17"
}

// Each branch puts what a deferred call puts as well.
func badTwoReturns(r io.Reader, limit int) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp) // want "when the function ends, after line 28" "when the function ends, after line 32"
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		return err
	}
	if n > limit {
		blocks.Put(bp)
		return io.ErrShortBuffer
	}
	return nil
}

// Both ends put it again.
func badTwoEnds(r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	_, err := r.Read(*bp)
	blocks.Put(bp)
	if err != nil {
		blocks.Put(bp) // want "is put back twice"
		return err
	}
	blocks.Put(bp) // want "is put back twice"
	return nil
}

// The third follows from the second.
func badThreeTimes(r io.Reader) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	r.Read(*bp)
	blocks.Put(bp)
	blocks.Put(bp) // want "is put back twice"
}

// Each branch puts it for itself.
func goodTwoBranches(r io.Reader, limit int) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
		return
	} else if n > limit {
		log.Print("too long")
		blocks.Put(bp)
		return
	}
	blocks.Put(bp)
}
