//go:build !cgo && unix

package main

import (
	"os"
	"syscall"
)

const outsideBy = "anonymous mmap"

// outside takes memory that the runtime does not see, for good.
func outside(bytes int64) {
	all, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic("spiral: mmap: " + err.Error())
	}
	for i := 0; i < len(all); i += os.Getpagesize() {
		all[i] = 1
	}
}
