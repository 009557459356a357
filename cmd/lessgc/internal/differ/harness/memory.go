package harness

import (
	"reflect"
	"unsafe"
)

// A span is memory that a value leads to. Strings lead to memory that is not written.
type span struct {
	from, to uintptr
	written  bool
}

// mostSpans bounds the memory that is looked at of one value.
const mostSpans = 400

// A reach collects the memory that values lead to, with the capacity of slices. Objects on the heap do not move, and
// the values keep them alive.
type reach struct {
	spans []span
	seen  map[visit]bool
	nodes int
}

func spansOf(values []reflect.Value) []span {
	r := &reach{seen: map[visit]bool{}}
	for _, v := range values {
		r.value(addressable(v))
	}
	return r.spans
}

func (r *reach) add(from, size uintptr, written bool) {
	if size > 0 && from != 0 {
		r.spans = append(r.spans, span{from, from + size, written})
	}
}

func (r *reach) value(v reflect.Value) {
	r.nodes++
	if len(r.spans) > mostSpans || r.nodes > mostNodes || opaque(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		s := v.String()
		// The first word of a string is the address of its bytes: rule 1 of package unsafe.
		r.add((*[2]uintptr)(unsafe.Pointer(&s))[0], uintptr(len(s)), false)
	case reflect.Slice:
		r.add(v.Pointer(), uintptr(v.Cap())*v.Type().Elem().Size(), true)
		if r.first(v, v.Len()) {
			r.elements(v)
		}
	case reflect.Array:
		r.elements(v)
	case reflect.Map:
		r.add(v.Pointer(), 1, true)
		if !r.first(v, 0) {
			return
		}
		for m := v.MapRange(); m.Next(); {
			r.value(addressable(m.Key()))
			r.value(addressable(m.Value()))
		}
	case reflect.Ptr:
		if v.IsNil() || opaque(v.Type().Elem()) {
			return
		}
		r.add(v.Pointer(), v.Type().Elem().Size(), true)
		if r.first(v, 0) {
			r.value(v.Elem())
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			r.value(open(v.Field(i)))
		}
	case reflect.Interface:
		if !v.IsNil() {
			r.value(addressable(v.Elem()))
		}
	}
}

// first reports whether a reference is followed for the first time.
func (r *reach) first(v reflect.Value, n int) bool {
	at := visit{v.Pointer(), n, v.Type()}
	known := r.seen[at]
	r.seen[at] = true
	return !known && !v.IsNil()
}

func (r *reach) elements(v reflect.Value) {
	switch v.Type().Elem().Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Ptr, reflect.Struct, reflect.Array, reflect.Interface:
		for i := 0; i < v.Len(); i++ {
			r.value(v.Index(i))
		}
	}
}

// opaque reports whether memory of a type is not looked at: errors, and types of which there is one object for all.
func opaque(t reflect.Type) bool {
	switch typeName(t) {
	case "time.Location", "regexp.Regexp", "reflect.rtype", "internal/abi.Type", "os.File", "reflect.Value":
		return true
	}
	return t.Kind() != reflect.Interface && t.Implements(errorType) || passive[typeName(t)]
}

// shared counts the pairs of spans of two values that overlap, and one of which can be written.
func shared(a, b []span) (n int) {
	for _, x := range a {
		for _, y := range b {
			if x.from < y.to && y.from < x.to && (x.written || y.written) {
				n++
			}
		}
	}
	return n
}

// within counts the pairs of spans of one value that overlap.
func within(a []span) (n int) {
	for i, x := range a {
		n += shared([]span{x}, a[i+1:])
	}
	return n
}
