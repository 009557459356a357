// Package source relates the profiles of a program to its source, as far as that is here: in the
// module of the current folder and what it needs.
package source

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// Modules returns the paths of the modules that the current folder is part of: one, or all of a
// workspace; none if the go command knows of none.
func Modules(ctx context.Context) []string {
	out, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if err != nil {
		return nil
	}
	var all []string
	for _, m := range strings.Fields(string(out)) {
		if m != "command-line-arguments" && m != "std" {
			all = append(all, m)
		}
	}
	return all
}

// Packages returns the user's packages that a profile names, but for those of tests.
func Packages(p *prof.Profile, own site.Own) (all []string) {
	for _, f := range p.Function {
		pkg := prof.Frame{Func: f.Name}.Package()
		if own(pkg) && pkg != "main" && !strings.HasSuffix(pkg, "_test") && !slices.Contains(all, pkg) {
			all = append(all, pkg)
		}
	}
	slices.Sort(all)
	return all
}

// Owns reports whether any function of the profiles is the user's own.
func Owns(p *prof.Set, own site.Own) bool {
	for _, x := range []*prof.Profile{p.CPU, p.Allocs} {
		if x != nil && slices.ContainsFunc(x.Function, func(f *profile.Function) bool {
			return isOwn(prof.Frame{Func: f.Name, File: f.Filename}, own)
		}) {
			return true
		}
	}
	return false
}

// isOwn reports whether a function is the user's own.
func isOwn(f prof.Frame, own site.Own) bool {
	return own(f.Package()) && (f.Package() != "main" || mayBeMine(f.File))
}

// mayBeMine reports whether a file of a package main may be of the module that the current
// folder is in: every program has such a package, and every test. What is not here was
// built elsewhere.
func mayBeMine(file string) bool {
	dir, err := os.Getwd()
	if err != nil || filepath.Base(file) == "_testmain.go" {
		return false
	}
	if _, err := os.Stat(file); err != nil {
		return true
	}
	return strings.HasPrefix(file, dir+string(filepath.Separator))
}

// Locate finds the files of a program that was built elsewhere, or with -trimpath, by the packages of
// the current folder's module and what they need, and has the profiles name them.
func Locate(ctx context.Context, p *prof.Set, own site.Own) {
	var all []*prof.Profile
	missing := false
	for _, x := range []*prof.Profile{p.CPU, p.Allocs, p.Live} {
		if x != nil {
			all = append(all, x)
			missing = missing || x.Missing(own)
		}
	}
	if !missing {
		return
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-e", "-deps", "-test", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{.Name}}", "./...").Output()
	if err != nil {
		return // whyMissing says why
	}
	folders := prof.Folders{ByPath: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 || fields[1] == "" {
			continue
		}
		folders.ByPath[fields[0]] = fields[1]
		if fields[2] == "main" && !strings.HasSuffix(fields[0], ".test") {
			folders.Main = append(folders.Main, fields[1])
		}
	}
	for _, x := range all {
		x.Locate(folders)
	}
}

// whyMissing returns why the source of a profile's functions is not found.
func whyMissing(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD", "GOWORK").Output()
	if where := strings.Fields(strings.TrimSuffix(strings.TrimSpace(string(out)), "off")); err == nil && (len(where) == 0 || len(where) == 1 && where[0] == os.DevNull) {
		return "the current folder is in no module: go to that of the program's source, and run it again there"
	}
	return "the program's source is not here: neither where the profile says, nor in the packages of this module and what it needs; go to the module that has it, or check it out"
}
