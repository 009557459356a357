package deep

import (
	"reflect"
	"strings"
	"sync"
	"time"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A plan lists the pointers to follow in a value of a type. There is
// one per type, for the life of the process.
type plan struct {
	typ, slice reflect.Type // T and []T
	size       uintptr
	ops        []op
	pointers   bool   // T has pointers, also such that are not followed
	locker     string // the first type in T that must not be copied, or ""

	key, value *plan // of a map, which has size 0
}

// An op is one thing to follow.
type op struct {
	kind  opKind
	off   uintptr
	elem  *plan        // of what it points to, without arrays around it; or of the map
	count int          // number of elem in what it points to, or in each of a slice, or in the array
	typ   reflect.Type // of an interface, a Rehasher or an opaque value
}

type opKind uint8

const (
	opPointer   opKind = iota
	opSlice            // of elem, count for each
	opString           // elem is byte
	opMap              // elem is the plan of the map
	opInterface        // of type typ
	opArray            // of count elem in place
	opUnsafe           // an unsafe.Pointer
	opArena            // a pointer to an Arena
	opRehash           // an untyped.Rehasher, by the methods of *typ
	opOpaque           // a value of type typ, by untyped.Opaques
)

var (
	rehasherType = reflect.TypeFor[untyped.Rehasher]()
	arenaType    = reflect.TypeFor[arena.Arena]()
	byteType     = reflect.TypeFor[byte]()

	// Pointers to these are not followed: their address is what they are.
	locationType = reflect.TypeFor[time.Location]()
	typeType     = pointee(reflect.TypeFor[reflect.Value]().Field(0).Type)
	rtypeType    = reflect.TypeOf(reflect.TypeFor[int]()).Elem()
)

// pointee returns what a t points to, or t if it is not a pointer.
func pointee(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// planTable holds complete plans: whoever finds one may use all that it leads to.
var planTable = struct {
	sync.Mutex
	byType, ofMaps map[reflect.Type]*plan
}{
	byType: map[reflect.Type]*plan{},
	ofMaps: map[reflect.Type]*plan{},
}

// planOf returns the plan of a type.
func planOf(t reflect.Type) *plan {
	planTable.Lock()
	defer planTable.Unlock()
	return compile(t)
}

// compile returns the plan of t, whose ops may not be there yet if t is being
// compiled.
func compile(t reflect.Type) *plan {
	if p := planTable.byType[t]; p != nil {
		return p
	}
	p := &plan{
		typ: t, slice: reflect.SliceOf(t), size: t.Size(),
		pointers: untyped.HasPointers(t), locker: untyped.Locker(t),
	}
	planTable.byType[t] = p
	p.add(t, 0)
	return p
}

// flat returns the plan of t, or of what it is an array of, and how many of that
// are in it.
func flat(t reflect.Type) (*plan, int) {
	n := 1
	for t.Kind() == reflect.Array {
		n *= t.Len()
		t = t.Elem()
	}
	return compile(t), n
}

// add adds what is to be followed in a t at off.
func (p *plan) add(t reflect.Type, off uintptr) {
	switch t.Kind() {
	case reflect.Pointer:
		p.addPointer(t.Elem(), off)
	case reflect.Slice:
		elem, n := flat(t.Elem())
		p.ops = append(p.ops, op{opSlice, off, elem, n, nil})
	case reflect.String:
		p.ops = append(p.ops, op{opString, off, compile(byteType), 1, nil})
	case reflect.Map:
		p.ops = append(p.ops, op{opMap, off, compileMap(t), 1, nil})
	case reflect.Interface:
		p.ops = append(p.ops, op{opInterface, off, nil, 0, t})
	case reflect.UnsafePointer:
		p.ops = append(p.ops, op{opUnsafe, off, nil, 0, nil})
	case reflect.Array:
		if elem, n := flat(t); n > 0 && untyped.HasPointers(elem.typ) {
			p.ops = append(p.ops, op{opArray, off, elem, n, nil})
		}
	case reflect.Struct:
		p.addStruct(t, off)
	}
}

func (p *plan) addPointer(elem reflect.Type, off uintptr) {
	switch elem {
	case arenaType:
		p.ops = append(p.ops, op{opArena, off, nil, 0, nil})
	case locationType, rtypeType, typeType:
	default:
		to, n := flat(elem)
		p.ops = append(p.ops, op{opPointer, off, to, n, nil})
	}
}

func (p *plan) addStruct(t reflect.Type, off uintptr) {
	switch {
	case t == arenaType:
		return
	case untyped.Opaques[t].Get != nil:
		p.ops = append(p.ops, op{opOpaque, off, nil, 0, t})
		return
	case t.PkgPath() == "unique" && strings.HasPrefix(t.Name(), "Handle["):
		return
	case t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		p.addAtomic(t, off)
		return
	case isRehasher(t):
		p.ops = append(p.ops, op{opRehash, off, nil, 0, t})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		p.add(f.Type, off+f.Offset)
	}
}

// isRehasher reports whether *t is an [untyped.Rehasher] by a method of its own, not
// by one of a field that is embedded.
func isRehasher(t reflect.Type) bool {
	is := func(t reflect.Type) bool {
		return t.Implements(rehasherType) || reflect.PointerTo(t).Implements(rehasherType)
	}
	if !is(t) {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && is(f.Type) {
			return false
		}
	}
	return true
}

// addAtomic adds an atomic.Pointer[E]: an unsafe.Pointer, but there is a [0]*E in
// front of it.
func (p *plan) addAtomic(t reflect.Type, off uintptr) {
	var elem reflect.Type
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Pointer:
			elem = f.Type.Elem().Elem()
		case f.Type.Kind() == reflect.UnsafePointer && elem != nil:
			p.addPointer(elem, off+f.Offset)
		}
	}
}

// compileMap returns the plan of what a variable of a map type points to.
func compileMap(t reflect.Type) *plan {
	p := planTable.ofMaps[t]
	if p == nil {
		p = &plan{typ: t, pointers: true}
		planTable.ofMaps[t] = p
		p.key, p.value = compile(t.Key()), compile(t.Elem())
	}
	return p
}

// leaf returns the only op of the plan of a pointer, slice or string to
// something that has nothing to follow, else nil.
func (p *plan) leaf() *op {
	switch p.typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.String:
		if op := &p.ops[0]; op.kind <= opString && len(op.elem.ops) == 0 {
			return op
		}
	}
	return nil
}

// length returns the number of elem that the pointer, slice or string at p has.
func (op *op) length(p pointer) int {
	switch op.kind {
	case opSlice:
		return as[sliceHeader](p).len * op.count
	case opString:
		return len(*as[string](p))
	}
	return op.count
}

// clip takes away the capacity of a slice at p behind its length.
func (op *op) clip(p pointer) {
	if op.kind == opSlice {
		h := as[sliceHeader](p)
		h.cap = h.len
	}
}

// mustCopy panics if values of the type must not be copied.
func (p *plan) mustCopy() {
	if p.locker != "" {
		panic("deep: " + p.typ.String() + " holds a " + p.locker + ", which must not be copied")
	}
}

// duplicate returns a copy on the heap of n values at from.
func (p *plan) duplicate(from pointer, n int) pointer {
	to := p.allocate(n)
	p.copy(to, from, n)
	return to
}

// allocate returns the memory of n values on the heap. Without pointers in it,
// only size and alignment matter, and reflect would allocate a slice header.
func (p *plan) allocate(n int) pointer {
	bytes := uintptr(n) * p.size
	switch align := p.typ.Align(); {
	case n == 1:
		return reflect.New(p.typ).UnsafePointer()
	case p.pointers:
		return makeArray(p.slice, n)
	case align == 1:
		return dataOf(make([]byte, bytes))
	case align == 2:
		return dataOf(make([]uint16, bytes/2))
	case align == 4:
		return dataOf(make([]uint32, bytes/4))
	}
	return dataOf(make([]uint64, bytes/8))
}

// copy copies n values, with the write barriers that their pointers need.
func (p *plan) copy(to, from pointer, n int) {
	switch {
	case !p.pointers:
		size := uintptr(n) * p.size
		copy(sliceAt[byte](to, size), sliceAt[byte](from, size))
	case n == 1:
		reflect.NewAt(p.typ, to).Elem().Set(reflect.NewAt(p.typ, from).Elem())
	default:
		reflect.Copy(reflect.SliceAt(p.typ, to, n), reflect.SliceAt(p.typ, from, n))
	}
}
