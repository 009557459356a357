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

// zeroSized is where copies of what has no size are.
var zeroSized struct{}

// makeArray returns the memory of a new slice of n elements of that type. The
// collector knows it as that, and so knows every pointer in it.
func makeArray(slice reflect.Type, n int) unsafe.Pointer {
	return reflect.MakeSlice(slice, n, n).UnsafePointer()
}
