package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

// This file holds what package arena does with package unsafe, apart from slab.go
// and slice.go, whose generic functions have to fit into the inliner's budget as
// they are, and untyped.go, which lends slabs to other packages. TestUnsafe of package
// importrules pins that. Each function names the rule it relies on; docs/memory-model.md has the
// tests.

// A pointer is the address of memory of any type, which it keeps alive. Other files
// hold pointers and hand them on; what is there they read and write with the functions
// below.
type pointer = unsafe.Pointer

// wordSize is the size of a pointer, in bytes.
const wordSize = unsafe.Sizeof(uintptr(0))

// sizeOf returns the size of a T, in bytes.
func sizeOf[T any]() uintptr { return unsafe.Sizeof(*new(T)) }

// pointerTo returns the address of *p.
func pointerTo[T any](p *T) pointer { return unsafe.Pointer(p) }

// dataOf returns the address of the array of s.
func dataOf[T any](s []T) pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// plus returns the address n bytes behind p. Both are in the same chunk or at its end.
func plus[N int | uintptr](p pointer, n N) pointer { return unsafe.Add(p, n) }

// as returns the T at p. The caller guarantees that the memory is a T, or that it
// has no pointers and neither has T.
func as[T any](p pointer) *T { return (*T)(p) }

// sliceAt returns the n elements at p, with the guarantee of as.
func sliceAt[T any, N int | uintptr](p pointer, n N) []T { return unsafe.Slice((*T)(p), n) }

// textAt returns the n bytes at p as a string. Nobody changes them as long as the
// arena's policy promises that the string stays.
func textAt[N int | uintptr](p pointer, n N) string { return unsafe.String((*byte)(p), n) }

// textOf returns b as a string, for a callee that copies it.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s, which must not be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// zeroSized is the target of pointers to objects without size. Go does not guarantee that pointers to
// different objects of that kind differ.
var zeroSized struct{}

// An eface has the runtime's layout of an any: the type descriptor, then the data. Rule 1 of
// docs/memory-model.md.
type eface struct {
	typ  uintptr
	data unsafe.Pointer
}

// typeWord returns the address of the type descriptor of the dynamic type of
// p. Equal addresses mean equal types. The reverse need not hold, with plugins:
// the cost of that is a second slab.
func typeWord(p any) uintptr { return (*eface)(unsafe.Pointer(&p)).typ }

// An iface has the runtime's layout of an interface value with methods: the word that tells the type and its
// methods for this interface, then the data.
type iface struct {
	tab  uintptr
	data unsafe.Pointer
}

// makerWord returns the address of the method table of p: equal ones mean equal
// types, as with type words.
func makerWord(p maker) uintptr { return (*iface)(unsafe.Pointer(&p)).tab }

// reflectWord returns a number that stands for t: the address of its descriptor, which a
// reflect.Type is a pointer to, but odd. Even it is the word of a *T if t is *T.
func reflectWord(t reflect.Type) uintptr {
	return uintptr((*iface)(unsafe.Pointer(&t)).data) | 1
}

// A sliceHeader is a slice of any type, as the runtime lays it out.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// A room is a slice on the heap, and what reflect knows it as. To find that out
// anew each time would cost more than most uses.
type room struct {
	header sliceHeader
	view   reflect.Value
}

// empty returns the slice, of the given type, without an array.
func (r *room) empty(slice reflect.Type) reflect.Value {
	if !r.view.IsValid() {
		r.view = reflect.NewAt(slice, unsafe.Pointer(&r.header)).Elem()
	}
	r.header = sliceHeader{}
	return r.view
}

// clearWords zeroes n bytes of a chunk at p, whole words, with the write barriers that pointers need while
// the collector marks. Which of the words are pointers the runtime knows of the chunk: words that are none may
// have any value. Rule 9 of docs/memory-model.md.
func clearWords(p unsafe.Pointer, n uintptr) {
	clear(unsafe.Slice((*unsafe.Pointer)(p), n/unsafe.Sizeof(p)))
}

// clearBytes zeroes n bytes without pointers at p.
func clearBytes(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }

// makeArray returns the memory of a new []T of n elements, T being the element of
// slice. The collector knows it as that, and so knows every pointer in it.
func makeArray(slice reflect.Type, n int) unsafe.Pointer {
	return reflect.MakeSlice(slice, n, n).UnsafePointer()
}

// array returns the memory of a new []T of n elements, T being the type of info.
func (info *typeInfo) array(n int) unsafe.Pointer {
	if info.maker != nil {
		return info.maker.array(n)
	}
	return makeArray(info.slice, n)
}

// makeRoom is makeArray for at least n elements, without an allocation besides.
// It also returns how many elements there are: as many as the runtime would waste
// space for otherwise. It always gets the same type with r.
func makeRoom(slice reflect.Type, r *room, n int) (unsafe.Pointer, int) {
	r.empty(slice).Grow(n)
	p, n := r.header.data, r.header.cap
	r.header.data = nil
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
