package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// ErrNone reports that there is no group with a memory controller: another system than Linux, no
// cgroup file system mounted, or one without the controller.
var ErrNone = errors.New("no control group with a memory controller")

// Find finds the group of this process. The root is put before the paths of all files, "" for those of
// the system. The caller closes the group. An error is [ErrNone], or names the file that could not be
// read or understood.
func Find(root string) (*Group, error) {
	if root == "" && runtime.GOOS != "linux" {
		return nil, ErrNone
	}
	text, err := read(root + "/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	group, version, err := membership(text)
	if err != nil {
		return nil, fmt.Errorf("read /proc/self/cgroup: %w", err)
	}
	if version == 0 {
		return nil, ErrNone
	}
	if text, err = read(root + "/proc/self/mountinfo"); err != nil {
		return nil, err
	}
	all, err := mounts(text, version)
	if err != nil {
		return nil, fmt.Errorf("read /proc/self/mountinfo: %w", err)
	}
	for _, folders := range candidates(root, group, all) {
		g, err := open(root, version, folders)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, ErrNone
}

// read reads a file of /proc; one that does not exist is ErrNone.
func read(name string) (string, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", ErrNone
	}
	return string(data), err
}

// candidates returns for each mount that shows the group or a parent the folders from the lowest one
// up. The mounts that show most come first; of two alike the later one, which covers the other.
func candidates(root, group string, all []mount) (folders [][]string) {
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b mount) int { return depth(a.root) - depth(b.root) })
	for _, m := range all {
		if rel, _, ok := below(m.root, group); ok {
			folders = append(folders, upwards(m.point, rel))
		}
	}
	for _, m := range all {
		if _, above, ok := below(m.root, group); !ok && (above || lists(root+m.point)) {
			folders = append(folders, []string{m.point})
		}
	}
	return folders
}

// depth orders roots: the more a mount shows, the smaller it is.
func depth(root string) int {
	n, rest := ups(root)
	return strings.Count(rest, "/") - n
}

// upwards returns the folder at rel below a mount point, and all its parents up to the mount point.
func upwards(point, rel string) (folders []string) {
	point = path.Clean(point)
	for rel != "" {
		folders = append(folders, point+rel)
		rel = rel[:strings.LastIndexByte(rel, '/')]
	}
	return append(folders, point)
}

// lists reports whether a folder's group has this process.
func lists(folder string) bool {
	data, err := os.ReadFile(folder + "/cgroup.procs")
	if err != nil {
		return false
	}
	self := strconv.Itoa(os.Getpid())
	for line := range bytes.Lines(data) {
		if string(bytes.TrimSpace(line)) == self {
			return true
		}
	}
	return false
}

// open opens what the folders have. Returns nil if that is nothing.
func open(root string, version int, folders []string) (*Group, error) {
	g := &Group{version: version, path: folders[0], machine: machine(root)}
	limits := []string{"memory.max", "memory.high"}
	usage := "memory.current"
	if version == 1 {
		limits, usage = []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes"
	}
	for _, folder := range folders {
		var l level
		for _, name := range append(limits, usage, "memory.stat") {
			f, err := os.Open(root + folder + "/" + name)
			switch {
			case err == nil && name == usage:
				l.usage = f
			case err == nil && name == "memory.stat":
				l.stat = f
			case err == nil:
				l.limits = append(l.limits, f)
			case !errors.Is(err, os.ErrNotExist):
				l.close()
				g.Close()
				return nil, err
			}
		}
		if l.limits == nil { // the root of a hierarchy, or one without the controller
			l.close()
			continue
		}
		g.levels = append(g.levels, l)
	}
	if g.levels == nil {
		return nil, nil
	}
	return g, nil
}

// machine returns the size of the machine's memory, 0 if that is unknown.
func machine(root string) int64 {
	data, err := os.ReadFile(root + "/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) == 3 && string(f[0]) == "MemTotal:" && string(f[2]) == "kB" {
			n, _ := number(f[1])
			return min(n, 1<<52) * 1024
		}
	}
	return 0
}
