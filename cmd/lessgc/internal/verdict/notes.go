package verdict

import (
	"fmt"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
	"lessgc/cmd/lessgc/internal/stats"
)

// notes adds what a reader has to know to trust the figures.
func (r *Report) notes(trials []session.Trial, looks int) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if looks > 1 {
		note("the result was looked at before the last rounds were added, so it is judged more strictly, at %.2g %%", 100*r.Alpha)
	}
	if r.Classes == nil { // else each machine has these beside it
		if r.Host.Load > float64(r.Host.NumCPU)/2 {
			note("the machine was busy at the start: load average %.1f on %d CPUs", r.Host.Load, r.Host.NumCPU)
		}
		if rounds := stolen(trials); len(rounds) > 0 {
			note("the hypervisor took over %.0f %% of the CPU time in trials of round %s; they are kept", 100*highSteal, strings.Join(rounds, ", "))
		}
	}
	unread, noPeak := 0, 0
	for _, t := range trials {
		unread += t.GC.Unread
		if t.RSS == 0 {
			noPeak++
		}
	}
	if noPeak > 0 {
		note("peak memory is not known in %d of %d trials: on %s/%s it is known of programs that are larger than lessgc itself", noPeak, len(trials), r.Host.OS, r.Host.Arch)
	}
	if unread > 0 {
		note("%d GC traces could not be read, because the program wrote into them: GC figures are too low by as many cycles", unread)
	}
	var diluted, uncollected, rare group
	byRow := rowTrials(trials, len(r.Rows))
	for i, row := range r.Rows {
		var share, cycles []float64
		for _, t := range byRow[i] {
			if seconds := (session.Line{Values: t.Values}).Seconds(); seconds > 0 && t.Wall > 0 && !t.Timed {
				share = append(share, seconds*float64(t.N)/t.Wall.Seconds())
			}
			cycles = append(cycles, float64(t.GC.Cycles))
		}
		if len(cycles) == 0 {
			continue
		}
		if s := stats.Median(share); s < lowLoopShare && !r.Program { // of none, NaN
			diluted.add(row.Name, 100*s)
		}
		if m := stats.Median(cycles); slices.Max(cycles) == 0 {
			uncollected.add(row.Name, 0)
		} else if m < fewCycles && !r.Program {
			rare.add(row.Name, m)
		}
	}
	if diluted.names != nil {
		note("%s: only %s %% of each process is the benchmark's own loop; the rest, set-up and start, dilutes its CPU time: raise -trial", diluted, diluted.span())
	}
	if uncollected.names != nil {
		note("%s: no garbage collection ran, so GC modes can hardly differ", uncollected)
	}
	if rare.names != nil {
		note("%s: about %s collections per trial; for GC modes at least %d are better: raise -trial", rare, rare.span(), fewCycles)
	}
	r.loadNotes(trials, note)
	r.vanished(note)
}

// rowTrials divides trials by their row.
func rowTrials(trials []session.Trial, rows int) [][]session.Trial {
	all := make([][]session.Trial, rows)
	for _, t := range trials {
		all[t.Row] = append(all[t.Row], t)
	}
	return all
}

// A group is rows that share a note, and their figures in it.
type group struct {
	names  []string
	lo, hi float64
}

func (g *group) add(name string, figure float64) {
	if g.names == nil {
		g.lo, g.hi = figure, figure
	}
	g.names, g.lo, g.hi = append(g.names, name), min(g.lo, figure), max(g.hi, figure)
}

// String names the first few.
func (g group) String() string {
	const few = 3
	if more := len(g.names) - few; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(g.names[:few], ", "), more)
	}
	return strings.Join(g.names, ", ")
}

// span is the range of the figures in whole numbers.
func (g group) span() string {
	lo, hi := fmt.Sprintf("%.0f", g.lo), fmt.Sprintf("%.0f", g.hi)
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}

// vanished flags benchmarks whose allocations went away altogether: that is a
// success, or the compiler removed the work.
func (r *Report) vanished(note func(string, ...any)) {
	m := r.metric("allocs")
	var cells []string
	rows := map[string]*group{} // by cell
	for _, c := range r.Comparisons {
		if c.Metric != m || c.Word != Better || r.Rows == nil {
			continue
		}
		for _, v := range r.Values {
			if v.Row == c.Row && v.Cell == c.Cell && v.Metric == m && v.Median == 0 {
				name := r.Cells[c.Cell].Name
				if rows[name] == nil {
					cells, rows[name] = append(cells, name), new(group)
				}
				rows[name].add(r.Rows[c.Row].Name, 0)
			}
		}
	}
	for len(cells) > 0 { // one note for all cells with the same rows
		said := rows[cells[0]]
		var same, others []string
		for _, name := range cells {
			if slices.Equal(rows[name].names, said.names) {
				same = append(same, name)
			} else {
				others = append(others, name)
			}
		}
		note("%s: no allocation is left in %s; make sure that the work is still done and its result used", said, strings.Join(same, ", "))
		cells = others
	}
}

// stolen lists the rounds in which the host was slowed down from outside.
func stolen(trials []session.Trial) []string {
	var rounds []int
	for _, t := range trials {
		if t.Steal > highSteal && !slices.Contains(rounds, t.Round) {
			rounds = append(rounds, t.Round)
		}
	}
	slices.Sort(rounds)
	var names []string
	for _, n := range rounds {
		names = append(names, fmt.Sprint(n))
	}
	return names
}
