package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/advice"
	"lessgc/cmd/lessgc/internal/collect"
	"lessgc/cmd/lessgc/internal/mode"
	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// frontierFolder has the results of lessgc compare in a result folder of advise.
const frontierFolder = "frontier"

// Default durations of a measurement of a program, and of a server under load.
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

// collected holds the measurements of a program.
type collected struct {
	settings []advice.Setting
	note     string // what could not be measured, or ""
}

// measureFrontier compares a program at several GOGC in a folder of lessgc compare, in a result folder.
func (f *adviseFlags) measureFrontier(ctx context.Context, e *env, packages []string) (*collected, error) {
	dir := filepath.Join(f.out, frontierFolder)
	modes := make([]string, len(advice.FrontierModes))
	for i, gogc := range advice.FrontierModes {
		modes[i] = strconv.Itoa(gogc)
	}
	args := []string{"-mode", "gogc=" + strings.Join(modes, ","), "-time", f.frontier.String(), "-o", dir}
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
		return nil, errors.New("what collecting costs could not be measured")
	}
	c := new(collected)
	if status != exitClean {
		c.note = "not all of it could be measured at all settings: see " + filepath.Join(dir, pageFile)
	}
	report := verdict.New(s, trials)
	cycles := collections(s, trials)
	for _, gogc := range advice.FrontierModes {
		i := slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Name == "gogc="+strconv.Itoa(gogc) && !c.AA })
		x := advice.Setting{GOGC: gogc}
		if i >= 0 && gogc != advice.FrontierBase {
			x.Saved, err = frontierCPU(report, i)
		}
		if i < 0 || err != nil {
			return nil, errors.New("what was measured is too little: give -frontier a longer time, or see what failed")
		}
		x.RSS, x.Cycles = frontierPeak(report, i), cycles[i]
		c.settings = append(c.settings, x)
	}
	return c, nil
}

// frontierCPU returns the share of the CPU time that a cell saves, over all benchmarks.
func frontierCPU(r *verdict.Report, cell int) (saved advice.Range, err error) {
	var found *verdict.Comparison
	for i, c := range r.Comparisons {
		if c.Cell == cell && r.Metrics[c.Metric].Name == "cpu" && c.Bounded && (found == nil || c.Row == verdict.Geomean) {
			found = &r.Comparisons[i]
		}
	}
	if found == nil {
		return saved, errors.New("it was not measured")
	}
	return advice.Range{Lo: 1 - found.Hi, Hi: 1 - found.Lo}, nil
}

// frontierPeak is the largest peak of resident memory of any benchmark in a cell, in bytes; 0 if that is not known.
func frontierPeak(r *verdict.Report, cell int) (peak float64) {
	for _, v := range r.Values {
		if v.Cell == cell && r.Metrics[v.Metric].Name == "rss" {
			peak = max(peak, v.Median)
		}
	}
	return peak
}

// collections returns the collections of each cell for each of its baseline, for the same work; 0 if that is not known.
func collections(s *session.Session, trials []session.Trial) []float64 {
	work := make([][]float64, len(s.Cells)) // cycles for each iteration, by cell and row
	for i := range work {
		work[i] = make([]float64, len(s.Rows))
	}
	for _, t := range trials {
		if t.Round > 0 && t.Err == "" && t.N > 0 {
			work[t.Cell][t.Row] += float64(t.GC.Cycles) / float64(t.N)
		}
	}
	out := make([]float64, len(s.Cells))
	for i, cell := range s.Cells {
		rows := 0.0
		for row := range s.Rows { // a row counts by its number, not by how long its iterations are
			if cell.Ref >= 0 && work[cell.Ref][row] > 0 {
				rows++
				out[i] += work[i][row] / work[cell.Ref][row]
			}
		}
		out[i] /= max(rows, 1)
	}
	return out
}

// frontierProfiles reads the profiles that lessgc compare has taken of a server under load, at the first setting.
func frontierProfiles(dir string) (*prof.Set, error) {
	s, _, err := session.Read(filepath.Join(dir, frontierFolder))
	if err != nil {
		return nil, err
	}
	cell := s.Cells[slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Ref < 0 })]
	names, err := filepath.Glob(filepath.Join(dir, frontierFolder, session.ProfilesDir, cell.ID, "*", "*.pprof"))
	if err != nil || len(names) == 0 {
		return nil, errors.New("the server gave no profiles; docs/measuring.md says what it needs")
	}
	return collect.Files(names)
}
