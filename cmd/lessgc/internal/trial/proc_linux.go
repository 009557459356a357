package trial

import (
	"errors"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// CanPin reports whether Command.CPU works on this system.
const CanPin = true

// pin binds the calling thread, and what it forks, to one of the CPUs that it
// may run on, counted from 0.
func pin(n int) error {
	var allowed, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &allowed); err != nil {
		return err
	}
	for cpu := range 8 * len(allowed) * int(unsafe.Sizeof(allowed[0])) {
		if !allowed.IsSet(cpu) {
			continue
		}
		if n--; n < 0 {
			one.Set(cpu)
			return unix.SchedSetaffinity(0, &one)
		}
	}
	return errors.New("there are not so many CPUs")
}

// dieWithParent has the kernel kill the program when the thread that started
// it is gone.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// rssUnit is the unit of ru_maxrss in bytes, see getrusage(2).
const rssUnit = 1024
