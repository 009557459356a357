//go:build !amd64 || purego

package arenapb

import "unsafe"

const hasPairs = false

func lowTops(from unsafe.Pointer, n int) int { panic("not reached") }

func pairs[T uint32 | uint64](to, from unsafe.Pointer, n int) (done, size int) { panic("not reached") }
