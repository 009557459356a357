//go:build race

package checked

// Race reports whether the race detector is on.
const Race = true
