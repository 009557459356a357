package arenagrpc

import "unsafe"

// This file holds what the package does with package unsafe. TestUnsafe of package
// importrules pins that no other file imports it.

// A pointer is the address of a value of any type, which it keeps alive: of an arena or a
// pool for package untyped, of a message that is known by its address.
type pointer = unsafe.Pointer

// pointerTo returns the address of *p.
func pointerTo[T any](p *T) pointer { return unsafe.Pointer(p) }

// as returns the T at p, which package untyped has made.
func as[T any](p pointer) *T { return (*T)(p) }

// bytesAt returns the n bytes at p, which package untyped has made as many of.
func bytesAt(p pointer, n int) []byte { return unsafe.Slice((*byte)(p), n) }
