//go:build race

package arena

import (
	"runtime"
)

// raceWrite tells the race detector that memory was written: it sees neither
// reflect's nor the built-in clear. A goroutine that still uses the memory is
// then a data race.
func raceWrite(p pointer, bytes uintptr) {
	runtime.RaceWriteRange(p, int(bytes))
}
