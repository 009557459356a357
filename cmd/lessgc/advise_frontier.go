package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// measureFrontier compares the benchmarks at two GOGC in a folder of lessgc compare.
func (f *adviseFlags) measureFrontier(ctx context.Context, e *env, r *advice.Report, dir string, packages []string) error {
	modes := fmt.Sprintf("gogc=%d,%d", advice.FrontierFrom, advice.FrontierTo)
	args := append([]string{"-mode", modes, "-bench", f.bench, "-time", f.frontier.String(), "-relink=false", "-turns=false", "-o", dir}, packages...)
	if status := runCompare(ctx, &env{io.Discard, e.stderr}, args); status != exitClean {
		return errors.New("what collecting costs could not be measured")
	}
	s, trials, err := session.Read(dir)
	if err != nil {
		return err
	}
	measured := verdict.New(s, trials)
	saved, err := frontierCPU(measured)
	if err != nil {
		return err
	}
	r.SetFrontier(advice.Collected{Saved: saved, From: frontierPeak(measured, true), To: frontierPeak(measured, false)})
	return nil
}

// frontierCPU is what share of the CPU time goes at the second setting, over all benchmarks.
func frontierCPU(r *verdict.Report) (advice.Range, error) {
	var found *verdict.Comparison
	for i, c := range r.Comparisons {
		if r.Metrics[c.Metric].Name == "cpu" && !r.Cells[c.Cell].AA && c.Bounded && (found == nil || c.Row == verdict.Geomean) {
			found = &r.Comparisons[i]
		}
	}
	if found == nil {
		return advice.Range{}, errors.New("the benchmarks at GOGC=100 and 800 were not measured often enough; give -frontier a longer time")
	}
	return advice.Range{Lo: 1 - found.Hi, Hi: 1 - found.Lo}, nil
}

// frontierPeak is the largest peak of resident memory of any benchmark, in bytes, at the first setting
// or at the other; 0 if that is not known.
func frontierPeak(r *verdict.Report, from bool) (peak float64) {
	for _, v := range r.Values {
		if r.Metrics[v.Metric].Name == "rss" && !r.Cells[v.Cell].AA && (r.Cells[v.Cell].Ref < 0) == from {
			peak = max(peak, v.Median)
		}
	}
	return peak
}
