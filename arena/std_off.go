//go:build !(goexperiment.arenas && lessgc_std)

package arena

import "unsafe"

// stdArena is nil in this build, in which policy Std is policy Safe.
type stdArena = *struct{}

// newArenas is the policy of NewArena.
const newArenas = Safe

func openStd() stdArena { return nil }

func freeStd(stdArena) {}

func stdChunk(stdArena, *typeInfo, int) unsafe.Pointer { panic("arena: unreachable") }
