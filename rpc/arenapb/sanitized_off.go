//go:build !race && !asan && !msan

package arenapb

const sanitized = false
