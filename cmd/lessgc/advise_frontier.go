package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/take"
	"lessgc/cmd/lessgc/internal/verdict"
)

// frontierFolder has the results of lessgc compare in a result folder of advise.
const frontierFolder = "frontier"

// How long a program, and a server under load, is measured if nobody says.
const (
	programTime = time.Minute
	serverTime  = 3 * time.Minute
)

// checkFrontier finds what cannot be, and sets what follows.
func (f *adviseFlags) checkFrontier(args []string) (err error) {
	given := 0
	for _, text := range []string{f.bench, f.exec, f.load} {
		if text != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("one program at a time: -bench, -exec or -load")
	case f.frontier < 0 || f.frontier > 0 && given == 0:
		return errors.New("-frontier is how long to run the benchmarks of -bench, such as 1m, the program of -exec or the server of -load")
	case f.exec != "" && len(args) == 0:
		return errors.New("-exec measures what collecting costs a program; name its profiles, too, or a folder of them")
	}
	switch {
	case f.frontier > 0:
	case f.exec != "":
		f.frontier = programTime
	case f.load != "":
		f.frontier = serverTime
	}
	if f.limit == "" {
		return nil
	}
	if f.frontier == 0 {
		return errors.New("-limit is about the memory of what -frontier measures")
	}
	f.bytes, err = mode.Size(f.limit)
	if err != nil {
		return fmt.Errorf("-limit %s is not a size such as 512MiB", f.limit)
	}
	return nil
}

// measureFrontier compares a program at two GOGC in a folder of lessgc compare, in a result folder.
func (f *adviseFlags) measureFrontier(ctx context.Context, e *env, packages []string) (c advice.Collected, err error) {
	dir := filepath.Join(f.out, frontierFolder)
	args := []string{"-mode", fmt.Sprintf("gogc=%d,%d", advice.FrontierFrom, advice.FrontierTo), "-time", f.frontier.String(), "-o", dir}
	switch {
	case f.exec != "":
		args = append(args, "-exec", f.exec)
	case f.load != "":
		args = append(args, "-load", f.load)
	default:
		args = append(append(args, "-bench", f.bench, "-relink=false", "-turns=false"), packages...)
	}
	status := runCompare(ctx, &env{io.Discard, e.stderr}, args)
	s, trials, err := session.Read(dir)
	if err != nil || ctx.Err() != nil {
		return c, errors.New("what collecting costs could not be measured")
	}
	if status != exitClean {
		c.Note = "not all of it could be measured at both settings: see " + filepath.Join(dir, pageFile)
	}
	measured := verdict.New(s, trials)
	if c.Saved, err = frontierCPU(measured); err != nil {
		return c, err
	}
	c.From, c.To = frontierPeak(measured, true), frontierPeak(measured, false)
	c.Cycles, c.Goal = collections(s, trials)
	return c, nil
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
		return advice.Range{}, errors.New("what was measured at GOGC=100 and 800 is too little: give -frontier a longer time, or see what failed")
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

// collections are those at the second setting for each at the first, for the same work, and the
// largest heap goal in bytes at the first; 0 if that is not known.
func collections(s *session.Session, trials []session.Trial) (fewer, goal float64) {
	work := make([][2]float64, len(s.Rows)) // cycles for each iteration, by setting
	for _, t := range trials {
		cell := s.Cells[t.Cell]
		if t.Round == 0 || t.Err != "" || cell.AA || t.N <= 0 {
			continue
		}
		setting := 0
		if cell.Ref >= 0 {
			setting = 1
		} else {
			goal = max(goal, float64(t.GC.HeapGoal))
		}
		work[t.Row][setting] += float64(t.GC.Cycles) / float64(t.N)
	}
	var from, to float64
	for _, w := range work { // a row counts by its number, not by how long its iterations are
		if w[0] > 0 {
			from, to = from+1, to+w[1]/w[0]
		}
	}
	if from == 0 {
		return 0, goal
	}
	return to / from, goal
}

// frontierProfiles are those that lessgc compare has taken of a server under load, at the first setting.
func frontierProfiles(dir string) (*take.Profiles, error) {
	s, _, err := session.Read(filepath.Join(dir, frontierFolder))
	if err != nil {
		return nil, err
	}
	cell := s.Cells[slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Ref < 0 })]
	names, err := filepath.Glob(filepath.Join(dir, frontierFolder, session.ProfilesDir, cell.ID, "*", "*.pprof"))
	if err != nil || len(names) == 0 {
		return nil, errors.New("the server gave no profiles; docs/measuring.md says what it needs")
	}
	return take.Files(names)
}
