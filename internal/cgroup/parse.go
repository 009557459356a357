package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// membership returns the path of the group that the memory controller has this process in, from the
// text of /proc/self/cgroup, and the version of its hierarchy; version 0 means that there is none.
func membership(text string) (path string, version int, err error) {
	for n, line := range lines(text) {
		id, rest, ok1 := strings.Cut(line, ":")
		controllers, p, ok2 := strings.Cut(rest, ":")
		if _, bad := strconv.ParseUint(id, 10, 32); bad != nil || !ok1 || !ok2 || !strings.HasPrefix(p, "/") {
			return "", 0, fmt.Errorf("line %d: %q is not ID:CONTROLLERS:/PATH", n+1, line)
		}
		p = strings.TrimSuffix(p, " (deleted)")
		switch {
		case id == "0" && controllers == "":
			if version == 0 {
				path, version = p, 2
			}
		case hasField(controllers, "memory"):
			path, version = p, 1
		}
	}
	return path, version, nil
}

// A mount is a cgroup file system that holds the memory controller, or may hold it.
type mount struct {
	root  string // of the mount within its file system
	point string // where it is mounted
}

// mounts returns the mounts of a version's memory hierarchy, from the text of /proc/self/mountinfo.
//
//	36 35 98:0 /root /mount/point rw,noatime master:1 - cgroup cgroup rw,memory
func mounts(text string, version int) (all []mount, err error) {
	for n, line := range lines(text) {
		head, tail, ok := strings.Cut(line, " - ")
		fields, system := strings.Fields(head), strings.Fields(tail)
		if !ok || len(fields) < 6 || len(system) < 2 {
			return nil, fmt.Errorf("line %d: %q has too few fields", n+1, line)
		}
		switch {
		case version == 2 && system[0] == "cgroup2":
		case version == 1 && system[0] == "cgroup" && len(system) > 2 && hasField(system[2], "memory"):
		default:
			continue
		}
		m := mount{unescape(fields[3]), unescape(fields[4])}
		if !strings.HasPrefix(m.root, "/") || !strings.HasPrefix(m.point, "/") {
			return nil, fmt.Errorf("line %d: %q has a path that does not begin with /", n+1, line)
		}
		all = append(all, m)
	}
	return all, nil
}

// lines splits a text into its lines, without an empty one at the end.
func lines(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func hasField(list, want string) bool {
	for f := range strings.SplitSeq(list, ",") {
		if f == want {
			return true
		}
	}
	return false
}

// unescape replaces \040 and the like, in which mountinfo writes space, tab, newline and backslash.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// below returns the path from a mount's root down to a group, "" if they are the same. Both paths are
// as the process sees them from its namespace. Reports false if the root is not a parent of the group, or
// one by more than the paths tell; above reports whether it is the latter.
func below(root, path string) (rel string, above, ok bool) {
	rootUps, root := ups(root)
	pathUps, path := ups(path)
	if rootUps != pathUps {
		return "", rootUps > pathUps && root == "", false
	}
	if rest, found := strings.CutPrefix(path, root); found && (rest == "" || rest[0] == '/') {
		return rest, false, true
	}
	return "", false, false
}

// ups splits off the /.. at the beginning of a path, and what a path ends with but a name.
func ups(path string) (n int, rest string) {
	path = strings.TrimRight(path, "/")
	for path == "/.." || strings.HasPrefix(path, "/../") {
		n, path = n+1, path[3:]
	}
	return n, path
}

var errNumber = errors.New("is not a number of bytes")

// number reads the one number, or "max", that a file of a group holds. Allocates nothing.
func number(data []byte) (int64, error) {
	data = bytes.TrimRight(data, "\n")
	if string(data) == "max" {
		return math.MaxInt64, nil
	}
	if len(data) == 0 {
		return 0, errNumber
	}
	n := int64(0)
	for _, c := range data {
		switch {
		case c < '0' || c > '9':
			return 0, errNumber
		case n > (math.MaxInt64-9)/10:
			n = math.MaxInt64 // stays there: too large to matter
		default:
			n = n*10 + int64(c-'0')
		}
	}
	return n, nil
}

// stat returns the value of a key in a file of lines "key value", 0 if it is not there. Allocates nothing.
func stat(data []byte, key string) int64 {
	for len(data) > 0 {
		line, rest, whole := bytes.Cut(data, newline)
		if len(line) > len(key) && line[len(key)] == ' ' && string(line[:len(key)]) == key && whole {
			n, err := number(line[len(key)+1:])
			if err != nil {
				return 0
			}
			return n
		}
		data = rest
	}
	return 0
}

var newline = []byte("\n")
