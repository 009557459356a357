package compare

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/verdict"
)

// Which test files a comparison of two code versions runs, Config.Tests. "" is for new
// ones if they build with the old code, else for old ones with the new code, else for
// those of each version.
const (
	testsNew  = "new"
	testsBase = "base"
	testsOwn  = "own"
)

// ErrSameCode is returned if both sides are the same code: there is nothing to measure.
var ErrSameCode = errors.New("the code of every benchmark is the same in both versions")

// A pair are the binaries of a package in both versions, in one mode.
type pair struct {
	baseVariant, workVariant *variant
	base, work               *binary // nil if the version does not have the package
}

// pairs lists them, each pair of binaries once.
func (r *Run) pairs() []pair {
	var all []pair
	seen := map[[2]*binary]bool{}
	for _, base := range r.variants {
		i := slices.IndexFunc(r.variants, func(v *variant) bool { return v.mode.Name == base.mode.Name && v.version == "work" })
		if base.version != "base" || i < 0 || base.err != "" || r.variants[i].err != "" {
			continue
		}
		work := r.variants[i]
		for _, path := range importPaths(base, work) {
			p := pair{base, work, base.binary(path), work.binary(path)}
			if key := [2]*binary{p.base, p.work}; !seen[key] {
				seen[key] = true
				all = append(all, p)
			}
		}
	}
	return all
}

func importPaths(variants ...*variant) []string {
	var all []string
	for _, v := range variants {
		for _, p := range v.pkgs {
			all = append(all, p.ImportPath)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (v *variant) binary(importPath string) *binary {
	i := slices.IndexFunc(v.bins, func(b *binary) bool { return b.pkg.ImportPath == importPath })
	if i < 0 {
		return nil
	}
	return v.bins[i]
}

// crossPackages gives each version the packages that only the other has benchmarks in,
// if its test files are to be used there as well.
func (r *Run) crossPackages() {
	tests := r.config().Tests
	if r.config().Base == "" || tests == testsOwn {
		return
	}
	to, from := "base", "work"
	if tests == testsBase {
		to, from = from, to
	}
	for _, v := range r.variants {
		if v.version != to || v.err != "" {
			continue
		}
		i := slices.IndexFunc(r.variants, func(o *variant) bool { return o.mode.Name == v.mode.Name && o.version == from })
		for _, p := range r.variants[i].pkgs {
			if slices.ContainsFunc(v.pkgs, func(own build.Package) bool { return own.ImportPath == p.ImportPath }) {
				continue
			}
			if dir, ok := there(p.Dir, r.variants[i].dir, v.dir); ok {
				v.pkgs = append(v.pkgs, build.Package{ImportPath: p.ImportPath, Dir: dir, Benchmarks: p.Benchmarks})
			}
		}
	}
}

// there is the folder below to that dir is below from, or beside it in the same way. ok
// is false if there is no such folder with Go code.
func there(dir, from, to string) (string, bool) {
	if real, err := filepath.EvalSymlinks(from); err == nil && !strings.HasPrefix(dir, from) {
		from = real
	}
	rel, err := filepath.Rel(from, dir)
	if err != nil {
		return "", false
	}
	other := filepath.Join(to, rel)
	return other, len(filesOf(other, ".go")) > 0
}

// crossTests has binaries built with the test files of the other version.
func (r *Run) crossTests() {
	for _, p := range r.pairs() {
		switch tests := r.config().Tests; {
		case p.base == nil || p.work == nil || tests == testsOwn:
		case tests == testsBase:
			p.work.testsOf = p.base.pkg.Dir
		default:
			p.base.testsOf = p.work.pkg.Dir
		}
	}
}

// fallBack finds other test files where new ones do not build with the old code.
func (r *Run) fallBack(ctx context.Context) error {
	if r.config().Tests != "" {
		return nil
	}
	for _, p := range r.pairs() {
		if p.base == nil || p.work == nil || p.base.testsOf == "" || p.base.err == nil || p.work.err != nil {
			continue
		}
		path, why := p.base.pkg.ImportPath, p.base.err
		r.Progress.Step("building %s in %s with test files of its own", path, p.baseVariant.label())
		p.base.testsOf = ""
		if p.base.err = r.build(ctx, p.baseVariant, p.base); ctx.Err() != nil {
			return ctx.Err()
		}
		if p.base.err != nil { // it is not the tests
			continue
		}
		r.Progress.Step("building %s in %s with the test files of the base revision", path, p.workVariant.label())
		old := *p.work
		old.path, old.testsOf = p.work.path+".old", p.base.pkg.Dir
		if old.err = r.build(ctx, p.workVariant, &old); ctx.Err() != nil {
			return ctx.Err()
		}
		if old.err == nil {
			*p.work = old
			r.note("%s: the new test files do not build with the code of the base revision (%v); both versions run those of the base revision", path, why)
			continue
		}
		r.note("%s: neither version builds with the test files of the other (%v); each runs its own", path, why)
	}
	return nil
}

// tests returns what an overlay replaces to build b with the test files of another
// folder: nothing if they are its own.
func (b *binary) tests() map[string]string {
	if b.testsOf == "" {
		return nil
	}
	replace := map[string]string{}
	for _, file := range filesOf(b.pkg.Dir, "_test.go") {
		replace[file] = ""
	}
	for _, file := range filesOf(b.testsOf, "_test.go") {
		replace[filepath.Join(b.pkg.Dir, filepath.Base(file))] = file
	}
	return replace
}

// filesOf lists the files of a folder whose names end in suffix, by name. There are none
// in a folder that cannot be read.
func filesOf(dir, suffix string) []string {
	entries, _ := os.ReadDir(dir)
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}

// leaveOutSame takes the packages out whose benchmarks run the same code in both
// versions, before anything is built.
func (r *Run) leaveOutSame(ctx context.Context) error {
	if r.config().Base == "" {
		return nil
	}
	same, differs := map[string]bool{}, map[string]bool{}
	for _, p := range r.pairs() {
		if p.base == nil || p.work == nil {
			continue
		}
		path := p.work.pkg.ImportPath
		r.Progress.Step("looking whether the code of %s is the same in both versions", path)
		old, err := r.codeOf(ctx, p.baseVariant, p.base)
		if err != nil {
			differs[path] = true // the build says why
			continue
		}
		now, err := r.codeOf(ctx, p.workVariant, p.work)
		if err != nil || now != old {
			differs[path] = true
		} else {
			same[path] = true
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	left := false
	var out []string
	for _, v := range r.variants {
		keep := func(path string) bool { return !same[path] || differs[path] }
		for _, p := range v.pkgs {
			if keep(p.ImportPath) {
				left = true
			} else {
				out = append(out, p.ImportPath)
			}
		}
		v.pkgs = slices.DeleteFunc(v.pkgs, func(p build.Package) bool { return !keep(p.ImportPath) })
		v.bins = slices.DeleteFunc(v.bins, func(b *binary) bool { return !keep(b.pkg.ImportPath) })
	}
	if !left {
		return ErrSameCode
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) > 0 {
		r.note("same code in both versions, not measured: %s", verdict.FirstOf(5, out))
	}
	return nil
}

// codeOf digests all that a test binary is made of: the files of its packages, but for
// those of the standard library and of modules that have a version, and the settings.
func (r *Run) codeOf(ctx context.Context, v *variant, b *binary) (string, error) {
	replace := b.tests()
	o, err := build.NewOverlay(r.tmp, "", replace)
	if err != nil {
		return "", err
	}
	sources, err := build.Sources(ctx, v.dir, v.mode, o, b.pkg.ImportPath)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, s := range sources {
		fmt.Fprintf(sum, "%q %q\n", s.Name, s.Settings)
		for _, file := range s.Files {
			if err := digest(sum, file, replace); err != nil {
				return "", err
			}
		}
	}
	return string(sum.Sum(nil)), nil
}

// digest adds a file's name and content to a sum.
func digest(sum hash.Hash, file string, replace map[string]string) error {
	content := file
	if other, ok := replace[file]; ok {
		content = other
	}
	f, err := os.Open(content)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%q %d\n", filepath.Base(file), info.Size())
	_, err = io.Copy(sum, f)
	return err
}
