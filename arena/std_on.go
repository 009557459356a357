//go:build goexperiment.arenas && lessgc_std

package arena

import (
	"arena"
	"reflect"
	"unsafe"
)

// stdArena is the arena of the runtime that chunks of policy Std come from.
type stdArena = *arena.Arena

// newArenas is the policy of NewArena.
const newArenas = Std

func openStd() stdArena { return arena.NewArena() }

func freeStd(a stdArena) { a.Free() }

// stdChunk returns the memory of a new [n]T in a.
func stdChunk(a stdArena, info *typeInfo, n int) unsafe.Pointer {
	return reflect.ArenaNew(a, reflect.ArrayOf(n, info.elem)).UnsafePointer()
}
