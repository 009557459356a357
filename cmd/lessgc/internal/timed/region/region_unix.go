//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package testing

import "syscall"

// readCPU reads the CPU time of all threads, and of children that have ended.
func (c *lessgcCounts) readCPU() {
	c.user, c.system = 0, 0
	for _, who := range [2]int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			c.user += usage.Utime.Nano()
			c.system += usage.Stime.Nano()
		}
	}
}
