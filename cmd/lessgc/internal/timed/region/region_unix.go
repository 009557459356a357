//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package testing

import (
	"os"
	"syscall"
	"unsafe"
)

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

// read reads a counter and reports whether it could.
func (r *lessgcRead) read(fd int) bool {
	// Rule 1 of unsafe.Pointer: the array is as large as the struct, and bytes need no
	// alignment. TestReport reads through it.
	n, err := syscall.Read(fd, (*[unsafe.Sizeof(*r)]byte)(unsafe.Pointer(r))[:])
	return err == nil && n == int(unsafe.Sizeof(*r))
}

// lessgcStop stops the process until somebody continues it.
func lessgcStop() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }
