//go:build !linux

package trial

import (
	"errors"
	"os/exec"
	"runtime"
)

// CanPin reports whether Command.CPU works on this system.
const CanPin = false

func pin(int) error { return errors.New("not on " + runtime.GOOS) }

func dieWithParent(*exec.Cmd) {}

// rssUnit is the unit of ru_maxrss in bytes: KiB on the BSDs, bytes on Darwin.
var rssUnit = map[bool]int64{true: 1, false: 1024}[runtime.GOOS == "darwin" || runtime.GOOS == "ios"]
