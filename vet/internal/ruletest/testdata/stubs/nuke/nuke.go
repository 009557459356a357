// Package nuke stands for the package of this name: it has the functions that the cases
// use, on the heap.
package nuke

import (
	"context"
	"unsafe"
)

// An Arena is made by NewMonotonicArena.
type Arena interface {
	Alloc(size, alignment uintptr) unsafe.Pointer
	Reset(release bool)
}

type heap struct{ kept [][]uint64 }

func (h *heap) Alloc(size, _ uintptr) unsafe.Pointer {
	words := make([]uint64, size/8+1)
	h.kept = append(h.kept, words)
	return unsafe.Pointer(unsafe.SliceData(words))
}

func (h *heap) Reset(bool) { h.kept = nil }

// NewMonotonicArena returns an empty arena.
func NewMonotonicArena(bufferSize, bufferCount int) Arena { return &heap{} }

// NewConcurrentArena returns a, locked.
func NewConcurrentArena(a Arena) Arena { return a }

// New returns a new T of a.
func New[T any](a Arena) *T {
	if a == nil {
		return new(T)
	}
	return (*T)(a.Alloc(unsafe.Sizeof(*new(T)), 8))
}

// MakeSlice returns a new slice of a.
func MakeSlice[T any](a Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	p := (*T)(a.Alloc(unsafe.Sizeof(*new(T))*uintptr(cap), 8))
	return unsafe.Slice(p, cap)[:len]
}

// SliceAppend appends data to s, in a.
func SliceAppend[T any](a Arena, s []T, data ...T) []T {
	to := MakeSlice[T](a, 0, len(s)+len(data))
	return append(append(to, s...), data...)
}

type key struct{}

// InjectContextArena returns a context with the arena.
func InjectContextArena(ctx context.Context, a Arena) context.Context {
	return context.WithValue(ctx, key{}, a)
}

// ExtractContextArena returns the arena of a context.
func ExtractContextArena(ctx context.Context) Arena {
	a, _ := ctx.Value(key{}).(Arena)
	return a
}
