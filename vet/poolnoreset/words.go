package poolnoreset

import (
	"go/types"
	"slices"
	"strings"
)

// resets reports whether a method of this name makes its value like new, or may do so.
func resets(name string) bool {
	return begins(name, "reset", "clear", "truncate", "init", "clean", "zero", "wipe", "empty", "recycle", "free", "release", "drop")
}

// drains reports whether a method of this name takes out of a buffer what is in it.
func drains(name string) bool {
	return begins(name, "read", "writeto", "next") && name != "ReadFrom"
}

// writes reports whether a method of this name adds to its value.
func writes(name string) bool {
	return begins(name, "write", "readfrom", "append", "add", "push", "print", "grow") && name != "WriteTo"
}

func begins(name string, words ...string) bool {
	name = strings.ToLower(name)
	for _, w := range words {
		if strings.HasPrefix(name, w) {
			return true
		}
	}
	return false
}

// standard reports whether p is a package of the standard library.
func standard(p *types.Package) bool {
	if p == nil {
		return false
	}
	first, _, _ := strings.Cut(p.Path(), "/")
	return slices.Contains(roots, first)
}

// roots are the first elements of the paths of packages that have a type with a method Reset. They are no
// knowledge of libraries: they tell the standard library, whose methods do what their names say, from
// modules whose path has no dot either.
var roots = []string{"archive", "bufio", "bytes", "compress", "container", "crypto", "encoding", "go", "hash", "internal", "io", "math", "net", "os", "strings", "sync", "text", "time", "vendor"}
