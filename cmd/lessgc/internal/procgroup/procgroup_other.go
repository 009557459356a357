//go:build !unix

package procgroup

import (
	"os"
	"os/exec"
)

func set(*exec.Cmd) {}

func interrupt(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killOwn() { os.Exit(1) }
