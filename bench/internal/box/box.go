// Package box runs a program of its own in a memory control group, where the kernel kills it if it exceeds the
// limit.
package box

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A Box is a control group of version 1 below that of this process. A nil Box is none.
type Box struct{ dir string }

var made atomic.Int64

// New makes a box with a limit in bytes. It needs a writable hierarchy of version 1, and to be root.
func New(limit int64) (*Box, error) {
	own, err := group()
	if err != nil {
		return nil, err
	}
	b := &Box{filepath.Join(own, fmt.Sprintf("lessgc-bench-%d-%d", os.Getpid(), made.Add(1)))}
	if err := os.Mkdir(b.dir, 0o755); err != nil {
		return nil, fmt.Errorf("make a control group: %w", err)
	}
	if err := b.SetLimit(limit); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Maybe returns a new box with a limit in bytes, or nil if none is wanted: all methods but SetLimit and Usage take a nil Box.
func Maybe(wanted bool, limit int64) (*Box, error) {
	if !wanted {
		return nil, nil
	}
	return New(limit)
}

// Possible reports whether a box with a limit can be made.
func Possible(limit int64) bool {
	b, err := New(limit)
	return err == nil && b.Close() == nil
}

// group returns the folder of the memory control group of this process.
func group() (string, error) {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", fmt.Errorf("find the control group: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) == 3 && fields[1] == "memory" {
			return "/sys/fs/cgroup/memory" + fields[2], nil
		}
	}
	return "", errors.New("find the control group: /proc/self/cgroup has no memory controller of version 1")
}

// SetLimit sets the limit. The kernel refuses one that it cannot make room for.
func (b *Box) SetLimit(limit int64) error {
	return os.WriteFile(filepath.Join(b.dir, "memory.limit_in_bytes"), strconv.AppendInt(nil, limit, 10), 0)
}

// number reads a file, -1 if that fails.
func (b *Box) number(file string) int64 {
	data, err := os.ReadFile(filepath.Join(b.dir, file))
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// Usage is the memory that is charged to the group, in bytes, with the files that the kernel keeps; -1 if it is not known.
func (b *Box) Usage() int64 { return b.number("memory.usage_in_bytes") }

// Peak is the largest usage so far, in bytes; 0 without a box, -1 if it is not known.
func (b *Box) Peak() int64 {
	if b == nil {
		return 0
	}
	return b.number("memory.max_usage_in_bytes")
}

// Killed reports whether the kernel has killed a process of the group.
func (b *Box) Killed() bool {
	if b == nil {
		return false
	}
	data, err := os.ReadFile(filepath.Join(b.dir, "memory.oom_control"))
	if err != nil {
		return false
	}
	_, count, ok := strings.Cut(string(data), "oom_kill ")
	return ok && strings.TrimSpace(count) != "0"
}

// Command is this program with arguments, to run in the box: it gets its first memory there. The environment
// variables that would configure the collector are removed, and there are two processors.
func (b *Box) Command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	if b != nil {
		enter := []string{"-c", `echo $$ >"$0" && exec "$@"`, filepath.Join(b.dir, "cgroup.procs"), exe}
		cmd = exec.CommandContext(ctx, "/bin/sh", append(enter, args...)...)
	}
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "GOGC", "GOMEMLIMIT", "AUTOMEMLIMIT", "GOMAXPROCS", "GODEBUG":
		default:
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, fmt.Sprintf("GOMAXPROCS=%d", min(2, runtime.NumCPU())))
	return cmd, nil
}

// Close removes the group. Its processes must have ended.
func (b *Box) Close() error {
	if b == nil {
		return nil
	}
	var err error
	for range 20 { // the kernel may not be done with the last process
		if err = os.Remove(b.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}
