// Package arena stands for the package of this name: it has the functions that the cases
// use, on the heap.
package arena

import (
	"context"
	"unsafe"
)

// An Arena is made by NewMonotonicArena.
type Arena interface {
	Alloc(size, alignment uintptr) unsafe.Pointer
	Reset()
	Release()
	Len() int
	Cap() int
	Peak() int
}

type heap struct{ kept [][]uint64 }

func (h *heap) Alloc(size, _ uintptr) unsafe.Pointer {
	words := make([]uint64, size/8+1)
	h.kept = append(h.kept, words)
	return unsafe.Pointer(unsafe.SliceData(words))
}

func (h *heap) Reset()    { h.kept = nil }
func (h *heap) Release()  { h.kept = nil }
func (h *heap) Len() int  { return len(h.kept) }
func (h *heap) Cap() int  { return cap(h.kept) }
func (h *heap) Peak() int { return cap(h.kept) }

// A MonotonicArenaOption is an option of NewMonotonicArena.
type MonotonicArenaOption func(*heap)

// NewMonotonicArena returns an empty arena.
func NewMonotonicArena(opts ...MonotonicArenaOption) Arena { return &heap{} }

// NewConcurrentArena returns a, locked.
func NewConcurrentArena(a Arena) Arena { return a }

// Allocate returns a new T of a.
func Allocate[T any](a Arena) *T {
	if a == nil {
		return new(T)
	}
	return (*T)(a.Alloc(unsafe.Sizeof(*new(T)), 8))
}

// AllocateSlice returns a new slice of a.
func AllocateSlice[T any](a Arena, len, cap int) []T {
	if a == nil {
		return make([]T, len, cap)
	}
	p := (*T)(a.Alloc(unsafe.Sizeof(*new(T))*uintptr(cap), 8))
	return unsafe.Slice(p, cap)[:len]
}

// SliceAppend appends data to s, in a.
func SliceAppend[T any](a Arena, s []T, data ...T) []T {
	to := AllocateSlice[T](a, 0, len(s)+len(data))
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
