package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

// Clone returns a shallow copy of v on the heap if v, a pointer, a slice or a
// string, is in memory of an arena; any other v is returned as it is. It is for
// a value that outlives its arena; [DeepClone] is for what it points to as
// well. Clone panics if T is of another kind.
func Clone[T any](v T) T {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.String:
		return cloneString(v)
	case reflect.Pointer, reflect.Slice:
		return cloneIndirect(v)
	}
	panic("arena: Clone of a " + reflect.TypeFor[T]().String() + ", which is neither a pointer nor a slice nor a string")
}

func cloneString[T any](v T) T {
	s := *(*string)(unsafe.Pointer(&v))
	if !inChunk(unsafe.Pointer(unsafe.StringData(s))) {
		return v
	}
	s = strings.Clone(s)
	return *(*T)(unsafe.Pointer(&s))
}

// cloneIndirect is Clone for a pointer or a slice.
func cloneIndirect[T any](v T) T {
	from := reflect.ValueOf(v)
	if !inChunk(from.UnsafePointer()) {
		return v
	}
	if from.Kind() == reflect.Pointer {
		to := reflect.New(from.Type().Elem())
		to.Elem().Set(from.Elem())
		return to.Convert(from.Type()).Interface().(T)
	}
	to := reflect.MakeSlice(from.Type(), from.Len(), from.Len())
	reflect.Copy(to, from)
	return to.Interface().(T)
}
