package trial

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// CanPin says whether Command.CPU works on this system.
const CanPin = true

// pin binds the calling thread, and what it forks, to one CPU.
func pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(0, &set)
}

// dieWithParent has the kernel kill the program when the thread that started
// it is gone.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// rssUnit is the unit of ru_maxrss in bytes, see getrusage(2).
const rssUnit = 1024
