//go:build !amd64 || purego

package arenapb

const hasPairs = false

func lowTops(from pointer, n int) int { panic("not reached") }

func pairs[T uint32 | uint64](to, from pointer, n int) (done, size int) { panic("not reached") }
