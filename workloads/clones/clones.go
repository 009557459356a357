package clones

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"lessgc/arena"
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

	// join copies payload n times and joins the copies.
	join func(payload []byte, n int) []byte

	// one is join of one copy. It is nil if that is an ordinary clone.
	one func(payload []byte) []byte
}

// Strategies are all strategies of this build. The first is the reference.
var Strategies = slices.Concat([]Strategy{
	{Name: "heap", join: heap},
	{Name: "pool", join: pooled},
	{Name: "arena-recycle", join: inArena},
	{Name: "arena-safe", join: inSafe, one: oneInSafe},
}, arenas)

// Respond is one op: it returns a message of n copies of payload. The message
// shares no memory with payload and belongs to the caller. Respond panics if n
// is negative.
func (s Strategy) Respond(payload []byte, n int) []byte {
	switch {
	case n != 1:
		return s.join(payload, n)
	case s.one != nil:
		return s.one(payload)
	}
	return bytes.Clone(payload)
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

// recycled holds the memory of lists and copies. No string of an op is kept.
var recycled = arena.Pool{Policy: arena.RecycleAll}

// copies returns a list of n copies of payload in a.
func copies(a *arena.Arena, payload []byte, n int) [][]byte {
	parts := arena.MakeSlice[[]byte](a, n, n)
	for i := range parts {
		parts[i] = a.Bytes(payload)
	}
	return parts
}

func inArena(payload []byte, n int) []byte {
	a := recycled.Get()
	defer a.Free()
	return bytes.Join(copies(a, payload, n), nil)
}

// inSafe has the message in an arena too, one whose memory stays valid after
// Free for as long as someone holds it.
func inSafe(payload []byte, n int) []byte {
	a := recycled.Get()
	defer a.Free()
	safe := arena.NewArena()
	defer safe.Free()
	msg := arena.MakeSlice[byte](safe, 0, n*len(payload))
	for _, part := range copies(a, payload, n) {
		msg = append(msg, part...)
	}
	return msg
}

func oneInSafe(payload []byte) []byte {
	a := arena.NewArena()
	defer a.Free()
	return a.Bytes(payload)
}
