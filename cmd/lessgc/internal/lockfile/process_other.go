//go:build !unix && !windows

package lockfile

func exists(int) bool { return true }
