package amap

import (
	"hash/maphash"
	"math/bits"
	"reflect"
	"unsafe"
)

// A hasher is a way to hash the keys of a Map.
type hasher uint8

const (
	hashUnset   hasher = iota // of the zero Map
	hashAny                   // as the built-in map does, through a function pointer; may panic
	hashPlain                 // as hashAny, but never panics
	hashInteger               // by a multiplication
	hashWord                  // a pointer, as an integer: it must not move
)

// The seeds are the same for all maps of a process. That lets one map be copied
// to another in the order of its index slowly, but All is not in that order.
var (
	hashSeed = maphash.MakeSeed()
	xorSeed  = maphash.Comparable(hashSeed, uint64(1))
	mulSeed  = maphash.Comparable(hashSeed, uint64(2)) | 1
)

// hasherOf returns how keys of type K are hashed.
func hasherOf[K comparable]() hasher {
	switch kind := reflect.TypeFor[K]().Kind(); kind {
	case reflect.Interface, reflect.Struct, reflect.Array:
		return hashAny
	case reflect.String, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return hashPlain
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return hashWord
	}
	return hashInteger
}

// hashOf returns the hash of a key. It panics if the key cannot be hashed.
//
// The bits of an integer or pointer are read as an integer of the same size,
// rule 1 of package unsafe. A pointer to a stack may move, but is never in a
// map: what a map stores is on the heap, and there nothing moves.
func hashOf[K comparable](h hasher, k K) uint32 {
	if h <= hashPlain {
		return uint32(maphash.Comparable(hashSeed, k))
	}
	switch p := unsafe.Pointer(&k); unsafe.Sizeof(k) {
	case 8:
		return mix(*(*uint64)(p))
	case 4:
		return mix(uint64(*(*uint32)(p)))
	case 2:
		return mix(uint64(*(*uint16)(p)))
	}
	return mix(uint64(*(*uint8)(unsafe.Pointer(&k))))
}

// sizeOf returns the size of a T, in bytes.
func sizeOf[T any]() uintptr { return unsafe.Sizeof(*new(T)) }

func mix(x uint64) uint32 {
	hi, lo := bits.Mul64(x^xorSeed, mulSeed)
	return uint32(hi ^ lo)
}
