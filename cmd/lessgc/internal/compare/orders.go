package compare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/session"
)

// orders records the orders in which binaries have their functions. Where the linker puts a
// function makes a benchmark up to ten percent faster or slower (bench/results/variance.md),
// and a change of code anywhere moves it: two binaries, however long they run, tell what the
// code does and what its layout does together. So binaries that differ are linked again and
// again, with their functions in another random order each time (the linker's
// -randlayout), and each link is one sample of the comparison.
type orders struct {
	block    int           // number of the last link, of an earlier run too
	inUse    int           // the number of the link in use; 0 for the linker's own order
	links    []*link       // binaries that are linked anew
	spent    time.Duration // on linking
	measured time.Duration // by rounds
}

// mostLinkers limits the binaries that are linked at a time: a linker may take some hundred
// megabytes.
const mostLinkers = 4

// A link is a binary that is linked anew.
type link struct {
	v     *variant
	b     *binary
	files []string // its sources, but for those of the toolchain and of the module cache
	seen  string   // their state at first
	twice bool     // an A/A cell runs it: in the order before
}

// planOrders finds the binaries that are to be linked anew: those of packages that
// compare one binary with another.
func (r *Run) planOrders(ctx context.Context) error {
	s := r.Dir.Session
	if !r.benchmarks() || r.config().OneLink {
		return nil
	}
	for _, t := range r.Done {
		r.orders.block = max(r.orders.block, t.Link)
	}
	for c, cell := range s.Cells {
		if cell.Ref < 0 || cell.AA || cell.Err != "" {
			continue
		}
		for _, row := range s.Rows {
			if row.Bench[c] == "" || row.Bench[cell.Ref] == "" {
				continue
			}
			ref := s.Cells[cell.Ref]
			x, y := r.binaryOf(cell, row), r.binaryOf(ref, row)
			if x == nil || y == nil || x.info.SHA256 == y.info.SHA256 {
				continue
			}
			r.orders.add(r.variantOf(cell), x, false)
			r.orders.add(r.variantOf(ref), y, hasCopy(s.Cells, cell.Ref))
		}
	}
	for _, l := range r.orders.links {
		var err error
		if strings.Contains(r.timedOverlay(ctx, l.v).goflags, "-ldflags") {
			err = errors.New("GOFLAGS has -ldflags of its own")
		} else {
			l.files, err = sourceFiles(ctx, l)
			l.seen = look(l.files)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			r.oneOrder(fmt.Sprintf("%s in mode %s: %v", l.b.pkg.ImportPath, l.v.label(), err))
			break
		}
	}
	return nil
}

// hasCopy reports whether a cell runs a second time, as A/A.
func hasCopy(cells []session.Cell, ref int) bool {
	return slices.ContainsFunc(cells, func(c session.Cell) bool { return c.AA && c.Ref == ref })
}

func (o *orders) add(v *variant, b *binary, twice bool) {
	i := slices.IndexFunc(o.links, func(l *link) bool { return l.b == b })
	if i < 0 {
		i = len(o.links)
		o.links = append(o.links, &link{v: v, b: b})
	}
	o.links[i].twice = o.links[i].twice || twice
}

// oneOrder stays with the order in use.
func (r *Run) oneOrder(why string) {
	r.orders.links = nil
	r.note("binaries are not linked again in other orders of their functions, so a small difference may be one of their layout only: %s", why)
}

// nextOrder links the binaries anew for the next round, if that pays: for each of the
// first rounds, because there is no interval before, and then when linking has not taken
// more time than the rounds since. That is about the best division of a time where the orders
// matter as much as all other noise.
func (r *Run) nextOrder(ctx context.Context) error {
	o := &r.orders
	if len(o.links) == 0 || o.block >= firstLook && o.spent > o.measured {
		return nil
	}
	began := r.now()
	first := func(l *link) bool { return l.twice && l.b.now == "" }
	all := func(*link) bool { return true }
	ok, err := r.linkAnew(ctx, o.block+1, "first", first)
	if ok {
		ok, err = r.linkAnew(ctx, o.block+2, fmt.Sprint(o.block), all)
	}
	if !ok {
		return err
	}
	o.block++
	o.inUse = o.block
	if o.spent += r.now().Sub(began); o.block <= firstLook {
		o.spent, o.measured = 0, 0
	}
	return nil
}

// linkAnew links binaries with their functions in the order of a number, several at a
// time: nothing is measured meanwhile. If one cannot be linked, all stay as they are, from
// then on.
func (r *Run) linkAnew(ctx context.Context, number int, name string, wanted func(*link) bool) (ok bool, err error) {
	var links []*link
	for _, l := range r.orders.links {
		if wanted(l) {
			links = append(links, l)
		}
	}
	files, errs := make([]string, len(links)), make([]error, len(links))
	var all sync.WaitGroup
	turn := make(chan bool, min(runtime.NumCPU(), mostLinkers))
	for i, l := range links {
		r.Progress.Step("linking %s in mode %s with its functions in another order", l.b.pkg.ImportPath, l.v.label())
		turn <- true
		all.Go(func() {
			files[i] = fmt.Sprintf("%s.%s.test", strings.TrimSuffix(l.b.path, filepath.Ext(l.b.path)), name)
			if errs[i] = l.b.relink(ctx, files[i], r.config().Seed%1e9+r.salted(number)); errs[i] == nil && look(l.files) != l.seen {
				errs[i] = fmt.Errorf("a source file of %s was changed while it was measured", l.b.pkg.ImportPath)
			}
			<-turn
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err := cmp.Or(errs...); err != nil {
		r.oneOrder(err.Error())
		return false, nil
	}
	for i, l := range links {
		if l.b.before != "" {
			os.Remove(l.b.before)
		}
		l.b.before, l.b.now = l.b.now, files[i]
	}
	return true, nil
}

// sourceFiles are the files that a test binary is made of and that may change.
func sourceFiles(ctx context.Context, l *link) ([]string, error) {
	sources, err := build.Sources(ctx, l.v.dir, l.v.mode, build.Overlay{}, l.b.pkg.ImportPath)
	var files []string
	for _, s := range sources {
		files = append(files, s.Files...)
	}
	return files, err
}

// look lists the files in the folders of files, with the time of their last change.
func look(files []string) string {
	sum := sha256.New()
	dirs := map[string]bool{}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			fmt.Fprintln(sum, file, info.Size(), info.ModTime().UnixNano())
		}
		dirs[filepath.Dir(file)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		fmt.Fprintln(sum, names)
	}
	return string(sum.Sum(nil))
}

// inOrder is the binary with the order in use; for an A/A cell, in that before it.
func (b *binary) inOrder(again bool) *binary {
	if b == nil || b.now == "" {
		return b
	}
	c := *b
	if c.path = b.now; again && b.before != "" {
		c.path = b.before
	}
	return &c
}
