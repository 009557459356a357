//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package testing

import (
	"os"
	"sync/atomic"
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

// lessgcMap maps the number that a file begins with into memory, for as long as the process
// lives. It is nil if that cannot be done.
func lessgcMap(name string) *atomic.Int64 {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < 8 {
		return nil // there is no memory behind the end of a file
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, 8, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	// Rule 1 of unsafe.Pointer: data begins a page, and is as large as the number.
	return (*atomic.Int64)(unsafe.Pointer(&data[0]))
}
