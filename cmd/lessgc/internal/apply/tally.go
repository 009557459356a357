package apply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

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

// mostTallied is the number of benchmarks of which is counted what they allocate.
const mostTallied = 20

// tally ends a change after which the benchmarks that it is for allocate no less: that takes seconds to see, and tests and a
// comparison take minutes. A change that saves work besides goes on. Benchmarks that come by the change and allocate more are measured
// before the others.
func (r *Runner) tally(ctx context.Context, c *candidate, _ string, files map[string][]byte) error {
	args := r.tallyArgs(c.Gains)
	if args == nil {
		return nil
	}
	r.Progress.Step("counting what the benchmarks allocate")
	o, err := r.command(ctx, "go", args...)
	if err != nil {
		return err
	}
	now := tallies(o.Stdout)
	if err := r.tree.Reset(ctx); err != nil { // benchmarks write files, too
		return err
	}
	o, err = r.command(ctx, "go", args...)
	if err := errors.Join(err, r.tree.Reset(ctx), r.tree.Write(files)); err != nil {
		return err
	}
	before := tallies(o.Stdout)
	if its := meant(c.Gains); c.lever.Saves.Work == (lever.Range{}) && asBefore(only(before, its), only(now, its)) {
		c.End(attempt.NoEffect, "the benchmarks that it is for allocate no less", "")
		return nil
	}
	c.Gains = costliest(c.Gains, before, now)
	return nil
}

// meant are the gains of the benchmarks that a change is for, as many as are measured.
func meant(gains []attempt.Gain) []attempt.Gain {
	its := slices.DeleteFunc(slices.Clone(gains), func(g attempt.Gain) bool { return !forIt(g) })
	return its[:min(len(its), mostRows)]
}

// tallyArgs has go run the benchmarks of gains; nil if none is a reason for a change, or it is not one of benchmarks.
func (r *Runner) tallyArgs(gains []attempt.Gain) []string {
	if r.State.Load != "" || r.State.Exec != "" || len(meant(gains)) == 0 {
		return nil
	}
	pattern, packages, ok := benchmarksOf(gains[:min(len(gains), mostTallied)])
	if !ok {
		return nil
	}
	args := []string{"test", "-vet=off", "-run=^$", "-bench=" + pattern, "-benchmem", "-benchtime=" + tallyTime, "-count=2"}
	return slices.Concat(args, r.tags(), packages)
}

// tallies reads the output of benchmarks, and returns what they allocate by their names, as in a Gain. What did not run, or does not
// say what it allocates, is not there.
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
		name := string(x.Name)
		if _, parts := x.Name.Parts(); len(parts) > 0 {
			if last := string(parts[len(parts)-1]); last[0] == '-' { // GOMAXPROCS
				name = strings.TrimSuffix(name, last)
			}
		}
		key := x.GetConfig("pkg") + ".Benchmark" + name
		t := tally{size, allocs, x.Iters}
		if first, ok := all[key]; ok {
			t = tally{min(t.bytes, first.bytes), min(t.allocs, first.allocs), min(t.iterations, first.iterations)}
		}
		all[key] = t
	}
	return all
}

// only are the tallies of some benchmarks.
func only(all map[string]tally, gains []attempt.Gain) map[string]tally {
	its := map[string]tally{}
	for _, g := range gains {
		if t, ok := all[g.Benchmark]; ok {
			its[g.Benchmark] = t
		}
	}
	return its
}

// mostCostly is the number of benchmarks that are measured before others because they allocate more.
const mostCostly = 2

// costliest puts the benchmarks that allocate more than before behind the one that a change matters most to, the largest share first.
func costliest(gains []attempt.Gain, before, now map[string]tally) []attempt.Gain {
	extra := func(g attempt.Gain) float64 {
		b, ok := before[g.Benchmark]
		n := now[g.Benchmark]
		if !ok || min(b.iterations, n.iterations) < leastIterations {
			return 0
		}
		return max(surplus(b.bytes, n.bytes), surplus(b.allocs, n.allocs))
	}
	if len(gains) < 2 {
		return gains
	}
	rest := slices.Clone(gains[1:])
	slices.SortStableFunc(rest, func(a, b attempt.Gain) int { return cmp.Compare(extra(b), extra(a)) })
	costly := 0
	for costly < min(len(rest), mostCostly) && extra(rest[costly]) > 0 {
		costly++
	}
	first := append([]attempt.Gain{gains[0]}, rest[:costly]...)
	for _, g := range gains[1:] {
		if !slices.ContainsFunc(rest[:costly], func(x attempt.Gain) bool { return x.Benchmark == g.Benchmark }) {
			first = append(first, g)
		}
	}
	return first
}

// surplus is how much more a benchmark allocates, as a share, if that can be told; else 0.
func surplus(before, now float64) float64 {
	if now-before < 1 || now <= before*(1+leastMore) {
		return 0
	}
	return (now - before) / max(before, 1)
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
