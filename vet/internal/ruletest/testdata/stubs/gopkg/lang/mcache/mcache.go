// Package mcache has the part of github.com/bytedance/gopkg/lang/mcache that the cases use.
package mcache

import (
	"math/bits"
	"sync"
	"unsafe"
)

// caches have the first bytes of memory of 1<<index bytes.
var caches [46]sync.Pool

func init() {
	for i := range caches {
		caches[i].New = func() any { return unsafe.SliceData(make([]byte, 1<<i)) }
	}
}

// Malloc returns size bytes that are not cleared, of at least that capacity.
func Malloc(size int, capacity ...int) []byte {
	c := max(size, 1)
	if len(capacity) > 0 {
		c = max(c, capacity[0])
	}
	i := bits.Len(uint(c - 1))
	return unsafe.Slice(caches[i].Get().(*byte), 1<<i)[:size]
}

// Free gives buf back, if its capacity is one that Malloc gives.
func Free(buf []byte) {
	if size := uint(cap(buf)); bits.OnesCount(size) == 1 {
		caches[bits.Len(size)-1].Put(unsafe.SliceData(buf))
	}
}
