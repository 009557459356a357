package pool

import (
	"testing"
	"unsafe"
)

// TestBodySize pins what a Get and a Put of a Buffer touch to one cache line, and the
// whole to its size class.
func TestBodySize(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("sizes of 64-bit platforms")
	}
	var h body
	if got := unsafe.Offsetof(h.class); got > 64 {
		t.Errorf("class has offset %d, want at most 64", got)
	}
	if got := unsafe.Sizeof(h); got > 128 {
		t.Errorf("a body has %d bytes, want at most 128", got)
	}
}
