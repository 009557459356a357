package compare

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/executable"
	"lessgc/cmd/lessgc/internal/mode"
)

// A program is the parsed value of -exec.
type program struct {
	flags []string // for go build
	pkg   string   // the package to build; "" for an executable that is there
	path  string   // the executable, if pkg is ""
	args  []string
}

// A Program is the value of -exec.
type Program struct {
	Flags   []string // for go build
	Package string   // to build; "" for an executable that is there
	Path    string   // the executable, if Package is ""
	Args    []string
}

// ParseProgram reads a command line. Its first word is a Go package ("./cmd/x", "example.com/cmd/x", "x.go"), relative to dir, or an
// executable; "go run" before it changes nothing.
func ParseProgram(dir, command string) (Program, error) {
	p, err := parseProgram(dir, command)
	return Program{p.flags, p.pkg, p.path, p.args}, err
}

// switches are the flags of go build that take no value.
var switches = []string{"-a", "-asan", "-cover", "-linkshared", "-modcacherw", "-msan", "-n", "-race", "-trimpath", "-v", "-work", "-x"}

// parseProgram reads a command line. Its first word is a Go package ("./cmd/x",
// "example.com/cmd/x", "x.go"), which is built in each mode; "go run" before it
// changes nothing. Otherwise it is an executable, run as it is. Paths are
// relative to dir.
func parseProgram(dir, command string) (program, error) {
	words, err := mode.SplitWords(command)
	if err != nil {
		return program{}, fmt.Errorf("-exec %q: %w", command, err)
	}
	var p program
	if len(words) > 1 && words[0] == "go" && words[1] == "run" {
		words = words[2:]
		for len(words) > 0 && strings.HasPrefix(words[0], "-") {
			if !strings.Contains(words[0], "=") && !slices.Contains(switches, words[0]) {
				return p, fmt.Errorf("-exec %q: write the flag of go run with its value, as %s=VALUE", command, words[0])
			}
			p.flags, words = append(p.flags, words[0]), words[1:]
		}
		if len(words) == 0 {
			return p, fmt.Errorf("-exec %q: go run needs a package", command)
		}
		p.pkg, p.args = words[0], words[1:]
		return p, nil
	}
	if len(words) == 0 {
		return p, errors.New("-exec is empty; name a package to build and its arguments, such as -exec './cmd/server -n 100'")
	}
	p.args = words[1:]
	if isPackage(dir, words[0]) {
		p.pkg = words[0]
	} else {
		p.path = words[0]
	}
	return p, nil
}

// isPackage reports whether the word names Go source. A file that is there and
// can be executed does not, nor does a bare command such as "gzip".
func isPackage(dir, word string) bool {
	file := word
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	info, err := os.Stat(file)
	switch {
	case err == nil && info.IsDir():
		return word == "." || strings.ContainsAny(word, "/\\")
	case err == nil:
		return strings.HasSuffix(word, ".go")
	}
	first, rest, _ := strings.Cut(word, "/")
	return rest != "" && first != "" && first != "." && first != ".." || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")
}

// findProgram sets up the variants for an executable that is not built. Modes
// that change the build mean nothing for it.
func (r *Run) findProgram(p program) error {
	path := p.path
	if strings.ContainsRune(path, filepath.Separator) && !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir.Session.Dir, path)
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return fmt.Errorf("-exec: %s is neither a Go package nor a program in PATH", p.path)
	}
	bin := &binary{pkg: build.Package{Dir: r.Dir.Session.Dir}, path: path}
	if bin.info, err = executable.Inspect(path); err != nil {
		r.note("%s is not a Go binary: there are no GC figures unless it starts one", filepath.Base(path))
	}
	for _, v := range r.variants {
		if v.mode.NeedsBuild() {
			r.fail(v, v.mode.Name, fmt.Errorf("it changes how code is built, and %s is built already; name its Go package in -exec", p.path))
			continue
		}
		v.bins = []*binary{bin}
	}
	return nil
}

// Buildable reports whether a command line of -exec names a Go package, relative
// to the current folder, so that modes can change how it is built. The error
// says what is wrong with the command line.
func Buildable(command string) (bool, error) {
	p, err := parseProgram(".", command)
	return p.pkg != "", err
}
