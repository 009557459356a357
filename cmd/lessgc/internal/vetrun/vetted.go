package vetrun

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A vettedFile is a file of the packages that were asked for, as it was before anything
// looked at it.
type vettedFile struct {
	sum   [sha256.Size]byte
	names []fileName // several if there are links
	why   string     // it must not be changed
}

// A fileName identifies a file for the go command.
type fileName struct{ pkg, path string }

// roots are the folders that decide what may be changed, by their real paths.
type roots struct{ main, goroot, modcache string }

// remember takes down what the files of packages hold, and which of them are not the
// user's to change.
func (r *Report) remember(ctx context.Context, all []*listed) error {
	out, err := goOutput(ctx, nil, "env", "GOMOD", "GOROOT", "GOMODCACHE")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
	if len(lines) < 3 {
		return errors.New("the output of go env cannot be read")
	}
	var at roots
	if mod := lines[0]; mod != "" && mod != os.DevNull {
		at.main = real(filepath.Dir(mod))
	}
	at.goroot, at.modcache = real(lines[1]), real(lines[2])
	r.vetted = map[string]*vettedFile{}
	for _, p := range all {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
			name = filepath.Join(p.Dir, name)
			r.rememberFile(fileName{p.ImportPath, name}, p.foreign(at, real(name)))
		}
	}
	return nil
}

func (r *Report) rememberFile(name fileName, why string) {
	path := r.path(name.path)
	f := r.vetted[path]
	if f == nil {
		f = &vettedFile{}
		if data, err := os.ReadFile(path); err != nil {
			why = err.Error()
		} else {
			f.sum = sha256.Sum256(data)
		}
		r.vetted[path] = f
		r.link(path)
	}
	f.names = append(f.names, name)
	if f.why == "" {
		f.why = why
	}
}

// path is the path by which a file is known: the real one, or if several hard links of the
// file are in the packages, that of the first.
func (r *Report) path(name string) string {
	path := real(name)
	if r.vetted[path] != nil || len(r.linked) == 0 {
		return path
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	for known, like := range r.linked {
		if os.SameFile(info, like) {
			return known
		}
	}
	return path
}

// link takes down that a file has several hard links.
func (r *Report) link(path string) {
	info, err := os.Stat(path)
	if err != nil || links(path, info) < 2 {
		return
	}
	if r.linked == nil {
		r.linked = map[string]fs.FileInfo{}
	}
	r.linked[path] = info
}

// foreign returns the reason why a file of p must not be changed, or "" if it is one of a
// main module.
func (p *listed) foreign(at roots, path string) string {
	root := at.main // files on the command line are a package without a module
	switch {
	case p.Standard || below(path, at.goroot):
		return "the file is part of Go"
	case below(path, at.modcache):
		return "the file is in the module cache"
	case p.Module != nil && !p.Module.Main:
		return "the file belongs to the module " + p.Module.Path
	case p.Module != nil:
		root = real(p.Module.Dir)
	}
	if root == "" || !below(path, root) {
		return "the file is outside of the main module"
	}
	for dir := filepath.Dir(path); dir != root; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "vendor" {
			return "the file is vendored"
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); !errors.Is(err, fs.ErrNotExist) {
			return "the file belongs to the module in " + short(dir)
		}
	}
	return ""
}

// below reports whether a path is that of something in a folder.
func below(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return folder != "" && err == nil && filepath.IsLocal(rel) && rel != "."
}

// real is the absolute path of a file without symbolic links, or without what can be found
// out of them.
func real(name string) string {
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return name
	}
	if path, err := filepath.EvalSymlinks(abs); err == nil {
		return path
	}
	return abs
}
