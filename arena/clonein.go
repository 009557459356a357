package arena

import (
	"reflect"
)

// CloneIn returns a shallow copy of v, a pointer, a slice or a string, in a, or
// on the heap if a is nil. A slice has the capacity of its length. The copy of
// nil is nil. CloneIn panics if T is of another kind.
func CloneIn[T any](a *Arena, v T) T {
	t, p := reflect.TypeFor[T](), pointerTo(&v)
	switch t.Kind() {
	case reflect.String:
		s := a.String(*as[string](p))
		return *as[T](pointerTo(&s))
	case reflect.Pointer:
		if data := as[pointer](p); *data != nil {
			*data = copyIn(a, t.Elem(), *data, 1)
		}
		return v
	case reflect.Slice:
		if h := as[sliceHeader](p); h.data != nil {
			h.data, h.cap = copyIn(a, t.Elem(), h.data, h.len), h.len
		}
		return v
	}
	panic("arena: CloneIn of a " + t.String() + ", which is neither a pointer nor a slice nor a string")
}

// copyIn returns a copy in a of n values of type t at from.
func copyIn(a *Arena, t reflect.Type, from pointer, n int) pointer {
	if n == 0 || t.Size() == 0 {
		return pointerTo(&zeroSized)
	}
	if n == 1 {
		to := NewValue(a, t)
		to.Elem().Set(reflect.NewAt(t, from).Elem())
		return to.UnsafePointer()
	}
	var to pointer
	if a == nil || a.safe() {
		to = reflect.MakeSlice(reflect.SliceOf(t), n, n).UnsafePointer()
	} else {
		to = a.takeValues(t, n)
	}
	if info := infoOf(reflectWord(t), t); !info.pointers {
		size := uintptr(n) * info.size
		copy(sliceAt[byte](to, size), sliceAt[byte](from, size))
		return to
	}
	reflect.Copy(reflect.SliceAt(t, to, n), reflect.SliceAt(t, from, n))
	return to
}
