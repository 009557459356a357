// Package nukes appends to slices in arenas of other libraries.
package nukes

import (
	"github.com/ortuman/nuke"
	"github.com/wundergraph/go-arena"
)

func badKeys(a nuke.Arena, m map[string]int) []string {
	out := nuke.MakeSlice[string](a, len(m), len(m))
	for k := range m {
		out = append(out, k) // want `append moves the slice from its arena to the heap, because it has no room left`
	}
	return out
}

func goodKeys(a nuke.Arena, m map[string]int) []string {
	out := nuke.MakeSlice[string](a, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func badHeader(a arena.Arena, body []byte) []byte {
	out := arena.AllocateSlice[byte](a, 0, len(body))
	out = append(out, body...)
	return append(out, "\r\n"...) // want `append moves the slice from its arena to the heap, because it has no room left`
}

func goodHeader(a arena.Arena, body []byte) []byte {
	out := arena.AllocateSlice[byte](a, 0, len(body)+2)
	out = append(out, body...)
	return append(out, "\r\n"...)
}
