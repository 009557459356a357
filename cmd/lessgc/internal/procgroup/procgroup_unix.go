//go:build unix

package procgroup

import (
	"errors"
	"os/exec"
	"syscall"
)

func set(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interrupt(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGINT) }

func kill(cmd *exec.Cmd) error { return signal(cmd, syscall.SIGKILL) }

func signal(cmd *exec.Cmd, sig syscall.Signal) error {
	if err := syscall.Kill(-cmd.Process.Pid, sig); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

func killOwn() { syscall.Kill(0, syscall.SIGKILL) }
