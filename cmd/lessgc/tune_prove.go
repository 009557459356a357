package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/curve"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
	"lessgc/cmd/lessgc/internal/verdict"
)

// proveAll measures for each subject what was predicted of it.
func (f *tuneFlags) proveAll(ctx context.Context, e *env, r *curve.Report, packages []string) error {
	if f.out == "" {
		var err error
		if f.out, err = defaultFolder(time.Now()); err != nil {
			return err
		}
	}
	for i := range r.Subjects {
		s := &r.Subjects[i]
		if s.Err != "" {
			continue
		}
		if err := f.proveOne(ctx, e, s, filepath.Join(f.out, fmt.Sprintf("prove%d", i+1)), packages); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// toProve are the settings to measure: that of the run, the recommended one, and further ones of the curve, up to four, in
// random order but for the first.
func toProve(s *curve.Subject) []curve.Prediction {
	chosen := []curve.Prediction{s.Advice.Now}
	add := func(p curve.Prediction) {
		if len(chosen) < 4 && !slices.ContainsFunc(chosen, func(c curve.Prediction) bool { return c.Setting == p.Setting }) {
			chosen = append(chosen, p)
		}
	}
	add(s.Advice.Best)
	for _, p := range s.Limits {
		if !p.Spiral && p.Setting.GOGC < 0 {
			add(p)
		}
	}
	for _, g := range []float64{400, 50, 200, 800} {
		if i := slices.IndexFunc(s.Curve, func(p curve.Prediction) bool { return p.Setting.GOGC == g }); i >= 0 {
			add(s.Curve[i])
		}
	}
	rand.Shuffle(len(chosen)-1, func(i, j int) { chosen[1+i], chosen[1+j] = chosen[1+j], chosen[1+i] })
	return chosen
}

// proveOne compares the settings in a folder of lessgc compare. A benchmark that takes turns with others would not tell
// what its collections cost.
func (f *tuneFlags) proveOne(ctx context.Context, e *env, s *curve.Subject, dir string, packages []string) error {
	settings, row := toProve(s), s.Name
	args := []string{"-o", dir, "-rounds", fmt.Sprint(f.rounds), "-timeout", f.timeout.String()}
	for i, p := range settings {
		args = append(args, "-mode", fmt.Sprintf("s%d: %s", i, environment(p.Setting)))
	}
	if f.tags != "" {
		args = append(args, "-tags", f.tags)
	}
	if f.procs > 0 {
		args = append(args, "-procs", fmt.Sprint(f.procs))
	}
	switch {
	case f.exec != "":
		args = append(args, "-exec", f.exec)
	case f.load != "":
		args = append(args, "-load", f.load, "-bench", "^"+regexp.QuoteMeta(s.Name)+"$")
		if f.time > 0 {
			args = append(args, "-trial", f.time.String())
		}
	default:
		if pkg, name, qualified := strings.Cut(s.Name, " "); qualified {
			packages, row = []string{pkg}, name
		}
		args = append(args, "-turns=false", "-relink=false", "-trial", f.trialTime(settings).String(), "-bench", build.BenchPattern("Benchmark"+row))
		args = append(args, packages...)
	}
	runCompare(ctx, &env{io.Discard, e.stderr}, args)
	folder, trials, err := session.Read(dir)
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted; go on with: lessgc compare -resume %s", dir)
	}
	if err != nil {
		return errors.New("nothing could be measured")
	}
	s.Outcomes = outcomes(settings, row, folder, trials)
	return nil
}

// environment is a setting as a custom mode has it.
func environment(s curve.Setting) string {
	text := "GOGC=off"
	if s.GOGC >= 0 {
		text = fmt.Sprintf("GOGC=%.0f", s.GOGC)
	}
	if s.Limit < curve.NoLimit {
		text += fmt.Sprintf(" GOMEMLIMIT=%.0fB", s.Limit)
	}
	return text
}

// trialTime returns the duration of a trial in which there are some collections at each setting, at most 20s.
func (f *tuneFlags) trialTime(settings []curve.Prediction) time.Duration {
	longest := time.Second
	if f.time > 0 {
		longest = min(longest, f.time)
	}
	for _, p := range settings {
		if p.Cycles.Value > 0 {
			longest = max(longest, time.Duration(5/p.Cycles.Value*float64(time.Second)))
		}
	}
	return min(longest, 20*time.Second).Round(time.Millisecond)
}

// outcomes returns the measurements at each setting in the row of a name. What lies below a benchmark may have rows too.
func outcomes(settings []curve.Prediction, name string, folder *session.Session, trials []session.Trial) []curve.Outcome {
	report := verdict.New(folder, trials)
	row := 0
	if len(folder.Rows) > 1 {
		row = slices.IndexFunc(folder.Rows, func(r session.Row) bool { return r.Name == name })
	}
	var all []curve.Outcome
	for i, p := range settings {
		o := curve.Outcome{Setting: p.Setting, Predicted: p}
		cell := slices.IndexFunc(folder.Cells, func(c session.Cell) bool { return c.Name == fmt.Sprintf("s%d", i) && !c.AA })
		if cell < 0 {
			o.Err = "it was not measured"
			all = append(all, o)
			continue
		}
		o.GC = middleOf(trials, row, cell, "gc-cpu-fraction")
		o.RSS = middleOf(trials, row, cell, "peak-RSS-bytes")
		o.CPU = curve.Value{Value: 1, Lo: 1, Hi: 1}
		if i > 0 {
			o.CPU, o.Verdict = measuredCPU(report, row, cell)
		}
		if o.GC.Value == 0 && o.RSS.Value == 0 {
			o.Err = "nothing was measured: " + folder.Cells[cell].Err
		}
		all = append(all, o)
	}
	key := func(s curve.Setting) float64 {
		if s.GOGC < 0 { // off is last
			return math.MaxFloat64
		}
		return s.GOGC
	}
	slices.SortFunc(all, func(a, b curve.Outcome) int {
		return cmp.Or(cmp.Compare(key(a.Setting), key(b.Setting)), cmp.Compare(a.Setting.Limit, b.Setting.Limit))
	})
	return all
}

// middleOf is the middle of a metric of a row in a cell, with its interval.
func middleOf(trials []session.Trial, row, cell int, unit string) curve.Value {
	var all []float64
	for _, t := range trials {
		if t.Round == 0 || t.Err != "" || t.Row != row || t.Cell != cell {
			continue
		}
		for _, v := range t.Metrics() {
			if v.Unit == unit {
				all = append(all, v.Value)
			}
		}
	}
	if len(all) == 0 {
		return curve.Value{}
	}
	middle, interval := stats.HodgesLehmann(all, 0.95)
	return curve.Value{Value: middle, Lo: interval.Lo, Hi: interval.Hi}
}

// measuredCPU is the CPU time of a row in a cell for each of the first one's, and the verdict.
func measuredCPU(r *verdict.Report, row, cell int) (curve.Value, string) {
	for _, c := range r.Comparisons {
		if c.Row == row && c.Cell == cell && r.Metrics[c.Metric].Name == "cpu" {
			return curve.Value{Value: c.Ratio, Lo: c.Lo, Hi: c.Hi}, string(c.Word)
		}
	}
	return curve.Value{}, ""
}
