package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A tree is a scratch module with copies of real packages, beside a folder that nothing may
// change.
type tree struct {
	name string
	dir  string
	env  []string
}

// command runs a program in the module, and returns its outputs and exit status.
func (t *tree) command(ctx context.Context, name string, args ...string) (stdout, stderr string, status int, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = t.dir, t.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return out.String(), errs.String(), exit.ExitCode(), ctx.Err()
	}
	return out.String(), errs.String(), 0, err
}

// newTree makes a module of the standard library's packages that can be built outside of it
// (std), or copies a module of the module cache (its folder).
func newTree(ctx context.Context, tmp, source, root string) (*tree, error) {
	t := &tree{name: filepath.Base(source), dir: filepath.Join(tmp, "module"), env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local")}
	var err error
	if source == "std" {
		err = t.copyStd(ctx)
	} else {
		err = os.CopyFS(t.dir, os.DirFS(source))
	}
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(t.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() && !d.IsDir() {
			return err
		}
		return os.Chmod(path, info.Mode().Perm()|0o200)
	})
	if err != nil {
		return nil, err
	}
	if _, stderr, status, err := t.command(ctx, "go", "mod", "edit", "-go=1.25", "-toolchain=none", "-require=lessgc@v0.0.0", "-replace=lessgc="+root); err != nil || status != 0 {
		return nil, fmt.Errorf("go mod edit: %w %s", err, stderr)
	}
	return t, nil
}

// A pkg holds the fields used of go list's output.
type pkg struct {
	ImportPath, Dir                              string
	GoFiles, TestGoFiles, XTestGoFiles           []string
	CgoFiles, SFiles, IgnoredGoFiles             []string
	Imports, TestImports, XTestImports, TestDeps []string
	Incomplete                                   bool
	TestEmbedFiles, EmbedFiles, XTestEmbedFiles  []string
	Module                                       *struct{ Main bool }
}

func (t *tree) list(ctx context.Context, dir string, args ...string) ([]pkg, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-json"}, args...)...)
	cmd.Dir, cmd.Env = dir, t.env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// copyStd copies the packages of the standard library that use nothing which only it may.
func (t *tree) copyStd(ctx context.Context) error {
	all, err := t.list(ctx, os.TempDir(), "std")
	if err != nil {
		return err
	}
	inside := func(path string) bool {
		return strings.Contains(path, "internal") || strings.HasPrefix(path, "vendor/") || path == "C"
	}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(t.dir, "go.mod"), []byte("module example.com/std\n\ngo 1.25\n"), 0o666); err != nil {
		return err
	}
	for _, p := range all {
		if inside(p.ImportPath) || len(p.CgoFiles)+len(p.SFiles) > 0 || slices.ContainsFunc(p.Imports, inside) || p.ImportPath == "unsafe" {
			continue
		}
		files := slices.Clone(p.GoFiles)
		if !slices.ContainsFunc(slices.Concat(p.TestImports, p.XTestImports), inside) {
			files = slices.Concat(files, p.TestGoFiles, p.XTestGoFiles)
		}
		files = slices.Concat(files, p.EmbedFiles)
		to := filepath.Join(t.dir, filepath.FromSlash(p.ImportPath))
		linked := false
		texts := map[string][]byte{}
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			linked = linked || bytes.Contains(data, []byte("//go:linkname"))
			if slices.Contains(p.XTestGoFiles, name) { // of the copy
				data = bytes.ReplaceAll(data, []byte(strconv.Quote(p.ImportPath)), []byte(strconv.Quote("example.com/std/"+p.ImportPath)))
			}
			texts[name] = data
		}
		if linked {
			continue
		}
		for name, data := range texts {
			name = filepath.Join(to, name)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(name, data, 0o666); err != nil {
				return err
			}
		}
		if data := filepath.Join(p.Dir, "testdata"); len(files) > len(p.GoFiles) {
			if _, err := os.Stat(data); err == nil {
				if err := os.CopyFS(filepath.Join(to, "testdata"), os.DirFS(data)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// contents returns what is in the files of a folder, with their modes.
func contents(dir string) (map[string]string, error) {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = info.Mode().String() + "\n" + string(data)
		return err
	})
	return all, err
}
