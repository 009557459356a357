package harness

import (
	"reflect"
	"unsafe"
)

// A generator makes the values of one input. The same seed makes the same values.
type generator struct {
	random
	target  *Target
	plain   int  // 1: all values are zero; 2: slices and maps are empty
	wild    bool // large integers, too
	careful bool // small values only
	solid   bool // no pointer, interface and function is nil, as far as types do not lead back to themselves
	keys    bool // values that can be keys of maps
	size    int
	lengths []int // of the slices and strings that were made
	made    map[reflect.Type][]reflect.Value
	log     *callLog
	nodes   int                  // that were made
	within  map[reflect.Type]int // pointers that are being made
}

func newGenerator(seed uint64, t *Target, log *callLog) *generator {
	g := &generator{target: t, log: log, made: map[reflect.Type][]reflect.Value{}, within: map[reflect.Type]int{}}
	g.state = seed
	return g
}

// cannot is the panic for a type of which no value can be made.
type cannot string

// Bounds of how deep pointers, slices and fields are nested, and of how many values an input has.
const (
	deepest      = 5
	deepestSolid = 14
	mostMade     = 600
)

// deep reports whether nothing is to be nested deeper.
func (g *generator) deep(depth int) bool {
	if g.solid {
		return depth > deepestSolid || g.nodes > mostMade
	}
	return depth > deepest
}

// absent reports whether a value is nil, one time in n.
func (g *generator) absent(n int) bool { return !g.solid && g.once(n) }

// fill sets a variable to a generated value.
func (g *generator) fill(v reflect.Value, depth int) {
	g.nodes++
	if g.plain == 1 && depth > 0 && v.Kind() != reflect.Interface && v.Kind() != reflect.Func {
		return
	}
	if g.stock(v) || g.make(v, depth) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.once(2))
	case reflect.Int32:
		if g.once(2) {
			v.SetInt(int64(g.character()))
			return
		}
		v.SetInt(g.integer(32))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int64:
		v.SetInt(g.integer(v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if n := g.integer(v.Type().Bits()); n >= 0 || v.Type().Bits() < 32 || g.wild {
			v.SetUint(uint64(n))
		}
	case reflect.Float32, reflect.Float64:
		v.SetFloat(g.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(g.float(), g.float()))
	case reflect.String:
		v.SetString(g.text())
		g.lengths = append(g.lengths, v.Len())
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			g.fill(v.Index(i), depth+1)
		}
	case reflect.Slice:
		g.slice(v, depth)
	case reflect.Map:
		g.mapping(v, depth)
	case reflect.Ptr:
		g.pointer(v, depth)
	case reflect.Struct:
		g.fields(v, depth)
	case reflect.Interface:
		g.dynamic(v, depth)
	case reflect.Func:
		g.function(v, depth)
	default:
		panic(cannot("no value of type " + v.Type().String() + " can be made"))
	}
}

// again sets a variable to a value of its type that was made for this input, now and then.
func (g *generator) again(v reflect.Value) bool {
	made := g.made[v.Type()]
	if len(made) == 0 || !g.once(10) {
		return false
	}
	v.Set(made[g.below(len(made))])
	return true
}

func (g *generator) remember(v reflect.Value) {
	saved := reflect.New(v.Type()).Elem()
	saved.Set(v)
	g.made[v.Type()] = append(g.made[v.Type()], saved)
}

func (g *generator) slice(v reflect.Value, depth int) {
	t := v.Type()
	if g.plain == 2 {
		v.Set(reflect.MakeSlice(t, 0, 0))
		return
	}
	if g.again(v) {
		if v.Len() > 0 && g.once(2) {
			v.Set(v.Slice(0, g.below(v.Len()+1)))
		}
		return
	}
	if g.deep(depth) || g.once(8) {
		return
	}
	n := g.count(depth)
	spare := 0
	if g.once(2) {
		spare = 1 + g.below(6)
	}
	all := reflect.MakeSlice(t, n+spare, n+spare)
	if t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "" {
		text := g.text()
		n = len(text)
		all = reflect.MakeSlice(t, n+spare, n+spare)
		reflect.Copy(all, reflect.ValueOf(text))
	} else {
		for i := 0; i < n+spare; i++ {
			g.fill(all.Index(i), depth+1)
		}
	}
	v.Set(all.Slice(0, n))
	g.lengths = append(g.lengths, n)
	g.remember(v)
}

// count is the number of elements of a slice or map.
func (g *generator) count(depth int) int {
	switch {
	case depth > 2:
		return g.below(3)
	case depth > 0:
		return g.below(4)
	}
	return g.below(g.size + 2)
}

func (g *generator) mapping(v reflect.Value, depth int) {
	t := v.Type()
	if g.plain == 2 {
		v.Set(reflect.MakeMap(t))
		return
	}
	if g.deep(depth) || g.once(8) || g.again(v) {
		return
	}
	n := g.count(depth)
	v.Set(reflect.MakeMap(t))
	for i := 0; i < n; i++ {
		key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		keys := g.keys
		g.keys = true
		g.fill(key, depth+1)
		g.keys = keys
		g.fill(value, depth+1)
		v.SetMapIndex(key, value)
	}
	g.lengths = append(g.lengths, n)
	g.remember(v)
}

func (g *generator) pointer(v reflect.Value, depth int) {
	t := v.Type()
	rare := 6
	if depth == 0 {
		rare = 20
	}
	if g.deep(depth) || g.absent(rare) || g.within[t] > 0 && g.once(2) || g.again(v) {
		return
	}
	g.within[t]++
	p := reflect.New(t.Elem())
	g.fill(p.Elem(), depth+1)
	g.within[t]--
	v.Set(p.Convert(t))
	g.remember(v)
}

func (g *generator) fields(v reflect.Value, depth int) {
	t := v.Type()
	foreign := t.PkgPath() != "" && t.PkgPath() != own
	for i := 0; i < v.NumField(); i++ {
		f := t.Field(i)
		if f.PkgPath != "" && foreign || passive[typeName(f.Type)] || f.Name == "_" ||
			g.target.has(g.target.Added, t, f.Name) || g.target.has(g.target.Left, t, f.Name) {
			continue
		}
		g.fill(open(v.Field(i)), depth+1)
	}
}

// open makes a field of an addressable struct settable, though it may be unexported. The memory is that of the field:
// rule 5 of package unsafe.
func open(f reflect.Value) reflect.Value {
	if f.CanSet() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// passive are types whose zero value is made and which are not compared.
var passive = map[string]bool{
	"sync.Mutex": true, "sync.RWMutex": true, "sync.Once": true, "sync.WaitGroup": true, "sync.noCopy": true, "sync.Pool": true,
}

func typeName(t reflect.Type) string {
	if t.PkgPath() == "" {
		return ""
	}
	return t.PkgPath() + "." + t.Name()
}
