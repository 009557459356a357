//go:build unix

package trial

import (
	"os"
	"syscall"
)

func peakRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) * int64(rssUnit)
}

// ownPeakRSS is the peak of this process.
func ownPeakRSS() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return int64(usage.Maxrss) * int64(rssUnit)
}

func killedBy(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return status.Signal().String()
}

// closeOnExec keeps descriptors from the program that is measured.
func closeOnExec(fds ...int) {
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
	}
}
