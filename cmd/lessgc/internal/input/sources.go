package input

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// maxSource limits the size of a source file, in bytes. Generated ones have some megabytes.
const maxSource = 16 << 20

// Sources opens Go source files that profiles and line directives name: those below some
// folders. Anybody can write such a name, and what the file holds goes into reports. The
// zero value, and nil, opens nothing.
type Sources struct{ roots []root }

// A root is a folder as it was named, and without symbolic links.
type root struct{ named, real string }

// NewSources returns Sources of files below folders. Those that are not there are left out.
func NewSources(folders ...string) *Sources {
	s := new(Sources)
	for _, named := range folders {
		real, err := filepath.EvalSymlinks(named)
		if r := (root{filepath.Clean(named), real}); err == nil && filepath.IsAbs(named) && !slices.Contains(s.roots, r) {
			s.roots = append(s.roots, r)
		}
	}
	return s
}

// FindSources returns Sources of the module or the workspace that the current folder is
// part of, GOROOT and the module cache, as the go command knows them.
func FindSources(ctx context.Context) *Sources {
	var env struct{ GOROOT, GOMODCACHE, GOWORK string }
	if out, err := exec.CommandContext(ctx, "go", "env", "-json", "GOROOT", "GOMODCACHE", "GOWORK").Output(); err == nil {
		_ = json.Unmarshal(out, &env) // what is missing is not opened
	}
	folders := []string{env.GOROOT, env.GOMODCACHE}
	if env.GOWORK != "" && env.GOWORK != "off" {
		folders = append(folders, filepath.Dir(env.GOWORK))
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err == nil {
		folders = append(folders, strings.Split(strings.TrimSpace(string(out)), "\n")...)
	}
	return NewSources(folders...)
}

// ReadFile reads a source file: a regular one below the folders, after symbolic links, whose
// name is absolute and ends in .go, of at most 16 MiB. What lies elsewhere is not touched.
func (s *Sources) ReadFile(name string) ([]byte, error) {
	if !filepath.IsAbs(name) || filepath.Ext(name) != ".go" {
		return nil, fmt.Errorf("%q is not the whole path of a Go file", name)
	}
	if s == nil || !slices.ContainsFunc(s.roots, func(r root) bool { return below(r.named, name) || below(r.real, name) }) {
		return nil, fmt.Errorf("%q is outside of the module, the workspace, GOROOT and the module cache", name)
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(real) != ".go" {
		return nil, fmt.Errorf("%q is a link to a file that is not Go", name)
	}
	for _, r := range s.roots {
		if below(r.real, real) {
			return readBelow(r.real, real)
		}
	}
	return nil, fmt.Errorf("%q is a link out of the module, the workspace, GOROOT and the module cache", name)
}

// readBelow reads a file without ever leaving the folder, whatever is replaced meanwhile.
func readBelow(folder, name string) ([]byte, error) {
	rel, err := filepath.Rel(folder, name)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	f, err := dir.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := regular(f); err != nil {
		return nil, err
	}
	return readAll(f, maxSource)
}

// below reports whether a name is that of something in a folder, by its words alone.
func below(folder, name string) bool {
	rel, err := filepath.Rel(folder, name)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}
