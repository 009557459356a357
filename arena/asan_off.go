//go:build !asan || !cgo

package arena

import "unsafe"

// sanitized reports whether the address sanitizer is on.
const sanitized = false

func sanitize(unsafe.Pointer, uintptr) {}
