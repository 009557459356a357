//go:build unix

package live

import "syscall"

// cpuSeconds is the CPU time of the process, as the operating system counts it, or 0.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
