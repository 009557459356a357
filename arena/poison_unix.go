//go:build unix

package arena

import (
	"syscall"
)

// reserve returns the address of n bytes of memory that nobody may read or write,
// or 0.
func reserve(n int) uintptr {
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return 0
	}
	return uintptr(dataOf(b))
}
