package cgroup

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
)

// A Group is a control group and those of its parents that are mounted here. All methods may be called
// by many goroutines at once. A nil Group has no limit.
type Group struct {
	version int
	path    string
	machine int64

	mu     sync.Mutex
	levels []level // from the group up
	lowest int     // index of the level that had the lowest limit when it was last read
	buf    [8 << 10]byte
}

// A level is the files of one group. They stay open: what they hold is made anew at each read.
type level struct {
	limits []*os.File
	usage  *os.File // nil if there is none
	stat   *os.File // nil if there is none
}

// Version returns 1 or 2, 0 of a nil Group.
func (g *Group) Version() int {
	if g == nil {
		return 0
	}
	return g.version
}

// Path returns the group's folder, or the lowest parent's that is mounted here.
func (g *Group) Path() string {
	if g == nil {
		return ""
	}
	return g.path
}

// Limit reads the limit of the group's memory in bytes: the lowest of the group and its parents, where
// version 2 has two for each, memory.max at which the kernel kills and memory.high at which it slows
// down. Reports false if there is none, or none below the size of the machine's memory. Allocates
// nothing unless it fails.
func (g *Group) Limit() (bytes int64, ok bool, err error) {
	if g == nil {
		return 0, false, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	bytes = math.MaxInt64
	for i, l := range g.levels {
		for _, f := range l.limits {
			n, err := g.number(f)
			if err != nil {
				return 0, false, err
			}
			if n < bytes {
				bytes, g.lowest = n, i
			}
		}
	}
	if g.version == 1 {
		// The kernel's own answer knows parents that are not mounted here.
		data, err := g.read(g.levels[0].stat)
		if err != nil {
			return 0, false, err
		}
		if n := stat(data, "hierarchical_memory_limit"); n > 0 {
			bytes = min(bytes, n)
		}
	}
	if unlimited := g.machine; unlimited > 0 && bytes > unlimited || bytes >= 1<<62 {
		return 0, false, nil
	}
	return bytes, true, nil
}

// Usage reads how much of the memory that counts against the limit the kernel cannot take back at once,
// in bytes: all of it less cached files and, in version 2, caches of the kernel. It is that of all
// processes in the group, or in the parent whose limit is the lowest. Reports false if it cannot be
// known. Allocates nothing unless it fails.
func (g *Group) Usage() (bytes int64, ok bool, err error) {
	if g == nil {
		return 0, false, nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l := g.levels[g.lowest]
	if l.usage == nil {
		return 0, false, nil
	}
	if bytes, err = g.number(l.usage); err != nil {
		return 0, false, err
	}
	data, err := g.read(l.stat)
	if err != nil {
		return 0, false, err
	}
	if g.version == 1 {
		bytes -= stat(data, "total_inactive_file") + stat(data, "total_active_file")
	} else {
		bytes -= stat(data, "inactive_file") + stat(data, "active_file") + stat(data, "slab_reclaimable")
	}
	return max(bytes, 0), true, nil
}

// Close closes the files. The group must not be used any more.
func (g *Group) Close() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []error
	for _, l := range g.levels {
		all = append(all, l.close())
	}
	return errors.Join(all...)
}

func (l *level) close() error {
	var all []error
	for _, f := range append(l.limits, l.usage, l.stat) {
		if f != nil {
			all = append(all, f.Close())
		}
	}
	return errors.Join(all...)
}

func (g *Group) number(f *os.File) (int64, error) {
	data, err := g.read(f)
	if err != nil {
		return 0, err
	}
	n, err := number(data)
	if err != nil {
		return 0, fmt.Errorf("read %s: %q %w", f.Name(), data[:min(len(data), 40)], err)
	}
	return n, nil
}

// read reads a file into the buffer, as much as it holds.
func (g *Group) read(f *os.File) ([]byte, error) {
	if f == nil {
		return nil, nil
	}
	n, err := f.ReadAt(g.buf[:], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	return g.buf[:n], nil
}
