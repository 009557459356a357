package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

// This file holds what package arena does with package unsafe, apart from the
// few lines of slab.go and slice.go that turn an address into a *T. Each
// function names the rule it relies on; docs/memory-model.md has the tests.

// zeroSized is where every object without size lives. Go does not say that
// pointers to distinct ones differ.
var zeroSized struct{}

// An eface is how the runtime lays out an any: the type descriptor, then the
// data. Rule 1 of docs/memory-model.md.
type eface struct {
	typ  uintptr
	data unsafe.Pointer
}

// typeWord returns the address of the type descriptor of the dynamic type of
// p. Equal addresses mean equal types. The reverse need not hold, with plugins:
// the cost of that is a second slab.
func typeWord(p any) uintptr { return (*eface)(unsafe.Pointer(&p)).typ }

// A sliceHeader is a slice of any type, as the runtime lays it out.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// clearTyped zeroes n elements of type slice.Elem() at p, with the write
// barriers that pointers need while the collector marks. It uses h, which is on
// the heap, for what reflect would have to allocate.
func clearTyped(slice reflect.Type, h *sliceHeader, p unsafe.Pointer, n int) {
	*h = sliceHeader{p, n, n}
	reflect.NewAt(slice, unsafe.Pointer(h)).Elem().Clear()
	h.data = nil
}

// clearBytes zeroes n bytes without pointers at p.
func clearBytes(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }

// makeArray returns the memory of a new []T of n elements, T being the element of
// slice. The collector knows it as that, and so knows every pointer in it.
func makeArray(slice reflect.Type, n int) unsafe.Pointer {
	return reflect.MakeSlice(slice, n, n).UnsafePointer()
}

// makeRoom is makeArray for at least n elements, without an allocation besides,
// for which it uses h. It also returns how many elements there are: as many as
// the runtime would waste space for otherwise.
func makeRoom(slice reflect.Type, h *sliceHeader, n int) (unsafe.Pointer, int) {
	*h = sliceHeader{}
	reflect.NewAt(slice, unsafe.Pointer(h)).Elem().Grow(n)
	p, n := h.data, h.cap
	h.data = nil
	return p, n
}

// makeRaw returns memory for at least n > 0 bytes without pointers, and for how
// many. What is in it is undefined: it must be written before it is seen. It is
// the memory of a [strings.Builder], the one way to have some that is not
// zeroed; nobody else has the builder, so nobody else has what is behind its
// string.
func makeRaw(n int) (unsafe.Pointer, int) {
	var b strings.Builder
	b.Grow(n)
	n = b.Cap()
	b.WriteByte(0)
	return unsafe.Pointer(unsafe.StringData(b.String())), n
}
