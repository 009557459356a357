//go:build race

package arenas

const instrumented = true
