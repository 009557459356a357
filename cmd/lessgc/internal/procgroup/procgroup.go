// Package procgroup ends a command together with all that it started.
package procgroup

import "os/exec"

// Command makes cmd the leader of a process group, so that its descendants can
// be ended with it, and so that a ctrl-C on the terminal reaches only the
// caller. On systems without process groups it does nothing.
func Command(cmd *exec.Cmd) { set(cmd) }

// Interrupt asks the group of a started command to end.
func Interrupt(cmd *exec.Cmd) error { return interrupt(cmd) }

// Kill ends the group of a started command at once. It is not an error if nothing
// of it is left.
func Kill(cmd *exec.Cmd) error { return kill(cmd) }

// KillOwn ends the group that the calling process leads, itself included.
func KillOwn() { killOwn() }
