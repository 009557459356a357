//go:build !asan || !cgo

package arena

// sanitized reports whether the address sanitizer is on.
const sanitized = false

func sanitize(pointer, uintptr) {}
