package arena

import (
	"reflect"
)

// NewValue returns a Value that is a pointer to a new zero value of type t in a, or on
// the heap if a is nil: what New is for a type that is only known at run time, and
// reflect.New for the heap. A safe arena has it on the heap: to make several at once by
// reflection saves nothing. Values of one type from NewValue and from New lie apart.
func NewValue(a *Arena, t reflect.Type) reflect.Value {
	if a == nil || a.safe() {
		return reflect.New(t)
	}
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return NewValue(&sh.arena, t)
	}
	s := st.slab(reflectWord(t), t)
	if s.off <= s.lo {
		s.growFor(st)
	}
	s.off -= s.size
	return reflect.NewAt(t, plus(s.chunk, s.off))
}

// MakeSliceValue returns a zeroed slice of type t, as reflect.MakeSlice does, in a, or on
// the heap if a is nil or safe. It panics if t is not the type of a slice, or as MakeSlice
// does.
func MakeSliceValue(a *Arena, t reflect.Type, len, cap int) reflect.Value {
	if t.Kind() != reflect.Slice {
		panic("arena: MakeSliceValue of a " + t.String() + ", which is not a slice")
	}
	checkLenCap(len, cap)
	if a == nil || a.safe() {
		return reflect.MakeSlice(t, len, cap)
	}
	v := reflect.New(t)
	*as[sliceHeader](v.UnsafePointer()) = sliceHeader{a.takeValues(t.Elem(), cap), len, cap}
	return v.Elem()
}

// takeValues returns zeroed memory for n values of type t in a, which has a state or
// gets one.
func (a *Arena) takeValues(t reflect.Type, n int) pointer {
	st := a.state()
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.takeValues(t, n)
	}
	return st.slab(reflectWord(t), t).takeSlice(n)
}
