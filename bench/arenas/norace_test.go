//go:build !race

package arenas

const instrumented = false
