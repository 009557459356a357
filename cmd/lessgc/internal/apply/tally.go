package apply

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"golang.org/x/perf/benchfmt"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
)

// A tally is what an operation of a benchmark allocates: of each figure the least of two short runs.
type tally struct {
	bytes, allocs float64
	iterations    int
}

// leastIterations is the number of iterations from which on a short run says what an operation allocates: what the first
// of them makes for all that follow is little by then.
const leastIterations = 5

// tallyTime is the duration of a short run.
const tallyTime = "100ms"

// tally ends a change after which the benchmarks that it is for allocate no less: that takes seconds to see, and tests and a
// comparison take minutes. A change that saves work besides goes on.
func (r *Runner) tally(ctx context.Context, c *candidate, _ string, files map[string][]byte) error {
	if c.lever.Saves.Work != (lever.Range{}) {
		return nil
	}
	args := r.tallyArgs(c.Gains)
	if args == nil {
		return nil
	}
	r.Progress.Step("counting what the benchmarks allocate")
	now, err := r.command(ctx, "go", args...)
	if err != nil {
		return err
	}
	if err := r.tree.Reset(ctx); err != nil { // benchmarks write files, too
		return err
	}
	before, err := r.command(ctx, "go", args...)
	if err := errors.Join(err, r.tree.Reset(ctx), r.tree.Write(files)); err != nil {
		return err
	}
	if asBefore(tallies(before.Stdout), tallies(now.Stdout)) {
		c.End(attempt.NoEffect, "the benchmarks that it is for allocate no less", "")
	}
	return nil
}

// tallyArgs has go run the benchmarks that a change is for; nil if it is not for benchmarks.
func (r *Runner) tallyArgs(gains []attempt.Gain) []string {
	if r.State.Load != "" || r.State.Exec != "" {
		return nil
	}
	its := slices.DeleteFunc(slices.Clone(gains), func(g attempt.Gain) bool { return !forIt(g) })
	pattern, packages, ok := benchmarksOf(its[:min(len(its), mostRows)])
	if !ok || len(packages) == 0 {
		return nil
	}
	args := []string{"test", "-vet=off", "-run=^$", "-bench=" + pattern, "-benchmem", "-benchtime=" + tallyTime, "-count=2"}
	return slices.Concat(args, r.tags(), packages)
}

// tallies reads the output of benchmarks. What did not run, or does not say what it allocates, is not there.
func tallies(output []byte) map[string]tally {
	all := map[string]tally{}
	for lines := benchfmt.NewReader(bytes.NewReader(output), ""); lines.Scan(); {
		x, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		size, ok := x.Value("B/op")
		allocs, counted := x.Value("allocs/op")
		if !ok || !counted {
			continue
		}
		key := x.GetConfig("pkg") + " " + string(x.Name)
		t := tally{size, allocs, x.Iters}
		if first, ok := all[key]; ok {
			t = tally{min(t.bytes, first.bytes), min(t.allocs, first.allocs), min(t.iterations, first.iterations)}
		}
		all[key] = t
	}
	return all
}

// asBefore reports whether all benchmarks allocate no less than before, as far as can be told; false if it cannot.
func asBefore(before, now map[string]tally) bool {
	for name, n := range now {
		b, ok := before[name]
		if !ok || min(b.iterations, n.iterations) < leastIterations || n.bytes < b.bytes*(1-leastSaved) || n.allocs < b.allocs*(1-leastSaved) {
			return false
		}
	}
	return len(now) > 0 && len(now) == len(before)
}
