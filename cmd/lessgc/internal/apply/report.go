package apply

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/version"
)

// Finish measures all kept changes together, and writes the patches.
func (r *Runner) Finish(ctx context.Context, person []attempt.Person) (*attempt.Report, error) {
	report := &attempt.Report{State: *r.State, Attempts: r.Attempts, Person: person}
	report.Tool = version.Tool()
	patches, err := r.tree.Patches(ctx)
	if err != nil || patches == "" {
		return report, err
	}
	if err := os.WriteFile(filepath.Join(r.results, attempt.PatchFile), []byte(patches+"\n"), 0o666); err != nil {
		return report, err
	}
	r.Progress.Step("measuring all changes together, for at most %v", r.State.Time)
	gains := r.keptGains()
	report.Total, report.Mean, err = r.compare(ctx, filepath.Join(r.results, "compare-total"), r.State.Base, gains, r.State.Time)
	if ctx.Err() != nil {
		return report, ctx.Err()
	}
	if err != nil {
		report.Problem = err.Error()
	}
	return report, nil
}

// keptGains are the benchmarks that kept changes are about, each once, without predictions: those are not of the sum.
func (r *Runner) keptGains() (all []attempt.Gain) {
	for _, a := range r.Attempts {
		if a.Outcome != attempt.Kept {
			continue
		}
		for _, g := range a.Gains {
			if !slices.ContainsFunc(all, func(x attempt.Gain) bool { return x.Benchmark == g.Benchmark }) {
				all = append(all, attempt.Gain{Benchmark: g.Benchmark, Bytes: g.Bytes})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b attempt.Gain) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return all
}
