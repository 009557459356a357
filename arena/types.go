package arena

import (
	"reflect"
	"sync"
)

// A typeInfo is what arenas know about an element type. There is one for the
// life of the process; it is never changed.
type typeInfo struct {
	elem     reflect.Type
	slice    reflect.Type // []elem
	size     uintptr      // of an element, in bytes
	pointers bool         // elem holds pointers that the collector follows
	locker   string       // the first type in elem that is not to be reused, or ""
}

var typeInfos sync.Map // type word of a *T -> *typeInfo

// infoOf returns what is known about T. The argument is a nil *T.
func infoOf(p any) *typeInfo {
	word := typeWord(p)
	if info, ok := typeInfos.Load(word); ok {
		return info.(*typeInfo)
	}
	elem := reflect.TypeOf(p).Elem()
	info, _ := typeInfos.LoadOrStore(word, &typeInfo{
		elem:     elem,
		slice:    reflect.SliceOf(elem),
		size:     elem.Size(),
		pointers: hasPointers(elem),
		locker:   findLocker(elem),
	})
	return info.(*typeInfo)
}

// hasPointers reports whether a value of type t holds pointers.
func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() == reflect.String || t.Kind() == reflect.UnsafePointer ||
		t.Kind() >= reflect.Chan && t.Kind() <= reflect.Slice
}

var lockerType = reflect.TypeFor[sync.Locker]()

// findLocker returns the name of the first type, in t or a part of it, that go
// vet's copylocks knows as one that must not be copied: one with Lock and
// Unlock on its pointer. Recycling would overwrite it while someone waits.
// The types of sync/atomic are left out: nobody waits for them.
func findLocker(t reflect.Type) string {
	if t.PkgPath() == "sync/atomic" {
		return ""
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(lockerType) {
		return t.String()
	}
	switch t.Kind() {
	case reflect.Array:
		if t.Len() > 0 { // [0]sync.Mutex only says: do not copy
			return findLocker(t.Elem())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if name := findLocker(t.Field(i).Type); name != "" {
				return name
			}
		}
	}
	return ""
}
