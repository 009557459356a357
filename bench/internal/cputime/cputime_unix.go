//go:build unix

// Package cputime has the CPU time of the process, for benchmarks.
package cputime

import (
	"fmt"
	"syscall"
	"time"
)

// Now is the user and system time of the process so far. Where the operating system does
// not say it is 0.
func Now() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(fmt.Sprintf("cputime: %v", err))
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
