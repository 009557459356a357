//go:build unix

package input

import "syscall"

// nonblock keeps the opening of a named pipe from waiting for a writer.
const nonblock = syscall.O_NONBLOCK
