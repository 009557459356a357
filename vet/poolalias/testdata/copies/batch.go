package copies

import "sync"

type node struct{ next *node }

// A batch hands out its nodes one by one, as in github.com/cockroachdb/crlib.
type batch struct {
	nodes [8]node
	used  int8
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func goodBatch() *node {
	b := batches.Get().(*batch)
	n := &b.nodes[b.used]
	b.used++
	if int(b.used) < len(b.nodes) {
		batches.Put(b)
	}
	return n
}

// The next owner gets the same node.
func badBatch() *node {
	b := batches.Get().(*batch)
	n := &b.nodes[b.used]
	batches.Put(b)
	return n // want "the value returned aliases b"
}

// A slab is what is left of its memory.
type slab struct{ rest []byte }

var slabs = sync.Pool{New: func() any { return &slab{make([]byte, 1<<16)} }}

func goodSlab(n int) []byte {
	s := slabs.Get().(*slab)
	p := s.rest[:n:n]
	s.rest = s.rest[n:]
	slabs.Put(s)
	return p
}

func badSlab(n int) []byte {
	s := slabs.Get().(*slab)
	p := s.rest[:n:n]
	slabs.Put(s)
	return p // want "the value returned aliases s"
}

// A block knows how much of its memory was handed out.
type block struct {
	data []byte
	off  int
}

var blocks = sync.Pool{New: func() any { return &block{data: make([]byte, 1<<16)} }}

func goodBlock(n int) []byte {
	b := blocks.Get().(*block)
	p := b.data[b.off : b.off+n]
	b.off += n
	clear(p)
	blocks.Put(b)
	return p
}

// A scratch begins anew with each owner.
type scratch struct {
	data []byte
	off  int
}

var scratches = sync.Pool{New: func() any { return &scratch{data: make([]byte, 1<<16)} }}

func badScratch(n int) []byte {
	s := scratches.Get().(*scratch)
	s.off = 0
	p := s.data[s.off : s.off+n]
	s.off += n
	clear(p)
	scratches.Put(s)
	return p // want "the value returned aliases s"
}

// A reused scratch is emptied on its way back.
type reused struct {
	nodes [8]node
	used  int
}

var reusable = sync.Pool{New: func() any { return new(reused) }}

func (r *reused) release() {
	r.used = 0
	reusable.Put(r)
}

func badReused() *node {
	r := reusable.Get().(*reused)
	defer r.release()
	n := &r.nodes[r.used]
	r.used++
	return n // want "the value returned aliases r"
}
