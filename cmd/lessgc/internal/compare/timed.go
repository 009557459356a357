package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/timed"
	"lessgc/cmd/lessgc/internal/trial"
)

// An overlay makes the toolchain of a GOROOT time regions, or holds the reason why nothing does.
type overlay struct {
	root    string // for build.Overlay
	replace map[string]string
	goflags string // GOFLAGS of the variant
	err     error
}

// timedOverlay returns the overlay for the toolchain of a variant. Its err says why
// benchmarks can only be seen as whole processes.
func (r *Run) timedOverlay(ctx context.Context, v *variant) overlay {
	if v.overlay == nil {
		o := r.findOverlay(ctx, v)
		v.overlay = &o
	}
	return *v.overlay
}

// TimedOverlay returns the overlay by which test binaries that a mode builds in dir report the timed regions of their benchmarks:
// the GOROOT and the replaced files of a build.Overlay. tmp holds the files until the binaries are built. The error
// says why benchmarks can only be seen as whole processes.
func TimedOverlay(ctx context.Context, tmp, dir string, m mode.Mode) (root string, replace map[string]string, err error) {
	o := (&Run{tmp: tmp}).findOverlay(ctx, &variant{dir: dir, mode: m})
	return o.root, o.replace, o.err
}

func (r *Run) findOverlay(ctx context.Context, v *variant) overlay {
	out, err := build.Go(ctx, v.dir, v.mode, "env", "GOROOT", "GOOS", "GOMODCACHE", "GOFLAGS")
	if err != nil {
		return overlay{err: err}
	}
	words := strings.SplitN(string(out), "\n", 4)
	if len(words) < 4 {
		return overlay{err: fmt.Errorf("go env answered %q", trial.Short(string(out)))}
	}
	root, system, cache, flags := words[0], words[1], words[2], words[3]
	switch {
	case !slices.Contains(timed.Systems, system):
		return overlay{goflags: flags, err: fmt.Errorf("CPU clocks on %s are not known to lessgc", system)}
	case strings.Contains(flags, "-overlay"):
		return overlay{goflags: flags, err: errors.New("GOFLAGS has an -overlay of its own")}
	}
	o, ok := r.overlays[root]
	if !ok {
		o = r.writeOverlay(root, cache)
		if r.overlays == nil {
			r.overlays = map[string]overlay{}
		}
		r.overlays[root] = o
	}
	o.goflags = flags
	return o
}

// writeOverlay makes the overlay of a GOROOT.
func (r *Run) writeOverlay(root, cache string) (o overlay) {
	seen := root
	// The go command replaces nothing below the module cache, where the toolchains are
	// that it fetches. By another name they are not below it. That name is one that
	// stays: binaries hold it, and one that is built later is to be the same.
	if rel, err := filepath.Rel(cache, root); err == nil && filepath.IsLocal(rel) {
		if seen, err = linkTo(root); err != nil {
			return overlay{err: err}
		}
		o.root = seen
	}
	dir, err := os.MkdirTemp(r.tmp, "timed-")
	if err != nil {
		return overlay{err: err}
	}
	o.replace, o.err = timed.Overlay(dir, seen)
	return o
}

// linkTo returns the name of a symbolic link to a toolchain, in the user's cache folder.
func linkTo(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "lessgc", "goroot")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	link := filepath.Join(dir, filepath.Base(root))
	if to, err := os.Readlink(link); err == nil && to == root {
		return link, nil
	}
	// Another lessgc may do the same: whoever renames last has made the same link.
	next := fmt.Sprintf("%s.%d", link, os.Getpid())
	os.Remove(next) // of a process that was killed
	if err := os.Symlink(root, next); err != nil {
		return "", err
	}
	return link, os.Rename(next, link)
}

// buildTest builds a test binary, if it can be so that it tells its regions.
func (r *Run) buildTest(ctx context.Context, v *variant, b *binary) error {
	tests := b.tests()
	o := r.timedOverlay(ctx, v)
	err := o.err
	if err == nil {
		if err = r.buildWith(ctx, v, b, o.root, tests, o.replace); err == nil {
			b.timed = true
			return nil
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// The plain build says what is wrong with the code, if that is it.
	if plain := r.buildWith(ctx, v, b, "", tests); plain != nil {
		return plain
	}
	r.noteUntimed(b.pkg.ImportPath, v, err)
	return nil
}

// build builds a test binary and looks at it.
func (r *Run) build(ctx context.Context, v *variant, b *binary) error {
	b.timed = false
	return finish(b, r.buildTest(ctx, v, b))
}

func (r *Run) buildWith(ctx context.Context, v *variant, b *binary, root string, replacements ...map[string]string) error {
	all := map[string]string{}
	for _, replace := range replacements {
		maps.Copy(all, replace)
	}
	var o build.Overlay
	if len(all) > 0 {
		var err error
		if o, err = build.NewOverlay(r.tmp, root, all); err != nil {
			return err
		}
	}
	b.relink = func(ctx context.Context, file string, order uint64) error {
		return build.Test(ctx, v.dir, v.mode, b.pkg.ImportPath, file, o, order)
	}
	return b.relink(ctx, b.path, 0)
}

func (r *Run) noteUntimed(importPath string, v *variant, err error) {
	r.note("%s in mode %s is measured as a whole process, with start and set-up: %v", importPath, v.label(), err)
}

// checkTimed finds out whether a binary tells its regions, from the file of a run with
// one iteration each: one whose TestMain starts another process may not.
func (r *Run) checkTimed(v *variant, b *binary, file string) {
	for _, l := range b.names {
		if !b.timed {
			return
		}
		if _, err := timed.Read(file, "Benchmark"+l.name, 1); err != nil {
			b.timed = false
			r.noteUntimed(b.pkg.ImportPath, v, err)
		}
	}
}

// alike has all binaries of a package tell their regions, or none: what is compared is
// to be the same.
func (r *Run) alike() {
	untimed := map[string]bool{}
	for _, v := range r.variants {
		for _, b := range v.bins {
			if b.err == nil && !b.timed {
				untimed[b.pkg.ImportPath] = true
			}
		}
	}
	for _, v := range r.variants {
		for _, b := range v.bins {
			b.timed = b.timed && !untimed[b.pkg.ImportPath]
		}
	}
}

// regionFile names a file for regions, which is not there yet.
func (r *Run) regionFile() string {
	return filepath.Join(r.tmp, fmt.Sprintf("region-%d", regionFiles.Add(1)))
}

var regionFiles atomic.Int64

// runTimed runs one benchmark, named with "Benchmark", n times, and tells its timed
// region if the binary does. The collections are then those of the region.
func (r *Run) runTimed(ctx context.Context, v *variant, b *binary, at slot, name string, n int) (trial.Outcome, *timed.Region, error) {
	args := build.Only(name, fmt.Sprintf("%dx", n))
	if !b.timed {
		c := r.benchCommand(v, b, at.cpu, args)
		c.Count = true
		o, err := r.runProcess(ctx, c)
		return o, nil, err
	}
	file := r.regionFile()
	defer os.Remove(file)
	var region *timed.Region
	var missing error
	args = append(args, timed.Flag+"="+file)
	if at.turns != nil {
		args = append(args, fmt.Sprintf("%s=%d:%s", timed.TurnsFlag, n, at.turns.File))
	}
	c := r.benchCommand(v, b, at.cpu, args)
	c.Count, c.CounterFlag = true, timed.CounterFlag
	c.Cycles = func(cycle int) bool {
		if region == nil && missing == nil {
			region, missing = timed.Read(file, name, n)
		}
		return missing == nil && region.Has(cycle)
	}
	o, err := r.runProcess(ctx, c)
	c.Cycles(0) // there may have been no collection
	if err == nil && !o.Failed() {
		err = missing
	}
	return o, region, err
}
