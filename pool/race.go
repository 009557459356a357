//go:build race

package pool

import (
	"runtime"
)

// raceRelease hands memory to the next raceAcquire of the same address, and is a
// write of all of it: whoever touches it later without having got it races.
func raceRelease(addr pointer, memory []byte) {
	if len(memory) > 0 {
		runtime.RaceWriteRange(pointerTo(&memory[0]), len(memory))
	}
	runtime.RaceReleaseMerge(addr)
}

func raceAcquire(addr pointer) { runtime.RaceAcquire(addr) }

// raceHide makes the race detector ignore what the calling goroutine synchronises
// with until raceShow: the locks of a pool order the users of different values,
// which would hide the races between the users of one.
func raceHide() { runtime.RaceDisable() }
func raceShow() { runtime.RaceEnable() }
