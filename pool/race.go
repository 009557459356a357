//go:build race

package pool

import (
	"runtime"
	"unsafe"
)

// raceRelease hands memory to the next raceAcquire of the same address, and is a
// write of all of it: whoever touches it later without having got it races.
func raceRelease(addr unsafe.Pointer, memory []byte) {
	if len(memory) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&memory[0]), len(memory))
	}
	runtime.RaceReleaseMerge(addr)
}

func raceAcquire(addr unsafe.Pointer) { runtime.RaceAcquire(addr) }

// raceHide makes the race detector ignore what the calling goroutine synchronises
// with until raceShow: the locks of a pool order the users of different values,
// which would hide the races between the users of one.
func raceHide() { runtime.RaceDisable() }
func raceShow() { runtime.RaceEnable() }
