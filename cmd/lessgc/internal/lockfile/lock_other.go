//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd && !windows

package lockfile

import "os"

func lock(*os.File) error { return errUnsupported }
