//go:build goexperiment.arenas

// Package off uses memory of package z, and arenas whose memory is scanned.
package off

import (
	"arena"
	"fmt"
	"unsafe"

	"github.com/dgraph-io/ristretto/v2/z"
	ours "lessgc/arena"
)

type pair struct {
	key, value []byte
	version    uint64
	meta       *string
}

const size = int(unsafe.Sizeof(pair{}))

func newPair(a *z.Allocator) *pair {
	b := a.AllocateAligned(size)
	return (*pair)(unsafe.Pointer(&b[0]))
}

func badPair(a *z.Allocator, key string) *pair {
	p := newPair(a)
	p.key = []byte(key) // want `a slice is stored in memory of z.Allocator.AllocateAligned`
	return p
}

func goodPair(a *z.Allocator, key string) *pair {
	p := newPair(a)
	p.key = a.Copy([]byte(key))
	return p
}

func badCalloc(n int) []*pair {
	b := z.Calloc(n*8, "pairs")
	all := unsafe.Slice((**pair)(unsafe.Pointer(unsafe.SliceData(b))), n)
	for i := range all {
		all[i] = new(pair) // want `a pointer is stored in memory of z.Calloc`
	}
	return all
}

func goodCalloc(n int) []uint64 {
	b := z.Calloc(n*8, "numbers")
	all := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), n)
	for i := range all {
		all[i] = uint64(i)
	}
	return all
}

func badMeta(a *z.Allocator, n int) *pair {
	p := newPair(a)
	s := fmt.Sprint(n)
	p.meta = &s // want `a pointer is stored in memory of z.Allocator.AllocateAligned`
	return p
}

func goodStd(n int) string {
	a := arena.NewArena()
	defer a.Free()
	p := arena.New[pair](a)
	s := fmt.Sprint(n)
	p.meta = &s
	return s
}

func goodOurs(n int) string {
	a := ours.NewArena()
	defer a.Free()
	p := ours.New[pair](a)
	s := fmt.Sprint(n)
	p.meta = &s
	p.key = ours.MakeSlice[byte](a, n, n)
	return s
}
