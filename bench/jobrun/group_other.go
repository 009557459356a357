//go:build !unix

package main

import "os/exec"

func group(cmd *exec.Cmd) {}

// killGroup kills a process; those that it has started go on.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
