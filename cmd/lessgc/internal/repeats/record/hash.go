//go:build go1.24

package record

import (
	"hash/maphash"
	"math"
	"reflect"
	"unsafe"
)

// mostNodes bounds what is hashed of the arguments or results of a call.
const mostNodes = 1 << 18

// deepestValue bounds how deep a value is followed.
const deepestValue = 2000

// A hasher hashes values by the data that they lead to. Functions, channels and unsafe pointers are taken by
// address. What has a state that memory does not show, such as a file, is unknown.
type hasher struct {
	nodes   int
	unknown bool
	done    map[pointer]uint64
	path    map[pointer]int
}

type pointer struct {
	at  unsafe.Pointer
	len int
	typ reflect.Type
}

var seed = maphash.MakeSeed()

func newHasher() *hasher { return &hasher{done: map[pointer]uint64{}, path: map[pointer]int{}} }

func mix(h, x uint64) uint64 {
	h ^= x + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 32
	return h
}

// outside are types whose state is not in memory.
var outside = map[string]bool{"internal/poll.FD": true, "os.File": true, "os.Process": true}

// passive are types whose state means nothing to results.
var passive = map[string]bool{"sync.Mutex": true, "sync.RWMutex": true, "sync.WaitGroup": true, "sync.Pool": true, "sync.Cond": true, "sync.noCopy": true}

// whole are types of which there is one object for each meaning.
var whole = map[string]bool{"reflect.rtype": true, "internal/abi.Type": true, "time.Location": true, "regexp.Regexp": true}

func name(t reflect.Type) string {
	if t.PkgPath() == "" {
		return ""
	}
	return t.PkgPath() + "." + t.Name()
}

func (h *hasher) value(v reflect.Value, depth int) uint64 {
	h.nodes++
	if h.unknown || h.nodes > mostNodes || depth > deepestValue {
		h.unknown = true
		return 0
	}
	if !v.IsValid() {
		return 3
	}
	t := v.Type()
	kind := uint64(v.Kind())
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return mix(kind, 1)
		}
		return mix(kind, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(kind, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(kind, v.Uint())
	case reflect.Float32, reflect.Float64:
		return mix(kind, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		return mix(mix(kind, math.Float64bits(real(v.Complex()))), math.Float64bits(imag(v.Complex())))
	case reflect.String:
		h.nodes += v.Len() / 64
		return mix(kind, maphash.String(seed, v.String()))
	case reflect.Func:
		return h.function(v)
	case reflect.Chan, reflect.UnsafePointer:
		return mix(kind, uint64(uintptr(v.UnsafePointer())))
	case reflect.Interface:
		if v.IsNil() {
			return mix(kind, 0)
		}
		return mix(mix(kind, typeHash(v.Elem().Type())), h.value(v.Elem(), depth+1))
	case reflect.Pointer:
		if v.IsNil() {
			return mix(kind, 0)
		}
		if whole[name(t.Elem())] {
			return mix(kind, uint64(uintptr(v.UnsafePointer())))
		}
		return h.once(pointer{v.UnsafePointer(), -1, t}, depth, func() uint64 { return mix(kind, h.value(v.Elem(), depth+1)) })
	case reflect.Slice:
		if v.IsNil() {
			return mix(kind, 0)
		}
		return h.once(pointer{v.UnsafePointer(), v.Len(), t}, depth, func() uint64 { return h.elements(v, depth) })
	case reflect.Array:
		return h.elements(v, depth)
	case reflect.Map:
		return h.mapping(v, depth)
	case reflect.Struct:
		return h.structure(v, t, depth)
	}
	h.unknown = true
	return 0
}

// once hashes what a pointer leads to, once, and ends where it leads back.
func (h *hasher) once(p pointer, depth int, hash func() uint64) uint64 {
	if sum, ok := h.done[p]; ok {
		return sum
	}
	if at, ok := h.path[p]; ok {
		return mix(5, uint64(depth-at))
	}
	h.path[p] = depth
	sum := hash()
	delete(h.path, p)
	h.done[p] = sum
	return sum
}

func (h *hasher) elements(v reflect.Value, depth int) uint64 {
	sum := mix(uint64(v.Kind()), uint64(v.Len())+1)
	if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
		h.nodes += v.Len() / 64
		return mix(sum, maphash.Bytes(seed, v.Bytes()))
	}
	for i := range v.Len() {
		sum = mix(sum, h.value(v.Index(i), depth+1))
		if h.unknown {
			break
		}
	}
	return sum
}

func (h *hasher) mapping(v reflect.Value, depth int) uint64 {
	if v.IsNil() {
		return mix(uint64(reflect.Map), 0)
	}
	return h.once(pointer{v.UnsafePointer(), -2, v.Type()}, depth, func() uint64 {
		sum := mix(uint64(reflect.Map), uint64(v.Len())+1)
		for all := v.MapRange(); all.Next() && !h.unknown; {
			sum += mix(h.value(all.Key(), depth+1), h.value(all.Value(), depth+1)) // in any order
		}
		return sum
	})
}

func (h *hasher) structure(v reflect.Value, t reflect.Type, depth int) uint64 {
	switch n := name(t); {
	case outside[n]:
		h.unknown = true
		return 0
	case passive[n]:
		return 7
	}
	sum := mix(uint64(reflect.Struct), uint64(v.NumField()))
	for i := range v.NumField() {
		sum = mix(sum, h.value(v.Field(i), depth+1))
		if h.unknown {
			break
		}
	}
	return sum
}

func (h *hasher) function(v reflect.Value) uint64 {
	if v.IsNil() {
		return mix(uint64(reflect.Func), 0)
	}
	p, ok := word(v)
	if !ok {
		h.unknown = true
	}
	return mix(uint64(reflect.Func), uint64(uintptr(p)))
}

func typeHash(t reflect.Type) uint64 { return maphash.String(seed, t.PkgPath()+"|"+t.String()) }

// identity hashes a value by the memory that it refers to: equal data at two addresses is not the same.
func identity(v reflect.Value, depth int) uint64 {
	if !v.IsValid() || depth > 6 {
		return 3
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 {
			return 11
		}
		s := v.String()
		return mix(uint64(uintptr(unsafe.Pointer(unsafe.StringData(s)))), uint64(len(s)))
	case reflect.Slice:
		if v.Len() == 0 {
			return 12
		}
		return mix(uint64(uintptr(v.UnsafePointer())), uint64(v.Len()))
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.UnsafePointer:
		return mix(13, uint64(uintptr(v.UnsafePointer())))
	case reflect.Interface:
		return mix(14, identity(v.Elem(), depth+1))
	case reflect.Struct:
		sum := uint64(15)
		for i := range v.NumField() {
			sum = mix(sum, identity(v.Field(i), depth+1))
		}
		return sum
	case reflect.Array:
		sum := uint64(16)
		for i := range min(v.Len(), 16) {
			sum = mix(sum, identity(v.Index(i), depth+1))
		}
		return sum
	}
	return 17 // its value is in the other hash
}
