package untyped

import (
	"reflect"
	"sync"
)

// HasPointers reports whether a value of type t holds pointers.
func HasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && HasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if HasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() == reflect.String || t.Kind() == reflect.UnsafePointer ||
		t.Kind() >= reflect.Chan && t.Kind() <= reflect.Slice
}

var lockerType = reflect.TypeFor[sync.Locker]()

// Locker returns the name of the first type, in t or part of it, that go
// vet's copylocks knows as one that must not be copied: one with Lock and
// Unlock on its pointer. Recycling would overwrite it while someone waits.
// The types of sync/atomic are left out: nobody waits for them.
func Locker(t reflect.Type) string {
	if t.PkgPath() == "sync/atomic" {
		return ""
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(lockerType) {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Array:
		if t.Len() > 0 { // [0]sync.Mutex only says: do not copy
			return Locker(t.Elem())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if name := Locker(t.Field(i).Type); name != "" {
				return name
			}
		}
	}
	return ""
}
