package vet

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// startingHeap is how much memory a process may use before it collects garbage for the first time, in
// bytes. A process looks at one package and ends. Most need less than this, and what they build, types and
// SSA, stays in use until then: collections would free little and cost a fifth of their CPU time. The
// compiler begins with as much, for the same reason.
const startingHeap = 128 << 20

// setStartingHeap delays the first collection until the process uses that much memory; from then on
// all is as it would be without. It does nothing if the environment says when to collect.
func setStartingHeap(size int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(size)
	first := new(*byte) // a pointer: what has none may share its memory with something that lives on
	runtime.AddCleanup(first, func(percent int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, percent)
}
