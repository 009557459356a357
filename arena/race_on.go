//go:build race

package arena

import (
	"runtime"
	"unsafe"
)

// raceWrite tells the race detector that memory was written: it sees neither
// reflect's nor the built-in clear. A goroutine that still uses the memory is
// then a data race.
func raceWrite(p unsafe.Pointer, bytes uintptr) {
	runtime.RaceWriteRange(p, int(bytes))
}
