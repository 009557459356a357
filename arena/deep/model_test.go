package deep

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A thing has every kind of reference that Clone follows.
type thing struct {
	id     int
	next   *thing
	list   []thing
	refs   []*thing
	arr    [3]leaf
	parts  []leaf
	one    *leaf
	three  *[3]leaf
	num    *int
	name   string
	raw    []byte
	byName map[string]*thing
	byRef  map[*thing]string
	byAny  map[any]leaf
	what   any
	some   fmt.Stringer
	nested [2][2]*thing
	call   func() int
	ch     chan *thing
	tail   struct{}
}

type leaf struct {
	n    int
	back *thing
}

type holder struct{ t *thing }    // pointer-shaped in an interface
type boxed2 struct{ a, b *thing } // behind a pointer in an interface
type nest struct{ in any }        // an interface in an interface
type name string                  // with a method
func (s name) String() string     { return string(s) }
func (t *thing) String() string   { return t.name }
func (b boxed2) String() string   { return b.a.name + b.b.name }

// graph returns n things that refer to each other at random. Those for which
// place is true are in a, with what they own.
func graph(rnd *rand.Rand, a *arena.Arena, n int, place func() bool) []*thing {
	where := make([]*arena.Arena, 0, n)
	var all []*thing
	for len(all) < n {
		var in *arena.Arena
		if place() {
			in = a
		}
		if rnd.IntN(3) == 0 {
			s := arena.MakeSlice[thing](in, 4, 4+rnd.IntN(3))
			for i := range s {
				all, where = append(all, &s[i]), append(where, in)
			}
			s[0].list = s[rnd.IntN(3):][:rnd.IntN(2)]
			s[1].list = s[1:4]
			continue
		}
		all, where = append(all, arena.New[thing](in)), append(where, in)
	}
	text := a.String("the quick brown fox jumps over the lazy dog")
	bytes := arena.MakeSlice[byte](a, 30, 40)
	leaves := arena.MakeSlice[leaf](a, 12, 20)
	pick := func() *thing { return all[rnd.IntN(len(all))] }
	for i := range leaves {
		leaves[i] = leaf{i, pick()}
	}
	for _, t := range all {
		t.three = &pick().arr
	}
	for i, t := range all {
		in := where[i]
		t.id = i
		t.next = pick()
		t.one = &pick().arr[rnd.IntN(3)]
		t.num = &pick().arr[1].n
		from := rnd.IntN(20)
		t.name = text[from : from+rnd.IntN(20)]
		t.raw = bytes[from : from+rnd.IntN(10)]
		from = rnd.IntN(6)
		t.parts = leaves[from:][:rnd.IntN(6)]
		t.refs = arena.Append(in, nil, all[:min(rnd.IntN(5), len(all))]...)
		t.arr[2] = leaf{i, pick()}
		t.nested[rnd.IntN(2)][rnd.IntN(2)] = pick()
		if rnd.IntN(2) == 0 {
			t.byName = map[string]*thing{text[1:4]: pick(), "x": t}
			t.byRef = map[*thing]string{pick(): text[3:9], pick(): "y"}
			t.byAny = map[any]leaf{boxed2{pick(), t}: {1, pick()}, holder{pick()}: {2, t}, text[2:5]: {3, nil}}
			pick().byRef = t.byRef
		}
		t.call, t.ch = func() int { return 1 }, make(chan *thing)
		t.some = []fmt.Stringer{nil, pick(), boxed2{pick(), pick()}, name(text[4:9])}[rnd.IntN(4)]
		t.what = []any{nil, 7, 300 + i, pick(), *pick().three, holder{pick()}, boxed2{pick(), t}, nest{nest{boxed2{t, pick()}}},
			nest{&pick().arr}, text[5:7], t.refs, t.byRef, [1]*thing{t}, [2]*int{&pick().id, nil}, pick().what, leaves[2:5]}[rnd.IntN(16)]
	}
	return all
}

// A pairing checks that two graphs have the same shape: it maps each byte that
// one of them refers to to a byte of the other, one to one.
type pairing struct {
	t          *testing.T
	to, from   map[uintptr]uintptr
	seen       map[pairKey]bool
	maps       [][2]reflect.Value
	apart      bool // no byte of one graph may be in the other
	failed     bool
	same, gone int // ranges at the same address, and at another
}

type pairKey struct {
	x, y uintptr
	t    reflect.Type
	n    int
}

func comparePair[T any](t *testing.T, x, y T, apart bool) *pairing {
	t.Helper()
	p := &pairing{t: t, to: map[uintptr]uintptr{}, from: map[uintptr]uintptr{}, seen: map[pairKey]bool{}, apart: apart}
	p.value(reflect.ValueOf(&x).Elem(), reflect.ValueOf(&y).Elem(), "v")
	for i := 0; i < len(p.maps); i++ { // keys are found by what the rest says about pointers
		p.entries(p.maps[i][0], p.maps[i][1])
	}
	for y := range p.from {
		if _, ok := p.to[y]; ok && apart {
			p.fail("the copy shares memory with the original")
		}
	}
	return p
}

func (p *pairing) fail(format string, args ...any) {
	if !p.failed {
		p.t.Errorf(format, args...)
	}
	p.failed = true
}

// memory pairs size bytes; it reports whether what is there is to be compared.
func (p *pairing) memory(x, y unsafe.Pointer, t reflect.Type, n int, path string) bool {
	if (x == nil) != (y == nil) {
		p.fail("%s: nil: %v, want %v", path, y == nil, x == nil)
	}
	if x == nil || y == nil {
		return false
	}
	size := uintptr(n) * t.Size()
	for i := range size {
		a, b := uintptr(x)+i, uintptr(y)+i
		if old, ok := p.to[a]; ok && old != b {
			p.fail("%s (%v): shared memory is no longer shared", path, t)
		}
		if old, ok := p.from[b]; ok && old != a {
			p.fail("%s (%v): memory that was not shared is now", path, t)
		}
		p.to[a], p.from[b] = b, a
	}
	if x == y {
		p.same++
	} else {
		p.gone++
	}
	key := pairKey{uintptr(x), uintptr(y), t, n}
	done := p.seen[key] || size == 0
	p.seen[key] = true
	return !done && !p.failed
}

func (p *pairing) value(x, y reflect.Value, path string) {
	if p.failed {
		return
	}
	x, y = reflect.NewAt(x.Type(), x.Addr().UnsafePointer()).Elem(), reflect.NewAt(y.Type(), y.Addr().UnsafePointer()).Elem()
	switch x.Kind() {
	case reflect.Pointer:
		if p.memory(x.UnsafePointer(), y.UnsafePointer(), x.Type().Elem(), 1, path) {
			p.value(x.Elem(), y.Elem(), path+".*")
		}
	case reflect.Slice:
		if x.Len() != y.Len() {
			p.fail("%s: length %d, want %d", path, y.Len(), x.Len())
		} else if p.memory(x.UnsafePointer(), y.UnsafePointer(), x.Type().Elem(), x.Len(), path) {
			for i := range x.Len() {
				p.value(x.Index(i), y.Index(i), path)
			}
		}
	case reflect.String:
		if a, b := x.String(), y.String(); a != b {
			p.fail("%s: %q, want %q", path, b, a)
		} else if a != "" {
			p.memory(unsafe.Pointer(unsafe.StringData(a)), unsafe.Pointer(unsafe.StringData(b)), reflect.TypeFor[byte](), len(a), path)
		}
	case reflect.Map:
		if x.Len() != y.Len() {
			p.fail("%s: %d entries, want %d", path, y.Len(), x.Len())
		} else if !x.IsNil() && p.memory(x.UnsafePointer(), y.UnsafePointer(), reflect.TypeFor[byte](), 1, path) {
			p.maps = append(p.maps, [2]reflect.Value{x, y})
		}
	case reflect.Interface:
		if x.IsNil() != y.IsNil() || !x.IsNil() && x.Elem().Type() != y.Elem().Type() {
			p.fail("%s: dynamic type %v, want %v", path, y, x)
		} else if !x.IsNil() {
			p.value(addressable(x.Elem()), addressable(y.Elem()), path+".("+x.Elem().Type().String()+")")
		}
	case reflect.Array:
		for i := range x.Len() {
			p.value(x.Index(i), y.Index(i), path)
		}
	case reflect.Struct:
		for i := range x.NumField() {
			p.value(x.Field(i), y.Field(i), path+"."+x.Type().Field(i).Name)
		}
	case reflect.Func:
		if x.Pointer() != y.Pointer() {
			p.fail("%s: another function", path)
		}
	default:
		if !x.Equal(y) {
			p.fail("%s: %v, want %v", path, y, x)
		}
	}
}

func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.Elem()
}

func (p *pairing) entries(x, y reflect.Value) {
	for it := x.MapRange(); it.Next(); {
		k := addressable(it.Key())
		p.translate(k)
		v := y.MapIndex(k)
		if !v.IsValid() {
			p.fail("key %v of a map is not found by its new value", it.Key())
			return
		}
		p.value(addressable(it.Value()), addressable(v), "entry")
	}
}

// translate changes the pointers in a key to the other graph's.
func (p *pairing) translate(k reflect.Value) {
	switch k.Kind() {
	case reflect.Pointer:
		k.Set(reflect.NewAt(k.Type().Elem(), *(*unsafe.Pointer)(unsafe.Pointer(ptrTo(p.to[k.Pointer()])))))
	case reflect.Struct:
		for i := range k.NumField() {
			f := k.Field(i)
			p.translate(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem())
		}
	case reflect.Interface:
		e := addressable(k.Elem())
		p.translate(e)
		k.Set(e)
	}
}

func ptrTo(p uintptr) *uintptr { return &p }

// recycled returns an arena whose memory is used again.
func recycled() *arena.Arena { return (&arena.Pool{Policy: arena.RecycleAll}).Get() }

// memoryOf returns a func that reports whether an address is in what a has handed out
// so far.
func memoryOf(a *arena.Arena) func(p unsafe.Pointer) bool {
	if a == nil {
		return func(unsafe.Pointer) bool { return false }
	}
	spans, _ := untyped.Spans(unsafe.Pointer(a))
	return func(p unsafe.Pointer) bool {
		return slices.ContainsFunc(spans, func(s untyped.Span) bool { return uintptr(p)-s.Base < s.Size })
	}
}

// pathInto returns the path of a reference in v to memory that in reports, or "".
func pathInto(in func(unsafe.Pointer) bool, v reflect.Value) string {
	seen := map[pairKey]bool{}
	var walk func(v reflect.Value, path string) string
	each := func(n int, at func(int) reflect.Value, path string) string {
		if n > 0 && !untyped.HasPointers(at(0).Type()) {
			return ""
		}
		for i := range n {
			if s := walk(at(i), path); s != "" {
				return s
			}
		}
		return ""
	}
	walk = func(v reflect.Value, path string) string {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice:
			n := 1
			if v.Kind() == reflect.Slice {
				n = v.Cap()
			}
			if v.IsNil() || n == 0 {
				return ""
			}
			if in(v.UnsafePointer()) {
				return path
			}
			key := pairKey{v.Pointer(), 0, v.Type(), n}
			if seen[key] {
				return ""
			}
			seen[key] = true
			if v.Kind() == reflect.Pointer {
				return walk(v.Elem(), path+".*")
			}
			return each(n, v.Slice(0, n).Index, path)
		case reflect.String:
			if s := v.String(); s != "" && in(unsafe.Pointer(unsafe.StringData(s))) {
				return path
			}
		case reflect.Map:
			key := pairKey{v.Pointer(), 0, v.Type(), 0}
			if seen[key] {
				return ""
			}
			seen[key] = true
			for it := v.MapRange(); it.Next(); {
				if s := walk(addressable(it.Key()), path+" key") + walk(addressable(it.Value()), path+" value"); s != "" {
					return s
				}
			}
		case reflect.Interface:
			if !v.IsNil() {
				return walk(addressable(v.Elem()), path+".(any)")
			}
		case reflect.Array:
			return each(v.Len(), v.Index, path)
		case reflect.Struct:
			for i := range v.NumField() {
				if s := walk(v.Field(i), path+"."+v.Type().Field(i).Name); s != "" {
					return s
				}
			}
		}
		return ""
	}
	return walk(v, "v")
}

func cloneGraph(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	a := recycled()
	all := graph(rnd, a, 1+rnd.IntN(20), func() bool { return rnd.IntN(2) == 0 })
	got := Clone(all)
	comparePair(t, all, got, true)
	if path := pathInto(memoryOf(a), reflect.ValueOf(&got).Elem()); path != "" {
		t.Errorf("%s is in the arena", path)
	}
	a.Free()
}

func detachGraph(t *testing.T, seed uint64, p *arena.Pool) {
	rnd := rand.New(rand.NewPCG(seed, 2))
	a := p.Get()
	kept := map[int]*thing{}
	all := graph(rnd, a, 1+rnd.IntN(20), func() bool { return rnd.IntN(2) == 0 })
	in := memoryOf(a)
	for i, x := range all {
		if !in(unsafe.Pointer(x)) {
			kept[i] = x
		}
	}
	before := Clone(all)
	got := Detach(a, all)
	if unsafe.SliceData(got) != unsafe.SliceData(all) {
		t.Error("a slice on the heap became another")
	}
	a.Free()
	if a != nil { // what the next owner writes must not be seen
		b := p.Get()
		graph(rnd, b, 20, func() bool { return true })
		b.Free()
	}
	runtime.KeepAlive(kept)
	comparePair(t, before, got, true)
	for i, x := range kept {
		if got[i] != x {
			t.Errorf("thing %d was on the heap and is another object now", i)
		}
	}
	if path := pathInto(in, reflect.ValueOf(&got).Elem()); path != "" {
		t.Errorf("%s is in the arena", path)
	}
}

func TestCloneGraphs(t *testing.T) {
	for seed := range uint64(60) {
		if cloneGraph(t, seed); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestDetachGraphs(t *testing.T) {
	for _, policy := range []arena.Policy{arena.RecycleTyped, arena.RecycleAll} {
		p := &arena.Pool{Policy: policy}
		for seed := range uint64(30) {
			if detachGraph(t, seed, p); t.Failed() {
				t.Fatalf("policy %v, seed %d", policy, seed)
			}
		}
	}
}

func FuzzDeep(f *testing.F) {
	for seed := range uint64(3) {
		f.Add(seed)
	}
	p := &arena.Pool{Policy: arena.RecycleAll}
	f.Fuzz(func(t *testing.T, seed uint64) {
		cloneGraph(t, seed)
		detachGraph(t, seed, p)
	})
}
