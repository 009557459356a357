package arena

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

// TestNewValue checks that values whose type is only known at run time are as those of
// New: zero, of their type, apart from each other, and kept alive as long as they should.
func TestNewValue(t *testing.T) {
	types := []reflect.Type{
		reflect.TypeFor[node](), reflect.TypeFor[*node](), reflect.TypeFor[int](), reflect.TypeFor[struct{}](),
		reflect.TypeFor[[3]string](), reflect.TypeFor[any](), reflect.TypeFor[**node](), reflect.TypeFor[bool](),
	}
	for _, a := range []*Arena{nil, NewArena(), new(Arena), (&Pool{Policy: RecycleTyped}).Get(), recycled(), poolOf(audited).Get()} {
		seen := map[unsafe.Pointer]bool{}
		var checks []func()
		for i := range 1000 {
			typ := types[i%len(types)]
			v := NewValue(a, typ)
			if v.Type() != reflect.PointerTo(typ) || !v.Elem().IsZero() {
				t.Fatalf("%v: %v", typ, v)
			}
			if typ.Size() > 0 && seen[v.UnsafePointer()] {
				t.Fatalf("%v: handed out twice", typ)
			}
			seen[v.UnsafePointer()] = true
			switch p := v.Interface().(type) {
			case *node:
				p.list = new(int)
				*p.list = i
				checks = append(checks, func() {
					if *p.list != i {
						t.Errorf("%d, want %d", *p.list, i)
					}
				})
			case *int:
				*p = i
			case *[3]string:
				p[2] = "x"
			case **node:
				*p = New[node](a)
			}
			s := MakeSliceValue(a, reflect.SliceOf(typ), i%5, i%7+5)
			if s.Len() != i%5 || s.Cap() != i%7+5 || s.Type().Elem() != typ {
				t.Fatalf("%v of length %d and capacity %d", s.Type(), s.Len(), s.Cap())
			}
			for j := range s.Cap() {
				if !s.Slice(0, s.Cap()).Index(j).IsZero() {
					t.Fatalf("%v: not zero", s.Type())
				}
			}
		}
		runtime.GC()
		for _, check := range checks {
			check()
		}
		a.Free()
	}
	refused(t, "not a slice", "not a slice", func() { MakeSliceValue(nil, reflect.TypeFor[int](), 1, 1) })
	refused(t, "length", "out of range", func() { MakeSliceValue(nil, reflect.TypeFor[[]int](), 2, 1) })
	a := recycled()
	a.Free()
	refused(t, "freed", "after Free", func() { NewValue(a, reflect.TypeFor[int]()) })
}

// TestTrim checks that Trim lets go of what idle arenas keep, and that the pool works on.
func TestTrim(t *testing.T) {
	needsReuse(t)
	p := &Pool{Policy: RecycleAll}
	var open []*Arena
	for range 10 {
		a := p.Get()
		MakeSlice[byte](a, 1<<20, 1<<20)
		open = append(open, a)
	}
	for _, a := range open {
		a.Free()
	}
	if s := p.Stats(); s.Kept < 5<<20 || s.Peak < 1<<20 || s.Peak > 2<<20 {
		t.Errorf("before Trim: %+v", s)
	}
	p.Trim()
	if s := p.Stats(); s.Kept > int64(runtime.GOMAXPROCS(0))<<21 {
		t.Errorf("after Trim: %+v", s)
	}
	a := p.Get()
	if *New[int](a) != 0 {
		t.Error("not zero")
	}
	a.Free()
}
