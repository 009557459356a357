package deep

import (
	"reflect"
	"unsafe"
)

// How the runtime lays values out: rule 18 of docs/memory-model.md.

// An eface is an interface value: a word that tells the type, then the data.
type eface struct {
	typ  uintptr
	data unsafe.Pointer
}

// A sliceHeader is a slice of any type.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// zeroSized is the target of pointers to copies without size.
var zeroSized struct{}

// makeArray returns the memory of a new slice of n elements of that type. The
// collector knows it as such, and so knows every pointer in it.
func makeArray(slice reflect.Type, n int) unsafe.Pointer {
	return reflect.MakeSlice(slice, n, n).UnsafePointer()
}

// A pointer is the address of a value of any type, which it keeps alive. Other files
// hold pointers and hand them on; what is there they read and write with the functions
// below. TestUnsafe of package importrules pins that no other file imports unsafe.
type pointer = unsafe.Pointer

// pointerTo returns the address of *p.
func pointerTo[T any](p *T) pointer { return unsafe.Pointer(p) }

// dataOf returns the address of the array of s.
func dataOf[T any](s []T) pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// plus returns the address n bytes behind p, in the same value.
func plus(p pointer, n uintptr) pointer { return unsafe.Add(p, n) }

// as returns the T at p. A plan says which type is there, and is made from what
// package reflect says of the type of the value that was to be copied.
func as[T any](p pointer) *T { return (*T)(p) }

// sliceAt returns the n elements at p, with the guarantee of as.
func sliceAt[T any](p pointer, n uintptr) []T { return unsafe.Slice((*T)(p), n) }
