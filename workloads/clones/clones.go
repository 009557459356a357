package clones

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
)

// A Row is one row of the published table.
type Row struct {
	Size   int // of the payload, in bytes
	Clones int // per op
}

// Rows are the published rows, in the published order.
var Rows = []Row{
	{256, 8},
	{1 << 10, 8},
	{4 << 10, 1},
	{4 << 10, 32},
}

// String returns the row as it appears in benchmark names.
func (r Row) String() string {
	return fmt.Sprintf("size=%d/clones=%d", r.Size, r.Clones)
}

// Payload returns a payload of r.Size bytes, the same one in every call.
func (r Row) Payload() []byte {
	p := make([]byte, r.Size)
	for i := range p {
		p[i] = byte(i * 31)
	}
	return p
}

// A Strategy decides where the copies of the payload live during an op.
type Strategy struct {
	Name string

	// join copies payload n times and joins the copies on the heap.
	join func(payload []byte, n int) []byte
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{"heap", heap},
	{"pool", pooled},
}, arenas)

// Respond is one op: it returns a message of n copies of payload. The message
// is on the heap, shares no memory with payload and belongs to the caller.
// Respond panics if n is negative.
func (s Strategy) Respond(payload []byte, n int) []byte {
	if n == 1 {
		return bytes.Clone(payload)
	}
	return s.join(payload, n)
}

func heap(payload []byte, n int) []byte {
	parts := make([][]byte, n)
	for i := range parts {
		parts[i] = bytes.Clone(payload)
	}
	return bytes.Join(parts, nil)
}

// scratch is the memory of one op: its list and, behind the list, the copies.
// Pooled as one object it costs one Get and one Put per op, not one per copy.
type scratch struct {
	parts [][]byte
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// pooled keeps whatever the largest op needed. That is fine for rows of at
// most 128 KiB; a service would bound what it puts back.
func pooled(payload []byte, n int) []byte {
	s := scratches.Get().(*scratch)
	if add := n - len(s.parts); add > 0 {
		s.parts = append(s.parts, make([][]byte, add)...)
	}
	parts := s.parts[:n]
	for i := range parts {
		parts[i] = append(parts[i][:0], payload...)
	}
	msg := bytes.Join(parts, nil)
	scratches.Put(s)
	return msg
}
