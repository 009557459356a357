package parts

import (
	"crypto/sha256"
	"hash"
	"sync"
)

var digests = sync.Pool{New: func() any { return sha256.New() }}

// A digest has something from a pool of which only an interface is known.
type digest struct{ h hash.Hash }

func newDigest() *digest { return &digest{digests.Get().(hash.Hash)} }

func (d *digest) Close() { digests.Put(d.h) }

func (d *digest) Sum(p []byte) []byte {
	d.h.Write(p)
	return d.h.Sum(nil)
}

func badSum(p []byte) []byte {
	d := newDigest()
	d.Close()
	return d.Sum(p) // want "d.h is used after it was put back"
}

func goodSum(p []byte) []byte {
	d := newDigest()
	sum := d.Sum(p)
	d.Close()
	return sum
}
