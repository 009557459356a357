package collect

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/coverage"
	"lessgc/cmd/lessgc/internal/mode"
)

// A benchmark is counted for countTime of what it takes without counters, and for mostCounted
// iterations at most: they all do the same.
const (
	countTime   = 0.1 // seconds
	mostCounted = 2000
)

// Count runs the benchmarks once more, with counters in some packages, and returns how often each
// statement is executed, without what they set up; nil if there is nothing to count. step is called at
// each step.
func (runs Runs) Count(ctx context.Context, packages []string, step func(string, ...any)) (*coverage.Profile, error) {
	if len(packages) == 0 || len(runs) == 0 {
		return nil, nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	ctx, tmp, remove, err := build.NewTemp(ctx)
	if err != nil {
		return nil, err
	}
	defer remove()
	all := new(coverage.Profile)
	for i, r := range runs {
		step("building the tests of %s with counters", r.pkg.ImportPath)
		counted := &benchmarks{pkg: r.pkg, binary: filepath.Join(tmp, fmt.Sprintf("%d.test", i)), tmp: tmp, bench: r.bench, perOp: r.perOp}
		if err := build.Covered(ctx, wd, mode.Default(), r.pkg.ImportPath, counted.binary, packages); err != nil {
			return nil, err
		}
		step("running the benchmarks of %s, for counts", r.pkg.ImportPath)
		if err := counted.count(ctx, all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// count adds the counts of each benchmark, or of all together if they cannot run alone: with what they
// set up, then.
func (r *benchmarks) count(ctx context.Context, to *coverage.Profile) error {
	if r.perOp == nil {
		counts, err := r.counts(ctx, "-test.bench="+r.bench, "-test.benchtime=50ms")
		if err == nil {
			to.Add(counts)
		}
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.perOp)) {
		n := min(max(2*setUp, int64(countTime/r.perOp[name])), mostCounted)
		counts, err := r.counts(ctx, build.Only(name, fmt.Sprintf("%dx", setUp+n))...)
		if err != nil {
			return err
		}
		before, err := r.counts(ctx, build.Only(name, fmt.Sprintf("%dx", setUp))...)
		if err != nil {
			return err
		}
		counts.Less(before)
		to.Add(counts)
	}
	return nil
}

// counts runs benchmarks for counts.
func (r *benchmarks) counts(ctx context.Context, flags ...string) (*coverage.Profile, error) {
	name := filepath.Join(r.tmp, coverageFile)
	if err := r.run(ctx, append(flags, "-test.coverprofile="+name)...); err != nil {
		return nil, err
	}
	return coverage.ReadFile(name)
}
