package pool

import "unsafe"

// This file holds what the package does with package unsafe, apart from the *T of
// Pool.Get, which has to fit into the inliner's budget. TestUnsafe of package
// importrules pins that.

// A pointer is the address of a value of any type, which it keeps alive.
type pointer = unsafe.Pointer

// pointerTo returns the address of *v.
func pointerTo[T any](v *T) pointer { return unsafe.Pointer(v) }

// sizeOf returns the size of a T, in bytes.
func sizeOf[T any]() uintptr { return unsafe.Sizeof(*new(T)) }

// memoryOf returns the memory of *v, padding included. It is for comparison and
// hashing: written bytes would need the write barriers of the pointers in T.
func memoryOf[T any](v *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(v)), sizeOf[T]()) }
