package apply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/build"
	"lessgc/cmd/lessgc/internal/lever"
	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/verdict"
)

// mostRows bounds the benchmarks of a comparison: those that a change matters most to, and others that come by it.
const mostRows = 5

// compare measures the checkout against a commit, in a folder, with those of the benchmarks, for at most a duration. What was
// predicted of them is added to the rows. mean is the CPU time of all rows together.
func (r *Runner) compare(ctx context.Context, folder, commit string, gains []attempt.Gain, most time.Duration) (rows []attempt.Row, mean attempt.Effect, err error) {
	if err := os.RemoveAll(folder); err != nil { // of a run that was killed
		return nil, mean, err
	}
	args := append([]string{"compare", "-base", commit, "-o", folder, "-time", most.String()}, r.compareArgs(gains)...)
	o, err := r.own(ctx, args...)
	if err != nil {
		return nil, mean, err
	}
	s, trials, err := session.Read(folder)
	if err != nil {
		if o.ExitCode == 0 {
			return nil, mean, errSame
		}
		return nil, mean, errors.New(lastLine(o.Stderr))
	}
	report := verdict.New(s, trials)
	if rows = rowsOf(report, gains); len(rows) == 0 {
		return nil, mean, errors.New(lastLine(o.Stderr))
	}
	return rows, meanOf(report), nil
}

// errSame says that there was nothing to compare.
var errSame = errors.New("the compiler makes the same code of both")

// leastRowTime is the duration from which on a comparison tells something about a benchmark.
const leastRowTime = 10 * time.Second

// rowsFor is the number of benchmarks that a comparison of a duration measures: of more than it has time for, it would leave out
// any, and not those that matter least.
func rowsFor(d time.Duration) int { return min(mostRows, max(1, int(d/leastRowTime))) }

// compareArgs are the arguments that say what to run.
func (r *Runner) compareArgs(gains []attempt.Gain) (args []string) {
	s := r.State
	if s.Tags != "" {
		args = append(args, "-tags", s.Tags)
	}
	switch {
	case s.Load != "":
		return append(args, "-load", filepath.Join(r.tree.Dir, filepath.FromSlash(s.Load)))
	case s.Exec != "":
		return append(args, "-exec", s.Exec)
	}
	pattern, packages, ok := benchmarksOf(gains[:min(len(gains), rowsFor(s.Time))])
	if !ok {
		pattern, packages = s.Bench, s.Packages
	}
	return append(append(args, "-bench", pattern), packages...)
}

// benchmarksOf returns the pattern of the benchmarks of gains, and their packages; ok is false if a gain is not one benchmark's.
func benchmarksOf(gains []attempt.Gain) (pattern string, packages []string, ok bool) {
	var patterns []string
	for _, g := range gains {
		pkg, name := g.Split()
		if pkg == "" {
			return "", nil, false
		}
		if p := build.BenchPattern(name); !slices.Contains(patterns, p) {
			patterns = append(patterns, p)
		}
		if !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	return strings.Join(patterns, "|"), packages, true
}

// rowsOf are the rows of a report with one comparison.
func rowsOf(report *verdict.Report, gains []attempt.Gain) (all []attempt.Row) {
	cell := slices.IndexFunc(report.Cells, func(c verdict.Cell) bool { return c.Compared() })
	if cell < 0 {
		return nil
	}
	for i, row := range report.Rows {
		x := attempt.Row{Package: row.Package, Name: row.Name}
		if g := gainOf(gains, x); g != nil {
			x.Predicted, x.Memory = g.Predicted, g.Memory
		}
		for _, c := range report.Comparisons {
			if c.Row != i || c.Cell != cell {
				continue
			}
			e := effect(report, c)
			switch report.Metrics[c.Metric].Name {
			case "cpu":
				x.CPU = e
			case "bytes":
				x.Bytes = e
			case "allocs":
				x.Allocs = e
			case "gc":
				x.GC = &e
			}
		}
		if x.CPU.Word != "" {
			all = append(all, x)
		}
	}
	return all
}

// meanOf is the geometric mean of the CPU time of all rows; that of the only one, if there is one.
func meanOf(report *verdict.Report) attempt.Effect {
	var one attempt.Effect
	for _, c := range report.Comparisons {
		if !report.Cells[c.Cell].Compared() || report.Metrics[c.Metric].Name != "cpu" {
			continue
		}
		if one = effect(report, c); c.Row == verdict.Geomean {
			return one
		}
	}
	return one
}

func effect(report *verdict.Report, c verdict.Comparison) attempt.Effect {
	e := attempt.Effect{Word: c.Word, Ratio: c.Ratio}
	if c.Bounded {
		e.Lo, e.Hi = c.Lo, c.Hi
	}
	for _, v := range report.Values {
		if v.Row == c.Row && v.Metric == c.Metric {
			switch v.Cell {
			case c.Ref:
				e.Before = v.Median
			case c.Cell:
				e.After = v.Median
			}
		}
	}
	return e
}

// gainOf is what was predicted of a row; nil if nothing was.
func gainOf(gains []attempt.Gain, x attempt.Row) *attempt.Gain {
	i := slices.IndexFunc(gains, func(g attempt.Gain) bool { return g.Whole() || g.Of(x) })
	if i < 0 {
		return nil
	}
	return &gains[i]
}

// leftOut is the benchmark that a change matters most to, if it was not measured; "" if it was.
func leftOut(gains []attempt.Gain, rows []attempt.Row) string {
	if len(gains) == 0 || gains[0].Whole() || slices.ContainsFunc(rows, gains[0].Of) {
		return ""
	}
	_, name := gains[0].Split()
	return name
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "lessgc: ")
}

// margin is the difference of CPU time that counts as none, as for compare.
const margin = 0.03

// leastSaved is the share of bytes or allocations from which on a difference in them is one.
const leastSaved = 0.001

// leastMore is the share from which on more bytes or allocations are more.
const leastMore = 0.01

// What everybody has to read and understand who edits a function has to pay: a change saves leastChange of the bytes or half of that of the CPU time. One that makes the text longer saves leastLonger,
// and leastPerLine more with each line, until it is leastWorth; so does one with a number that was only seen. One by which memory lives on, such as a pool, saves leastLiving.
const (
	leastChange  = 0.02
	leastLonger  = 0.05
	leastPerLine = 0.02
	leastWorth   = 0.1
	leastLiving  = 0.25
)

// least is the share of bytes that a change has to save; of allocations twice that, or half of it of CPU time, will do.
func least(l *lever.Lever, edits []lever.Edit) float64 {
	if l.Risk == lever.Lifetime || l.Risk == lever.Concurrency {
		return leastLiving
	}
	lines, length := added(edits)
	switch {
	case slices.ContainsFunc(edits, lever.Edit.Observed):
		return leastWorth
	case lines > 0:
		return min(leastWorth, leastLonger+leastPerLine*float64(lines))
	case length > 0:
		return leastLonger
	}
	return leastChange
}

// importsOnly is the text of an edit that imports a package.
var importsOnly = regexp.MustCompile(`^\s*(import )?(\w+ )?"[^"]+"\s*$`)

// added is the number of lines, and of bytes, by which edits make their files longer, imports aside.
func added(edits []lever.Edit) (lines, length int) {
	texts := map[string][]byte{}
	for _, e := range edits {
		if importsOnly.MatchString(e.Text) {
			continue
		}
		text, ok := texts[e.File]
		if !ok {
			text, _ = os.ReadFile(e.File) // of one that is not there, nothing is replaced
			texts[e.File] = text
		}
		lines += strings.Count(e.Text, "\n")
		length += len(e.Text)
		if e.End <= len(text) {
			lines -= bytes.Count(text[e.Pos:e.End], []byte("\n"))
			length -= e.End - e.Pos
		}
	}
	return lines, length
}

// lessAllocated reports whether a share of what a benchmark allocates is gone: of its bytes, or twice that of its allocations, as most of those that
// go by a small change are smaller than the others.
func lessAllocated(x attempt.Row, share float64) bool {
	allocs := share
	if share > leastSaved {
		allocs *= 2
	}
	return lessBy(x.Bytes, share) || lessBy(x.Allocs, allocs)
}

// lessTime reports whether the CPU time of a benchmark is less, by what a change that has to save a share of the bytes has to save of it.
func lessTime(cpu attempt.Effect, share float64) bool {
	return cpu.Word == verdict.Better && cpu.Ratio <= 1-share/2
}

// cited reports whether a row is of a benchmark that the change should save something in. What others allocate less by the way is
// no reason to keep it.
func cited(gains []attempt.Gain, x attempt.Row) bool {
	return slices.ContainsFunc(gains, func(g attempt.Gain) bool { return g.Whole() || g.Of(x) && forIt(g) })
}

// forIt reports whether a gain is a reason for a change.
func forIt(g attempt.Gain) bool {
	return g.Bytes >= leastBytes || g.Predicted != nil && g.Predicted.Hi >= leastGain
}

// judge decides whether a change is kept: it is if CPU time is better, or if bytes or allocations are with CPU time
// not worse, and if no row is worse, or takes more, or seems to take much more, in each of two comparisons. It has to be worth least: CPU time in any
// benchmark, bytes or allocations in one that the change is for. Many rows, each unclear, may together be clear: then mean says that CPU time is not worse.
func judge(rows []attempt.Row, mean attempt.Effect, gains []attempt.Gain, least float64) (o attempt.Outcome, why string) {
	better, unclear := "", ""
	for _, x := range rows {
		cpu := x.CPU
		switch {
		case x.First != nil && more(*x.First) && more(cpu):
			return attempt.Worse, fmt.Sprintf("%s takes more CPU time, in each of two comparisons: %s, %s", x.Name, x.First.Change(), cpu.Change())
		case cpu.Word == verdict.Worse:
			return attempt.Worse, fmt.Sprintf("%s takes %s more CPU time", x.Name, change(cpu))
		case x.First != nil && suspect(*x.First) && suspect(cpu):
			return attempt.Unclear, fmt.Sprintf("the CPU time of %s may be worse, by each of two comparisons: %s, %s", x.Name, x.First.Change(), cpu.Change())
		case lessTime(cpu, least):
			better = cmp.Or(better, fmt.Sprintf("%s takes %s less CPU time", x.Name, change(cpu)))
			continue
		case cpu.Word == verdict.Better:
		case moreBy(x.Bytes, leastMore) || moreBy(x.Allocs, leastMore):
			return attempt.Worse, fmt.Sprintf("%s allocates more: %s, and its CPU time is not less", x.Name, memory(x))
		case !noWorse(cpu):
			unclear = cmp.Or(unclear, fmt.Sprintf("the CPU time of %s may be worse: %s", x.Name, cpu.Change()))
		}
		if cited(gains, x) && lessAllocated(x, least) {
			better = cmp.Or(better, fmt.Sprintf("%s allocates less: %s, with CPU time no worse", x.Name, memory(x)))
		}
	}
	switch {
	case better == "" && lessTime(mean, least):
		return attempt.Kept, fmt.Sprintf("all benchmarks together take %s less CPU time", change(mean))
	case better == "":
		return attempt.NoGain, noGain(least)
	case unclear != "" && !noWorse(mean):
		return attempt.Unclear, unclear
	}
	return attempt.Kept, better
}

// more reports whether CPU time is more, though it may be by less than the margin.
func more(cpu attempt.Effect) bool {
	return cpu.Word == verdict.Worse || cpu.Word == verdict.Unclear && cpu.Lo > 1
}

// leastSuspect is the share of CPU time that a benchmark takes more, as it seems, from which on it is measured again, whatever the interval.
const leastSuspect = 0.05

// suspect reports whether CPU time may well be worse.
func suspect(cpu attempt.Effect) bool {
	return more(cpu) || cpu.Ratio > 1+leastSuspect && !noWorse(cpu)
}

// doubted are the rows that decide about a change, and are measured again for that, by themselves, and for how long. Of some rows,
// the interval of one is now and then beside the truth: a change that would be kept has those in which CPU time is more, or may well be. One that is
// unclear has those in which it may be worse, of which twice the time may tell.
func doubted(o attempt.Outcome, rows []attempt.Row, most time.Duration) ([]attempt.Row, time.Duration) {
	doubts := func(is func(attempt.Effect) bool) []attempt.Row {
		return slices.DeleteFunc(slices.Clone(rows), func(x attempt.Row) bool { return !is(x.CPU) })
	}
	switch o {
	case attempt.Kept:
		return doubts(suspect), most
	case attempt.Unclear:
		return doubts(func(cpu attempt.Effect) bool { return !noWorse(cpu) }), 2 * most
	}
	return nil, 0
}

// confirm measures the doubted ones of some rows again, for at most a duration, and returns all rows with what was measured then.
func (r *Runner) confirm(ctx context.Context, folder string, gains []attempt.Gain, rows, doubts []attempt.Row, most time.Duration) ([]attempt.Row, error) {
	var of []attempt.Gain
	for _, x := range doubts {
		if g := gainOf(gains, x); g != nil {
			of = append(of, *g)
		} else { // it has the name of another one, in another package
			of = append(of, attempt.Gain{Benchmark: x.Package + ".Benchmark" + x.Name})
		}
	}
	again, _, err := r.compare(ctx, folder, "HEAD", of, most)
	if err != nil {
		return rows, err
	}
	all := replaced(rows, doubts, again)
	if i := slices.IndexFunc(doubts, func(x attempt.Row) bool { return !slices.ContainsFunc(again, sameRow(x)) }); i >= 0 {
		return all, fmt.Errorf("%s was not measured in it", doubts[i].Name)
	}
	return all, nil
}

// sameRow reports whether another row is of the same benchmark.
func sameRow(a attempt.Row) func(attempt.Row) bool {
	return func(b attempt.Row) bool { return a.Package == b.Package && a.Name == b.Name }
}

// replaced returns rows with the doubted ones as they were measured again.
func replaced(rows, doubts, again []attempt.Row) (all []attempt.Row) {
	for _, x := range rows {
		if i := slices.IndexFunc(again, sameRow(x)); i >= 0 && slices.ContainsFunc(doubts, sameRow(x)) {
			first := x.CPU
			x = again[i]
			x.First = &first
		}
		all = append(all, x)
	}
	return all
}

// leastSure is the share of CPU time that a change is sure to save if it may save few bytes.
const leastSure = 0.01

// reached reports whether a change may save the least that it has to, as far as was predicted.
func reached(g attempt.Gain, least float64) bool {
	return g.Memory == nil || g.Memory.Hi >= least || g.Predicted != nil && g.Predicted.Lo >= leastSure && g.Predicted.Hi >= least/2
}

// noGain says what was not reached.
func noGain(least float64) string {
	return fmt.Sprintf("too little goes to be worth it: less than %.3g %% of the CPU time, %.0f %% of the bytes and %.0f %% of the allocations", 50*least, 100*least, 200*least)
}

// noWorse reports whether CPU time is not worse, by the margin.
func noWorse(cpu attempt.Effect) bool {
	return cpu.Word == verdict.Better || cpu.Word == verdict.Same || cpu.Hi > 0 && cpu.Hi <= 1+margin
}

func lessBy(e attempt.Effect, share float64) bool {
	return e.Word != "" && e.After < e.Before*(1-share)
}
func moreBy(e attempt.Effect, share float64) bool {
	return e.Word != "" && e.After > e.Before*(1+share) && e.After-e.Before >= 1
}

func memory(x attempt.Row) string {
	return fmt.Sprintf("%s instead of %s bytes, %s instead of %s allocations", attempt.Number(x.Bytes.After), attempt.Number(x.Bytes.Before), attempt.Number(x.Allocs.After), attempt.Number(x.Allocs.Before))
}

// change is how far a ratio is from 1, in percent.
func change(e attempt.Effect) string { return strings.TrimLeft(verdict.Percent(e.Ratio), "+-−") }
