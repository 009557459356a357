package arena

import (
	"io"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unique"
	"unsafe"

	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
)

// mustPanic checks that f panics with a text that holds want.
func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text, ok := recover().(string); !ok || !strings.Contains(text, want) {
			t.Errorf("panic %q, want one with %q", text, want)
		}
	}()
	f()
	t.Errorf("no panic, want one with %q", want)
}

type chain struct {
	next *chain
	n    *int
}

// TestDeepLong pins that there is no recursion over the graph, which would need
// more stack than a goroutine is allowed here.
func TestDeepLong(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	n := 1_000_000
	if checked.Race { // slow, and far beyond that stack, too
		n = 100_000
	}
	a := NewArena()
	last := New[int](a)
	first := &chain{n: last}
	var in any
	for i := range n {
		first = &chain{next: first}
		if i%10 == 0 {
			in = nest{in}
		}
	}
	check := func(c *chain) {
		t.Helper()
		i := 0
		for ; c.next != nil; c = c.next {
			i++
		}
		if i != n || c.n == nil || staysInChunk(unsafe.Pointer(c.n)) {
			t.Errorf("%d nodes, %p behind the last; want %d and a pointer to the heap", i, c.n, n)
		}
	}
	clone := DeepClone(first)
	if clone == first {
		t.Error("DeepClone did not copy")
	}
	check(clone)
	if got := Detach(a, first); got != first {
		t.Error("Detach moved an object on the heap")
	}
	check(first)
	for out := DeepClone(in); out != nil; out = out.(nest).in {
		in = in.(nest).in
	}
	if in != nil {
		t.Error("nested interface values are missing")
	}
}

func TestDeepClonePlain(t *testing.T) {
	type point struct{ x, y int }
	x := 7
	check := func(got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%#v, want %#v", got, want)
		}
	}
	check(DeepClone(5), 5)
	check(DeepClone(point{1, 2}), point{1, 2})
	check(DeepClone("text"), "text")
	check(DeepClone(""), "")
	check(DeepClone([]byte(nil)), []byte(nil))
	check(DeepClone([]byte{}), []byte{})
	check(DeepClone([]byte("abc")), []byte("abc"))
	check(DeepClone([]point{{1, 2}}), []point{{1, 2}})
	check(DeepClone([]string{"a", ""}), []string{"a", ""})
	check(DeepClone((*point)(nil)), (*point)(nil))
	check(DeepClone(&point{3, 4}), &point{3, 4})
	check(DeepClone(&x), &x)
	check(DeepClone(map[string]int(nil)), map[string]int(nil))
	check(DeepClone(map[string]int{"a": 1}), map[string]int{"a": 1})
	check(DeepClone(any(nil)), any(nil))
	check(DeepClone(any(point{1, 2})), any(point{1, 2}))
	check(DeepClone(any("s")), any("s"))
	check(DeepClone([]any{1, "a", nil, &x, []int{1}}), []any{1, "a", nil, &x, []int{1}})
	check(DeepClone([2]*int{&x, nil}), [2]*int{&x, nil})
	check(*DeepClone(&struct{}{}), struct{}{})
	check(DeepClone([]struct{}{{}, {}}), []struct{}{{}, {}})
	check(DeepClone(make([]int, 2, 10)), make([]int, 2))

	s := make([]*int, 1, 5)
	if got := DeepClone(s); cap(got) != 1 {
		t.Errorf("capacity %d, want the length", cap(got))
	}
	b := []byte("bytes")
	if got := DeepClone(b); unsafe.SliceData(got) == unsafe.SliceData(b) {
		t.Error("bytes are shared with the original")
	}
}

// TestDeepIdentity checks what is the same in the copy, and what is not.
func TestDeepIdentity(t *testing.T) {
	type all struct {
		typ    reflect.Type
		loc    *time.Location
		now    time.Time
		handle unique.Handle[string]
		err    error
		raw    unsafe.Pointer
		inner  unsafe.Pointer
		field  *int
		n      int
	}
	n := 1
	v := &all{
		typ: reflect.TypeFor[int](), loc: time.Local, now: time.Now(), handle: unique.Make("x"),
		err: io.EOF, raw: unsafe.Pointer(&n), n: 5,
	}
	v.inner, v.field = unsafe.Pointer(&v.n), &v.n
	got := DeepClone(v)
	if got.typ != v.typ || got.loc != time.Local || got.now != v.now || got.handle != v.handle || got.raw != v.raw {
		t.Errorf("%+v, want %+v", got, v)
	}
	if got.err == io.EOF || got.err.Error() != "EOF" {
		t.Errorf("error %v: the same object, or another text", got.err)
	}
	if got.field != &got.n || got.inner != unsafe.Pointer(&got.n) {
		t.Error("pointers into the copied struct lead elsewhere")
	}

	a := NewArena()
	w := New[all](a)
	*w = *v
	w.field, w.inner = &w.n, unsafe.Pointer(&w.n)
	if got := Detach(a, w); got.err != io.EOF || got.field != &got.n || got.inner != unsafe.Pointer(&got.n) || staysInChunk(unsafe.Pointer(got)) {
		t.Errorf("Detach: %+v", got)
	}
}

func TestDeepRefuses(t *testing.T) {
	type guarded struct {
		_ sync.Mutex
		p *int
	}
	mustPanic(t, "holds a sync.Mutex", func() { DeepClone(&guarded{}) })
	mustPanic(t, "holds a sync.Mutex", func() { DeepClone(&sync.Mutex{}) })
	mustPanic(t, "holds a sync.Mutex", func() { DeepClone([]any{1, &guarded{}}) })
	mustPanic(t, "must not be copied", func() { DeepClone(&sync.Map{}) })
	mustPanic(t, "must not be copied", func() { DeepClone(&sync.Pool{}) })

	x := new(int)
	words := []uintptr{1, 2, 3}
	over := struct {
		a []uintptr
		b []*int
	}{words, unsafe.Slice((**int)(unsafe.Pointer(&words[1])), 1)}
	over.b[0] = nil
	mustPanic(t, "seen as", func() { DeepClone(over) })
	runtime.KeepAlive(x)

	g := &guarded{p: x}
	if got := Detach(NewArena(), g); got != g {
		t.Error("Detach moved an object on the heap")
	}
	if heapOnly {
		return
	}
	a := NewArena()
	ga := New[guarded](a)
	mustPanic(t, "holds a sync.Mutex", func() { Detach(a, ga) })
	loose := []unsafe.Pointer{unsafe.Pointer(New[int](a))}
	kept := &chain{n: New[int](a)}
	was := kept.n
	mustPanic(t, "unsafe.Pointer into the arena", func() {
		Detach(a, struct {
			c *chain
			l []unsafe.Pointer
		}{kept, loose})
	})
	if kept.n != was {
		t.Error("a Detach that panicked changed something")
	}
	a.Free()
	mustPanic(t, "after Free", func() { Detach(a, kept) })
}

// TestDeepOverlap checks ranges that overlap though their types differ.
func TestDeepOverlap(t *testing.T) {
	type view struct {
		words []uint64
		bytes []byte
		text  string
		arr   *[2]uint64
	}
	words := []uint64{0x4141414141414141, 0x4242424242424242, 0x4343434343434343}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 24)
	v := view{words[:2], bytes[3:24], unsafe.String(&bytes[14], 4), (*[2]uint64)(words[1:])}
	got := DeepClone(v)
	if got.text != "BBCC" || got.words[1] != words[1] || got.arr[1] != words[2] {
		t.Errorf("%+v, want %+v", got, v)
	}
	got.words[1] = 0
	if got.bytes[12] != 0 || got.arr[0] != 0 || uintptr(unsafe.Pointer(got.arr))%8 != 0 {
		t.Error("views of the same words are apart in the copy, or not aligned")
	}
}

// TestDeepOdd checks that words stay aligned if what is in front of them is not.
func TestDeepOdd(t *testing.T) {
	words := []uint64{1, 2, 3}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 24)
	got := DeepClone(struct {
		bytes []byte
		words []uint64
	}{bytes[3:12], words[1:]})
	if uintptr(unsafe.Pointer(&got.words[0]))%8 != 0 || got.words[1] != 3 || &got.bytes[5] != (*byte)(unsafe.Pointer(&got.words[0])) {
		t.Errorf("%v, not aligned or apart", got)
	}
}

// TestDeepLonger checks a slice that is found a second time, longer.
func TestDeepLonger(t *testing.T) {
	type far struct {
		all []*chain
	}
	all := []*chain{{}, {}, {}, {}}
	got := DeepClone(struct {
		some []*chain
		far  **far
	}{all[:1], ptr(&far{all})})
	if long := (*got.far).all; &long[0] != &got.some[0] || long[3] == all[3] || *long[3] != (chain{}) {
		t.Error("what only the longer slice has was not copied")
	}
}

func ptr[T any](v T) *T { return &v }

func TestDeepAtomic(t *testing.T) {
	a := NewArena()
	type slot struct{ p, q atomic.Pointer[chain] }
	s := New[slot](a)
	c := New[chain](a)
	c.next = c
	s.p.Store(c)
	s.q.Store(c)
	for _, got := range []*slot{DeepClone(s), Detach(a, s)} {
		if p := got.p.Load(); p == c && a != nil || p.next != p || got.q.Load() != p || staysInChunk(unsafe.Pointer(p)) {
			t.Errorf("%+v, want a ring on the heap", p)
		}
	}
}

// TestDeepContainers checks that what lives in an arena works on the heap.
func TestDeepContainers(t *testing.T) {
	type all struct {
		byRef  *Map[*chain, int]
		byAny  *Map[any, *chain]
		text   *Map[string, string]
		list   *List[*chain]
		build  *Builder
		chains []*chain
	}
	fill := func(a *Arena) *all {
		v := New[all](a)
		v.byRef, v.byAny, v.text = NewMap[*chain, int](a, 0), NewMap[any, *chain](a, 0), NewMap[string, string](a, 0)
		v.list, v.build = NewList[*chain](a), NewBuilder(a)
		for i := range 100 {
			c := New[chain](a)
			v.chains = Append(a, v.chains, c)
			v.byRef.Set(c, i)
			v.byAny.Set(c, c)
			v.text.Set(a.Sprintf("%d", i), a.Sprintf("v%d", i))
			v.list.PushBack(c)
			v.build.WriteByte('x')
		}
		v.byRef.Delete(v.chains[3])
		return v
	}
	check := func(v *all) {
		t.Helper()
		if path := inArena(reflect.ValueOf(&v).Elem()); path != "" {
			t.Errorf("%s is in the arena", path)
		}
		e := v.list.Front()
		for i, c := range v.chains {
			if n, ok := v.byRef.Get(c); i != 3 && n != i || ok != (i != 3) {
				t.Fatalf("%d: %d, %v", i, n, ok)
			}
			if got, _ := v.byAny.Get(c); got != c || e.Value != c {
				t.Fatalf("%d: another chain", i)
			}
			e = e.Next()
		}
		if s, _ := v.text.Get("17"); s != "v17" {
			t.Errorf("%q, want v17", s)
		}
		for i := range 1000 {
			v.byRef.Set(&chain{}, i)
			v.list.PushFront(nil)
			v.build.WriteByte('y')
		}
		if s := v.build.String(); v.byRef.Len() != 1099 || s != strings.Repeat("x", 100)+strings.Repeat("y", 1000) {
			t.Errorf("%d entries, %q", v.byRef.Len(), s)
		}
	}
	p := Pool{Policy: RecycleAll}
	a := p.Get()
	v := fill(a)
	clone, moved := DeepClone(v), Detach(a, v)
	a.Free()
	check(clone)
	check(moved)
}

// TestDetachHeap checks what Detach does to objects that stay where they are.
func TestDetachHeap(t *testing.T) {
	if heapOnly {
		t.Skip("there is no arena")
	}
	a := NewArena()
	in, out := New[int](a), new(int)
	hidden := append(make([]*int, 0, 4), out, in)[:1]
	nan := math.NaN()
	type key struct {
		f float64
		p *int
	}
	byKey := map[key]*int{{1, in}: in, {nan, in}: out, {nan, out}: in}
	var box any = boxed2{a: &thing{num: in}}
	changes := any(nest{[1]any{key{2, in}}})
	stays := any(nest{key{2, out}})
	others := map[any]int{changes: 1}
	v := struct {
		hidden         []*int
		byKey          map[key]*int
		box, box2, bx3 any
		kept           map[int]int
		who            **Arena
	}{hidden, byKey, box, changes, stays, map[int]int{1: 1}, &a}
	dataOf := func(v any) unsafe.Pointer { return (*eface)(unsafe.Pointer(&v)).data }
	got := Detach(a, v)

	moved := got.hidden[:2][1]
	if moved == in || staysInChunk(unsafe.Pointer(moved)) || &got.hidden[0] != &hidden[0] {
		t.Error("what a slice hides behind its length was not moved, or the slice was")
	}
	if len(byKey) != 3 || byKey[key{1, moved}] != moved {
		t.Errorf("map %v", byKey)
	}
	if got.box.(boxed2).a.num != moved || dataOf(got.box) != dataOf(box) {
		t.Error("an interface value with pointers to the heap only was replaced")
	}
	if got.box2 != any(nest{[1]any{key{2, moved}}}) || changes != any(nest{[1]any{key{2, in}}}) || others[changes] != 1 {
		t.Error("an interface value that others have was changed")
	}
	if dataOf(got.bx3) != dataOf(stays) {
		t.Error("an interface value was replaced though nothing in it moved")
	}
	if *got.who != a {
		t.Error("a variable that holds the arena was changed")
	}
}

// TestDetachChild checks that a child's memory is its parent's, and that other
// arenas' is not.
func TestDetachChild(t *testing.T) {
	if heapOnly {
		t.Skip("there is no arena")
	}
	a, b := NewArena(), NewArena()
	v := []*int{New[int](a), New[int](a.Child()), New[int](b)}
	got := Detach(a, append([]*int(nil), v...))
	if got[0] == v[0] || got[1] == v[1] || got[2] != v[2] {
		t.Errorf("%v, want only the first two moved from %v", got, v)
	}
	if s := "heap"; Detach(a, s) != s || Detach(nil, v)[0] != v[0] || Detach(&Arena{}, v)[0] != v[0] {
		t.Error("moved though nothing is in the arena")
	}
}

func TestCloneIn(t *testing.T) {
	type ints []int
	for _, a := range []*Arena{nil, NewArena()} {
		n := new(int)
		c := &chain{n: n}
		in := func(p unsafe.Pointer) bool { return a != nil && inChunk(p) || a == nil && !staysInChunk(p) }
		if got := CloneIn(a, c); got == c || *got != *c || !in(unsafe.Pointer(got)) {
			t.Errorf("pointer: %v", got)
		}
		s := make([]*int, 1, 3)
		s[0] = n
		if got := CloneIn(a, s); cap(got) != 1 || got[0] != n || &got[0] == &s[0] || !in(unsafe.Pointer(&got[0])) {
			t.Errorf("slice: %v", got)
		}
		if got := CloneIn(a, ints{1, 2}); !reflect.DeepEqual(got, ints{1, 2}) || !in(unsafe.Pointer(&got[0])) {
			t.Errorf("slice: %v", got)
		}
		if got := CloneIn(a, name("name")); got != "name" || !in(unsafe.Pointer(unsafe.StringData(string(got)))) {
			t.Errorf("string: %v", got)
		}
		if CloneIn(a, ints(nil)) != nil || CloneIn(a, ints{}) == nil || CloneIn(a, (*int)(nil)) != nil || CloneIn(a, "") != "" {
			t.Error("nil is not nil, or empty is not empty")
		}
		if *CloneIn(a, &struct{}{}) != struct{}{} {
			t.Error("unreachable")
		}
		mustPanic(t, "CloneIn of a map[int]int", func() { CloneIn(a, map[int]int{}) })
		a.Free()
	}
}

// TestDeepAllocs pins that DeepClone of something flat is one allocation, and
// CloneIn of it none.
func TestDeepAllocs(t *testing.T) {
	skipAllocs(t)
	check := func(want int, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != want {
			t.Errorf("%d allocations, want %d", got, want)
		}
	}
	ints, text, point, p := make([]int, 100), strings.Repeat("x", 100), &[2]int{}, Pool{Policy: RecycleAll}
	sink := new(struct {
		ints  []int
		text  string
		point *[2]int
		chain *chain
	})
	check(1, func() { sink.ints = DeepClone(ints) })
	check(1, func() { sink.text = DeepClone(text) })
	check(1, func() { sink.point = DeepClone(point) })
	c := &chain{n: new(int)}
	check(0, func() {
		a := p.Get()
		sink.ints, sink.text, sink.point, sink.chain = CloneIn(a, ints), CloneIn(a, text), CloneIn(a, point), CloneIn(a, c)
		a.Free()
	})
}

// skipAllocs skips tests of allocation counts in builds that change them.
func skipAllocs(t *testing.T) {
	t.Helper()
	if heapOnly || checked.Enabled {
		t.Skip("this build allocates more")
	}
}
