//go:build unix

package turns

import (
	"errors"
	"syscall"
)

func pause(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

func resume(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }

// gone reports whether there is no process to be stopped or continued any more.
func gone(err error) bool { return errors.Is(err, syscall.ESRCH) }
