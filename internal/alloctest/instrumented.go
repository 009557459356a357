//go:build race || asan || msan

package alloctest

const instrumented = true
