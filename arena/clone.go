package arena

import (
	"reflect"
	"strings"
)

// Clone returns a shallow copy of v, a pointer, a slice or a string, on the heap: for
// a value that outlives its arena. The capacity of a slice is its length; the copy of
// nil is nil. Clone panics if T is of another kind.
func Clone[T any](v T) T {
	switch t := reflect.TypeFor[T](); t.Kind() {
	case reflect.String:
		s := strings.Clone(*as[string](pointerTo(&v)))
		return *as[T](pointerTo(&s))
	case reflect.Pointer, reflect.Slice:
		return CloneIn(nil, v)
	default:
		panic("arena: Clone of a " + t.String() + ", which is neither a pointer nor a slice nor a string")
	}
}
