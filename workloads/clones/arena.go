//go:build goexperiment.arenas

package clones

import (
	"arena"
	"bytes"
)

var arenas = []Strategy{{Name: "stdarena", join: stdArena}}

// built is the strategy that the build selects.
var built = Strategy{Name: "stdarena", join: stdArena}

func stdArena(payload []byte, n int) []byte {
	a := arena.NewArena()
	defer a.Free()
	parts := arena.MakeSlice[[]byte](a, n, n)
	for i := range parts {
		parts[i] = arena.MakeSlice[byte](a, len(payload), len(payload))
		copy(parts[i], payload)
	}
	return bytes.Join(parts, nil) // on the heap: the message outlives a
}
