// Program std is written for the standard library's experimental package arena.
// TestStd runs it as it is, and with nothing but the import changed. It goes
// through what the release's own tests of arenas go through, and prints what it
// sees.
package main

import (
	"arena"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"
)

const chunkBytes = 8 << 20 // of the standard arena, on most systems

type (
	smallScalar     struct{ x uintptr }
	smallPointer    struct{ x *smallPointer }
	smallPointerMix struct {
		a *smallPointer
		b byte
		c *smallPointer
		d [11]byte
	}
	mediumScalarEven [8192]byte
	mediumScalarOdd  [3321]byte
	mediumPointers   [1023]*smallPointer
	largeScalar      [chunkBytes + 1]byte
	largePointer     [chunkBytes/8 + 1]*smallPointer
)

func main() {
	check("smoke", smoke)
	check("smoke large", smokeLarge)

	pointer := &smallPointer{new(smallPointer)}
	news("smallScalar", smallScalar{5})
	news("smallPointer", *pointer)
	news("smallPointerMix", smallPointerMix{pointer, 5, nil, [11]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}})
	news("mediumScalarEven", mediumScalarEven{121, 8191: 121})
	news("mediumScalarOdd", mediumScalarOdd{122, 3320: 122})
	news("mediumPointers", mediumPointers{pointer, 1022: pointer})
	news("largeScalar", largeScalar{123, chunkBytes: 123})
	news("largePointer", largePointer{pointer, chunkBytes / 8: pointer})
	slices("smallScalar", 25, smallScalar{12})
	slices("mediumPointers", 5, mediumPointers{1: pointer})
	slices("smallPointer", chunkBytes/int(unsafe.Sizeof(smallPointer{}))+1, *pointer)
	news("struct{}", struct{}{})
	slices("struct{}", 10, struct{}{})
	slices("int", 0, 0)
	check("len and cap", lenCap)

	check("liveness, freed", func() { liveness(true) })
	check("liveness, forgotten", func() { liveness(false) })
	check("clears pointer bits", clearsPointerBits)
	check("clone string", cloneString)
	check("clone pointer", clonePointer)
	check("clone slice", cloneSlice)
	check("clone panics", clonePanics)
}

// check runs f and prints how it ended.
func check(name string, f func()) {
	defer func() {
		if err := recover(); err != nil {
			fmt.Printf("%s: %v\n", name, err)
			return
		}
		fmt.Printf("%s: ok\n", name)
	}()
	f()
}

func must(ok bool, format string, args ...any) {
	if !ok {
		panic(fmt.Sprintf(format, args...))
	}
}

func smoke() {
	a := arena.NewArena()
	defer a.Free()
	arena.New[smallScalar](a).x = 1
	s := arena.MakeSlice[smallScalar](a, 99, 100)
	must(len(s) == 99 && cap(s) == 100, "len %d, cap %d", len(s), cap(s))
	s[1].x = 42
}

func smokeLarge() {
	a := arena.NewArena()
	defer a.Free()
	for range 10 * 64 {
		_ = arena.New[[1 << 20]byte](a)
	}
}

// news fills an arena with copies of value and looks at them.
func news[T comparable](name string, value T) {
	check("new "+name, func() {
		a := arena.NewArena()
		defer a.Free()
		n := 1
		if size := int(unsafe.Sizeof(value)); size > 0 && size < chunkBytes {
			n = min(chunkBytes/size, 100_000)
		}
		all := make([]*T, n)
		for i := range all {
			all[i] = arena.New[T](a)
			must(*all[i] == *new(T), "not zero")
			*all[i] = value
		}
		runtime.GC()
		for i, p := range all {
			must(*p == value, "object %d changed", i)
		}
	})
}

// slices is news for slices.
func slices[T comparable](name string, n int, value T) {
	check(fmt.Sprintf("slices of %d %s", n, name), func() {
		a := arena.NewArena()
		defer a.Free()
		all := make([][]T, 1+10_000/(n+1))
		for i := range all {
			all[i] = arena.MakeSlice[T](a, n, n)
			for j := range all[i] {
				must(all[i][j] == *new(T), "not zero")
				all[i][j] = value
			}
		}
		runtime.GC()
		for i, s := range all {
			must(len(s) == n, "slice %d of %d", i, len(s))
			for j, v := range s {
				must(v == value, "slice %d changed at %d", i, j)
			}
		}
	})
}

func lenCap() {
	a := arena.NewArena()
	defer a.Free()
	for _, bad := range [][2]int{{-1, 0}, {0, -1}, {2, 1}} {
		func() {
			defer func() { must(recover() != nil, "MakeSlice(%d, %d) does not panic", bad[0], bad[1]) }()
			arena.MakeSlice[int](a, bad[0], bad[1])
		}()
	}
}

// liveness checks that an arena keeps what its objects point to alive until it
// is freed, or collected, and not for longer.
func liveness(free bool) {
	a := arena.NewArena()
	for range 3 {
		arena.New[mediumPointers](a)
	}
	v := arena.New[smallPointerMix](a)
	var safe, finalized, early atomic.Bool
	v.c = &smallPointer{new(smallPointer)}
	runtime.SetFinalizer(v.c, func(*smallPointer) {
		early.Store(!safe.Load())
		finalized.Store(true)
	})
	runtime.GC()
	runtime.GC()
	for range chunkBytes / int(unsafe.Sizeof(mediumScalarEven{})) {
		arena.New[mediumScalarEven](a)
	}
	runtime.GC()
	runtime.GC()
	runtime.KeepAlive(v)
	v = nil
	safe.Store(true)
	if free {
		a.Free()
	}
	a = nil
	must(collected(&finalized), "not finalized")
	must(!early.Load(), "finalized while the arena was alive")
}

// collected reports whether a finalizer sets done in the next seconds.
func collected(done *atomic.Bool) bool {
	for range 500 {
		runtime.GC()
		if done.Load() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// clearsPointerBits checks that numbers are not taken for pointers where
// pointers were before.
func clearsPointerBits() {
	x := new([8 << 20]byte)
	xp := uintptr(unsafe.Pointer(&x[124]))
	var finalized atomic.Bool
	runtime.SetFinalizer(x, func(*[8 << 20]byte) { finalized.Store(true) })

	a := arena.NewArena()
	for range chunkBytes / 8 * 3 {
		arena.New[smallPointer](a)
	}
	a.Free()
	runtime.GC()
	runtime.GC()

	a = arena.NewArena()
	for range chunkBytes / 8 * 2 {
		*arena.New[smallScalar](a) = smallScalar{xp}
	}
	runtime.KeepAlive(x)
	x = nil
	must(collected(&finalized), "kept alive by a number")
	a.Free()
}

func cloneString() {
	a := arena.NewArena()
	defer a.Free()
	s := "abcdefghij"
	b := arena.MakeSlice[byte](a, len(s), len(s))
	copy(b, s)
	as := unsafe.String(&b[0], len(b))
	data := func(s string) *byte { return unsafe.StringData(s) }

	c := arena.Clone(as)
	must(data(c) != data(as) && c == as, "a string in the arena is not copied")
	sub := as[:5]
	c = arena.Clone(sub)
	must(data(c) != data(sub) && c == sub, "a part of a string in the arena is not copied")
	doubled := strings.Repeat(as, 2)
	must(data(arena.Clone(doubled)) == data(doubled), "a string on the heap is copied")
	must(data(arena.Clone(s)) == data(s), "a constant is copied")
}

func clonePointer() {
	a := arena.NewArena()
	defer a.Free()
	x := &smallScalar{1}
	must(arena.Clone(x) == x, "an object on the heap is copied")
	y := arena.New[smallScalar](a)
	y.x = 2
	z := arena.Clone(y)
	must(z != y && *z == *y, "an object in the arena is not copied")
	must(arena.Clone(z) == z, "the copy is not on the heap")
	var null *smallScalar
	must(arena.Clone(null) == nil, "nil is not nil")
}

func cloneSlice() {
	a := arena.NewArena()
	defer a.Free()
	b := arena.MakeSlice[int](a, 10, 12)
	for i := range b {
		b[i] = i
	}
	same := func(x, y []int) bool { return fmt.Sprint(x) == fmt.Sprint(y) }
	c := arena.Clone(b)
	must(&c[0] != &b[0] && same(b, c), "a slice in the arena is not copied")
	sub := b[5:8]
	c = arena.Clone(sub)
	must(&c[0] != &sub[0] && same(sub, c), "a part of a slice in the arena is not copied")
	heap := make([]int, 10)
	must(&arena.Clone(heap)[0] == &heap[0], "a slice on the heap is copied")
}

func clonePanics() {
	defer func() {
		_, ok := recover().(string)
		must(ok, "no panic with a string")
	}()
	arena.Clone(smallScalar{2})
}
