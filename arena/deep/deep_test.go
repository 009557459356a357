package deep

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

	"lessgc/arena"
	"lessgc/internal/alloctest"
	"lessgc/internal/checked"
	"lessgc/internal/panictest"
	"lessgc/internal/untyped"
)

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
	a := recycled()
	defer a.Free()
	last := arena.New[int](a)
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
		if i != n || c.n == nil || memoryOf(a)(unsafe.Pointer(c.n)) {
			t.Errorf("%d nodes, %p behind the last; want %d and a pointer to the heap", i, c.n, n)
		}
	}
	clone := Clone(first)
	if clone == first {
		t.Error("Clone did not copy")
	}
	check(clone)
	if got := Detach(a, first); got != first {
		t.Error("Detach moved an object on the heap")
	}
	check(first)
	for out := Clone(in); out != nil; out = out.(nest).in {
		in = in.(nest).in
	}
	if in != nil {
		t.Error("nested interface values are missing")
	}
}

func TestClonePlain(t *testing.T) {
	type point struct{ x, y int }
	x := 7
	check := func(got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%#v, want %#v", got, want)
		}
	}
	check(Clone(5), 5)
	check(Clone(point{1, 2}), point{1, 2})
	check(Clone("text"), "text")
	check(Clone(""), "")
	check(Clone([]byte(nil)), []byte(nil))
	check(Clone([]byte{}), []byte{})
	check(Clone([]byte("abc")), []byte("abc"))
	check(Clone([]point{{1, 2}}), []point{{1, 2}})
	check(Clone([]string{"a", ""}), []string{"a", ""})
	check(Clone((*point)(nil)), (*point)(nil))
	check(Clone(&point{3, 4}), &point{3, 4})
	check(Clone(&x), &x)
	check(Clone(map[string]int(nil)), map[string]int(nil))
	check(Clone(map[string]int{"a": 1}), map[string]int{"a": 1})
	check(Clone(any(nil)), any(nil))
	check(Clone(any(point{1, 2})), any(point{1, 2}))
	check(Clone(any("s")), any("s"))
	check(Clone([]any{1, "a", nil, &x, []int{1}}), []any{1, "a", nil, &x, []int{1}})
	check(Clone([2]*int{&x, nil}), [2]*int{&x, nil})
	check(*Clone(&struct{}{}), struct{}{})
	check(Clone([]struct{}{{}, {}}), []struct{}{{}, {}})
	check(Clone(make([]int, 2, 10)), make([]int, 2))

	s := make([]*int, 1, 5)
	if got := Clone(s); cap(got) != 1 {
		t.Errorf("capacity %d, want the length", cap(got))
	}
	b := []byte("bytes")
	if got := Clone(b); unsafe.SliceData(got) == unsafe.SliceData(b) {
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
	got := Clone(v)
	if got.typ != v.typ || got.loc != time.Local || got.now != v.now || got.handle != v.handle || got.raw != v.raw {
		t.Errorf("%+v, want %+v", got, v)
	}
	if got.err == io.EOF || got.err.Error() != "EOF" {
		t.Errorf("error %v: the same object, or another text", got.err)
	}
	if got.field != &got.n || got.inner != unsafe.Pointer(&got.n) {
		t.Error("pointers into the copied struct lead elsewhere")
	}

	a := recycled()
	defer a.Free()
	w := arena.New[all](a)
	*w = *v
	w.field, w.inner = &w.n, unsafe.Pointer(&w.n)
	in := memoryOf(a)
	if got := Detach(a, w); got.err != io.EOF || got.field != &got.n || got.inner != unsafe.Pointer(&got.n) || in(unsafe.Pointer(got)) {
		t.Errorf("Detach: %+v", got)
	}
}

func TestDeepRefuses(t *testing.T) {
	type guarded struct {
		_ sync.Mutex
		p *int
	}
	panictest.Must(t, "holds a sync.Mutex", func() { Clone(&guarded{}) })
	panictest.Must(t, "holds a sync.Mutex", func() { Clone(&sync.Mutex{}) })
	panictest.Must(t, "holds a sync.Mutex", func() { Clone([]any{1, &guarded{}}) })
	panictest.Must(t, "must not be copied", func() { Clone(&sync.Map{}) })
	panictest.Must(t, "must not be copied", func() { Clone(&sync.Pool{}) })

	x := new(int)
	words := []uintptr{1, 2, 3}
	over := struct {
		a []uintptr
		b []*int
	}{words, unsafe.Slice((**int)(unsafe.Pointer(&words[1])), 1)}
	over.b[0] = nil
	panictest.Must(t, "seen as", func() { Clone(over) })
	runtime.KeepAlive(x)

	g := &guarded{p: x}
	a := recycled()
	if got := Detach(a, g); got != g {
		t.Error("Detach moved an object on the heap")
	}
	loose := []unsafe.Pointer{unsafe.Pointer(arena.New[int](a))}
	kept := &chain{n: arena.New[int](a)}
	was := kept.n
	panictest.Must(t, "unsafe.Pointer into the arena", func() {
		Detach(a, struct {
			c *chain
			l []unsafe.Pointer
		}{kept, loose})
	})
	if kept.n != was {
		t.Error("a Detach that panicked changed something")
	}
	a.Free()
	panictest.Must(t, "after Free", func() { Detach(a, kept) })
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
	got := Clone(v)
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
	got := Clone(struct {
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
	got := Clone(struct {
		some []*chain
		far  **far
	}{all[:1], ptr(&far{all})})
	if long := (*got.far).all; &long[0] != &got.some[0] || long[3] == all[3] || *long[3] != (chain{}) {
		t.Error("what only the longer slice has was not copied")
	}
}

func ptr[T any](v T) *T { return &v }

func TestDeepAtomic(t *testing.T) {
	a := recycled()
	defer a.Free()
	type slot struct{ p, q atomic.Pointer[chain] }
	s := arena.New[slot](a)
	c := arena.New[chain](a)
	c.next = c
	s.p.Store(c)
	s.q.Store(c)
	for _, got := range []*slot{Clone(s), Detach(a, s)} {
		if p := got.p.Load(); p == c && a != nil || p.next != p || got.q.Load() != p || memoryOf(a)(unsafe.Pointer(p)) {
			t.Errorf("%+v, want a ring on the heap", p)
		}
	}
}

// TestDetachHeap checks what Detach does to objects that stay where they are.
func TestDetachHeap(t *testing.T) {
	a := recycled()
	defer a.Free()
	in, out := arena.New[int](a), new(int)
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
		who            **arena.Arena
	}{hidden, byKey, box, changes, stays, map[int]int{1: 1}, &a}
	dataOf := func(v any) unsafe.Pointer { return (*eface)(unsafe.Pointer(&v)).data }
	got := Detach(a, v)

	moved := got.hidden[:2][1]
	if moved == in || memoryOf(a)(unsafe.Pointer(moved)) || &got.hidden[0] != &hidden[0] {
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
	a, b := recycled(), recycled()
	defer a.Free()
	defer b.Free()
	v := []*int{arena.New[int](a), arena.New[int](a.Child()), arena.New[int](b)}
	got := Detach(a, append([]*int(nil), v...))
	if got[0] == v[0] || got[1] == v[1] || got[2] != v[2] {
		t.Errorf("%v, want only the first two moved from %v", got, v)
	}
	if s := "heap"; Detach(a, s) != s || Detach(nil, v)[0] != v[0] || Detach(&arena.Arena{}, v)[0] != v[0] {
		t.Error("moved though nothing is in the arena")
	}
}

// TestDeepAllocs pins that Clone of something flat is one allocation.
func TestDeepAllocs(t *testing.T) {
	skipAllocs(t)
	check := func(want int, f func()) {
		t.Helper()
		if got := alloctest.PerRun(t, f); got != want {
			t.Errorf("%d allocations, want %d", got, want)
		}
	}
	ints, text, point := make([]int, 100), strings.Repeat("x", 100), &[2]int{}
	sink := new(struct {
		ints  []int
		text  string
		point *[2]int
	})
	check(1, func() { sink.ints = Clone(ints) })
	check(1, func() { sink.text = Clone(text) })
	check(1, func() { sink.point = Clone(point) })
}

// skipAllocs skips tests of allocation counts in builds that change them.
func skipAllocs(t *testing.T) {
	t.Helper()
	if checked.Enabled {
		t.Skip("this build allocates more")
	}
}

// TestDetachLeavesOthers checks that objects of an arena before, in a chunk that
// this arena has now, are not moved.
func TestDetachLeavesOthers(t *testing.T) {
	if checked.Strict || checked.Race {
		t.Skip("the checked build uses no memory twice, a sync.Pool under the race detector not always")
	}
	type holder struct{ p *int }
	pool := &arena.Pool{Policy: arena.RecycleTyped}
	a := pool.Get()
	p := arena.New[int](a)
	b := pool.Get()
	defer a.Free()
	q := arena.New[int](b)
	if h := Detach(b, &holder{p}); h.p != p {
		t.Error("an object of another arena was moved")
	}
	if h := Detach(b, &holder{q}); h.p == q {
		t.Error("an object of the arena was not moved")
	}
	b.Free()
}

// TestDetachArenas checks that Detach takes away pointers to the arena, and no
// others, and does not look into arenas.
func TestDetachArenas(t *testing.T) {

	type value struct {
		own, other *arena.Arena
		x          *int
	}
	a, b := recycled(), recycled()
	defer b.Free()
	v := Detach(a, value{a, b, arena.New[int](a)})
	if v.own != nil || v.other != b || v.x == nil {
		t.Errorf("%+v", v)
	}
	a.Free()
}

// TestCloneOfTheRuntime checks what belongs to the runtime and must stay what
// it is.
func TestCloneOfTheRuntime(t *testing.T) {
	v := reflect.ValueOf(struct{ A, B int }{1, 2})
	if w := Clone(&v); w.Type() != v.Type() || w.Type().String() != v.Type().String() || w.Field(1).Int() != 2 {
		t.Errorf("%v", w)
	}
	pc, _, _, _ := runtime.Caller(0)
	f := runtime.FuncForPC(pc)
	type holder struct {
		f *runtime.Func
		n *int
	}
	if h := Clone(&holder{f, new(int)}); h.f != f || h.f.Name() != f.Name() {
		t.Errorf("%q, want %q", h.f.Name(), f.Name())
	}
	if g := Clone(f); g != f {
		t.Errorf("%p, want %p", g, f)
	}
	// All zero values that are in an interface may be at one address.
	empty := t.Name()[:0]
	zeros := []any{empty, reflect.Zero(reflect.TypeFor[[4]int]()).Interface(), []int(nil)}
	if w := Clone(zeros); !reflect.DeepEqual(w, zeros) {
		t.Errorf("%v", w)
	}
}

// TestCloneLocks checks that locks in maps are refused.
func TestCloneLocks(t *testing.T) {
	defer func() {
		if err, _ := recover().(string); !strings.Contains(err, "sync.Mutex") {
			t.Errorf("panic %q", err)
		}
	}()
	Clone(map[int]sync.Mutex{1: {}})
}

// TestDetachNestedInterfaces checks that Detach looks once at each interface value
// that holds another one, however deep they are nested.
func TestDetachNestedInterfaces(t *testing.T) {
	type box struct{ v any }
	for _, n := range []int{100, 32_000} {
		a := recycled()
		var root any = arena.New[int](a)
		*root.(*int) = 7
		for range n {
			root = box{root}
		}
		spans, arenas := untyped.Spans(unsafe.Pointer(a))
		w := newWalker(false, spans, arenas)
		p := planOf(reflect.TypeFor[any]())
		w.reach(unsafe.Pointer(&root), p)
		if looked := w.spreadMoves(); looked > n {
			t.Errorf("%d interface values in each other: Detach looked at %d", n, looked)
		}
		root = Detach(a, root)
		a.Free()
		for range n {
			root = root.(box).v
		}
		if got := *root.(*int); got != 7 {
			t.Errorf("%d interface values in each other: the innermost is %d", n, got)
		}
	}
}

// TestDetachFreed checks that an arena that was freed is refused, small ones too.
func TestDetachFreed(t *testing.T) {
	for _, policy := range []arena.Policy{arena.Safe, arena.RecycleTyped, arena.RecycleAll} {
		for _, fill := range []bool{false, true} {
			a := (&arena.Pool{Policy: policy}).Get()
			if fill {
				arena.MakeSlice[int](a, 10_000, 10_000)
			}
			a.Free()
			want := "after Free"
			if checked.Strict {
				want = "deep.Detach after Free"
			}
			panictest.Must(t, want, func() { Detach(a, new(int)) })
			panictest.Must(t, want, func() { Detach(a, &struct{ p *int }{}) })
		}
	}
}

// An opaque refers to a chain by a pointer without a type.
type opaque struct {
	p     unsafe.Pointer
	other unsafe.Pointer // not looked at
}

func init() {
	untyped.Opaques[reflect.TypeFor[opaque]()] = untyped.Opaque{
		Get: func(p unsafe.Pointer) (reflect.Type, int, unsafe.Pointer) {
			o := (*opaque)(p)
			if o.p == nil {
				return nil, 0, nil
			}
			return reflect.TypeFor[chain](), 1, o.p
		},
		Set: func(p, data unsafe.Pointer) { (*opaque)(p).p = data },
	}
}

// TestOpaque checks values of which only untyped.Opaques says what they refer to.
func TestOpaque(t *testing.T) {
	a := recycled()
	defer a.Free()
	type all struct {
		in, empty  opaque
		heap       opaque
		byNumber   map[int32]opaque
		boxed      any
		same       *chain
		list       []opaque
		unfollowed opaque
	}
	c := arena.New[chain](a)
	*c = chain{c, arena.New[int](a)}
	inside := opaque{p: unsafe.Pointer(c)}
	heap := &chain{c, nil}
	v := &all{
		inside, opaque{}, opaque{p: unsafe.Pointer(heap)}, map[int32]opaque{1: inside, 2: {}}, inside, c,
		[]opaque{inside}, opaque{other: unsafe.Pointer(c)},
	}
	in := memoryOf(a)
	boxed := v.boxed
	for name, got := range map[string]*all{"Clone": Clone(v), "Detach": Detach(a, v)} {
		moved := (*chain)(got.in.p)
		if in(got.in.p) || moved.next != moved || in(unsafe.Pointer(moved.n)) {
			t.Errorf("%s: %+v leads into the arena", name, moved)
		}
		if got.same != moved || got.byNumber[1] != got.in || got.boxed != any(got.in) || got.list[0] != got.in {
			t.Errorf("%s: not the same chain everywhere: %+v", name, got)
		}
		if got.empty.p != nil || got.byNumber[2].p != nil || got.unfollowed.other != unsafe.Pointer(c) {
			t.Errorf("%s: %+v", name, got)
		}
		if h := (*chain)(got.heap.p); (h == heap) != (name == "Detach") || h.next != moved {
			t.Errorf("%s: on the heap %+v", name, h)
		}
	}
	if boxed != any(inside) {
		t.Error("an interface value was changed in place")
	}
}
