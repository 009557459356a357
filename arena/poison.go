package arena

import (
	"bytes"
	"reflect"
	"sync"
	"unsafe"
)

// poisonByte fills freed memory without pointers. In memory with pointers each
// pointer leads to a page that nobody may read, strings and slices are long and
// lead there, too, and all else is zero: a number that is no value of its type
// would do more than show the mistake.
const poisonByte = 0xDB

// poisonLen is the length of poisoned strings and slices.
const poisonLen = 1 << 20

var poisonBlock = bytes.Repeat([]byte{poisonByte}, 1<<10)

// faultPage is the address of memory that nobody may read or write, more than
// poisonLen bytes; or 0 where there is none. It is not of Go's heap, so the
// collector takes no notice of pointers to it.
var faultPage = sync.OnceValue(func() uintptr { return reserve(2 * poisonLen) })

var images sync.Map // reflect.Type -> []byte

// poisonOf returns what a poisoned value of type t looks like.
func poisonOf(t reflect.Type) []byte {
	if image, ok := images.Load(t); ok {
		return image.([]byte)
	}
	image := make([]byte, t.Size())
	if page := faultPage(); page != 0 {
		paint(image, t, page)
	}
	images.Store(t, image)
	return image
}

// paint makes image, which is zero, that of a poisoned value of type t.
func paint(image []byte, t reflect.Type, page uintptr) {
	word := func(i int, v uintptr) {
		*(*uintptr)(unsafe.Pointer(&image[i*int(unsafe.Sizeof(v))])) = v
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			paint(image[f.Offset:], f.Type, page)
		}
	case reflect.Array:
		for i := range t.Len() {
			paint(image[i*int(t.Elem().Size()):], t.Elem(), page)
		}
	case reflect.Slice:
		word(2, poisonLen)
		fallthrough
	case reflect.String:
		word(1, poisonLen)
		word(0, page)
	case reflect.Interface:
		word(1, page)
		word(0, page)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func:
		word(0, page)
	}
}

// poison makes n elements at p useless, which were zeroed.
func (info *typeInfo) poison(p unsafe.Pointer, n int) {
	image := poisonOf(info.elem)
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(p, i*len(image))), len(image)), image)
	}
}

// poisoned reports whether all of b, of elements of type info, is as poison left
// it.
func (info *typeInfo) poisoned(b []byte) bool {
	if !info.pointers {
		for _, v := range b {
			if v != poisonByte {
				return false
			}
		}
		return true
	}
	for image := poisonOf(info.elem); len(b) >= len(image) && len(b) > 0; b = b[len(image):] {
		if !bytes.Equal(b[:len(image)], image) {
			return false
		}
	}
	return true
}
