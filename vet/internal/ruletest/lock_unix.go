//go:build darwin || freebsd || linux

package ruletest

import (
	"os"
	"syscall"
)

// lock waits until no other test process holds the file name, and returns what
// releases it. The go command shares results through its cache only once they
// are there: without the lock, tests of several packages that start together
// compute the facts of the standard library several times.
func lock(name string) (unlock func(), err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
