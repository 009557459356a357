//go:build unix

package arenas

import (
	"syscall"
	"time"
)

// cpuTime is the user and system time of the process so far.
func cpuTime() time.Duration {
	var r syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
