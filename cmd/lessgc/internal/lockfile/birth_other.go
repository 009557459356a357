//go:build !linux

package lockfile

func birth(int) string { return "" }
