package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/diff"
	"lessgc/cmd/lessgc/internal/flame"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/progress"
	"lessgc/cmd/lessgc/internal/render"
	"lessgc/cmd/lessgc/internal/site"
	"lessgc/cmd/lessgc/internal/source"
	"lessgc/cmd/lessgc/internal/watch"
)

const diffHelp = `usage: lessgc diff [flags] BEFORE AFTER
       lessgc diff [flags] DIR

Diff shows what changed between two states of a program: CPU time, allocated bytes
and the cost of GC, by function and as flame graphs, and the runtime's metrics.
BEFORE and AFTER are profiles (several separated by commas), result folders of lessgc
advise, profile folders of lessgc compare, recordings of lessgc watch, addresses of
services, or time ranges of a profile store. If BEFORE is a folder of advise, its
predictions for the levers applied since are compared with the measurement. DIR is a
result folder of lessgc compare -profiles or -load.

  lessgc diff before.pprof after.pprof
  lessgc diff lessgc-results/20261121-101500 lessgc-results/20261122-093000
  lessgc diff -took preallocate@codec/x.go:12 before-folder after-folder
  lessgc diff DIR/profiles/oldgc/Decode DIR/profiles/greentea/Decode
  lessgc diff -requests 120000,118000 cpu1.pprof,allocs1.pprof cpu2.pprof,allocs2.pprof
  lessgc diff monday.watch tuesday.watch
  lessgc diff http://old:6060 http://new:6060
  lessgc diff -parca http://localhost:7070 -query '{job="checkout"}' -- -26h..-25h -2h..-1h

Exit status: 0 done; 2 a profile could not be read or taken.
`

// diffFlags are the flags of diff.
type diffFlags struct {
	sourceFlags
	requests string
	took     list
	modules  list
	n        int
	out      string
	json     bool
}

func (f *diffFlags) register(flags *flag.FlagSet) {
	f.sourceFlags.register(flags)
	flags.StringVar(&f.requests, "requests", "", "number of requests, `BEFORE,AFTER`, that the profiles cover: values are then per request")
	flags.Var(&f.took, "took", "lever that was taken, as `LEVER@FILE:LINE` in the advice of BEFORE, or LEVER for one of the whole program; repeatable\n(default: the first lever of each line that is gone or allocates at most half)")
	flags.Var(&f.modules, "module", "mark packages below this import `path` as yours in the flame graphs, repeatable (default the module of the current folder)")
	flags.IntVar(&f.n, "n", 15, "show the top `n` functions of each kind")
	flags.StringVar(&f.out, "o", "", "`folder` for the results (default a new one in lessgc-results)")
	flags.BoolVar(&f.json, "json", false, "print everything as JSON instead of tables")
}

func runDiff(ctx context.Context, e *env, args []string) int {
	var f diffFlags
	flags := flag.NewFlagSet("diff", flag.ContinueOnError)
	f.register(flags)
	if status, done := e.parse(flags, diffHelp, args); done {
		return status
	}
	if f.n < 1 {
		return e.fail(errors.New("-n is at least 1"))
	}
	if err := cmp.Or(f.check(), checkFolder(f.out, diffFile, pageFile)); err != nil {
		return e.fail(err)
	}
	states, err := statesOf(flags.Args())
	if err != nil {
		return e.fail(err)
	}
	before, after, err := f.sides(ctx, e.progress(), states)
	if ctx.Err() != nil {
		return e.fail(errors.New("interrupted"))
	}
	if err != nil {
		return e.fail(err)
	}
	r := diff.New(before, after)
	if r.CPU == nil && r.Bytes == nil && r.Runtime == nil {
		return e.fail(fmt.Errorf("%s and %s have nothing in common to compare: give profiles of the same kind, or recordings, of both", before.Name, after.Name))
	}
	dir, err := f.write(ctx, before, after, r, mode.HideArgs(append([]string{"diff"}, args...)))
	if err != nil {
		return e.fail(err)
	}
	if f.json {
		err = render.DiffJSON(e.stdout, r)
	} else {
		err = e.text().Diff(e.stdout, r, f.n)
	}
	if err != nil {
		return e.fail(err)
	}
	fmt.Fprintf(e.stderr, "report: %s\n", filepath.Join(dir, pageFile))
	return exitClean
}

// sides reads both.
func (f *diffFlags) sides(ctx context.Context, printer *progress.Printer, args []string) (before, after diff.Side, err error) {
	counts := []float64{0, 0}
	if f.requests != "" {
		if counts, err = twoCounts(f.requests); err != nil {
			return before, after, err
		}
	}
	if before, err = f.side(ctx, printer, args[0]); err != nil {
		return before, after, err
	}
	if after, err = f.side(ctx, printer, args[1]); err != nil {
		return before, after, err
	}
	before.Requests, after.Requests = counts[0], counts[1]
	for _, text := range f.took {
		took, err := diff.ParseTook(before.Advice, text)
		if err != nil {
			return before, after, err
		}
		before.Took = append(before.Took, took)
	}
	return before, after, nil
}

func twoCounts(text string) ([]float64, error) {
	var counts []float64
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(n > 0) || n > 1e18 {
			return nil, fmt.Errorf("-requests %s: two numbers of requests are wanted, such as 120000,118000", text)
		}
		counts = append(counts, n)
	}
	if len(counts) != 2 {
		return nil, fmt.Errorf("-requests %s: two numbers of requests are wanted, such as 120000,118000", text)
	}
	return counts, nil
}

// side reads one state of whatever the argument is.
func (f *diffFlags) side(ctx context.Context, printer *progress.Printer, arg string) (s diff.Side, err error) {
	s.Name = mode.HideArgs([]string{arg})[0]
	switch {
	case f.stores():
		s.Profiles, err = f.fleet(ctx, printer, arg)
		return s, err
	case isService(arg):
		got, err := f.service(ctx, printer, arg)
		if err != nil {
			return s, err
		}
		s.Profiles, s.Runtime, s.Source = got.Set, got.summary(), got.header.Source
		return s, nil
	}
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		return folderSide(arg)
	}
	if r, err := watch.ReadFile(arg); err == nil {
		s.Runtime, s.Source = &r.Summary, r.Source
		return s, nil
	} else if strings.HasSuffix(arg, ".jsonl") || strings.HasSuffix(arg, ".watch") {
		return s, err
	}
	s.Profiles, err = collect.Files(strings.Split(arg, ","))
	return s, err
}

// folderSide reads a folder that advise or compare has written.
func folderSide(dir string) (s diff.Side, err error) {
	s.Name = dir
	if s.Runtime, s.Source, err = recorded(dir); err != nil {
		return s, err
	}
	s.Profiles, err = collect.Folder(dir)
	if err != nil {
		if s.Runtime != nil && errors.Is(err, collect.ErrNoProfiles) {
			return s, nil
		}
		return s, compared(dir, err)
	}
	s.Advice, err = readAdvice(filepath.Join(dir, adviceFile))
	return s, err
}

func (f *diffFlags) write(ctx context.Context, before, after diff.Side, r *diff.Report, command []string) (string, error) {
	dir, err := resultFolder(f.out)
	if err != nil {
		return "", err
	}
	if err := create(filepath.Join(dir, diffFile), func(w io.Writer) error { return render.DiffJSON(w, r) }); err != nil {
		return "", err
	}
	if len(f.modules) == 0 {
		f.modules = source.Modules(ctx)
	}
	own := site.Module(f.modules...)
	graphs := flame.Diffs(flameProfiles(before.Profiles, own), flameProfiles(after.Profiles, own), r.CPU.Work(), r.Bytes.Work())
	return dir, create(filepath.Join(dir, pageFile), func(w io.Writer) error { return render.DiffHTML(w, r, graphs, command) })
}

func flameProfiles(p *prof.Set, own site.Own) flame.Profiles {
	if p == nil {
		return flame.Profiles{}
	}
	return flame.Profiles{CPU: p.CPU, Allocs: p.Allocs, Own: own}
}
