package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
	"lessgc/cmd/lessgc/internal/visible"
)

// needs names how much more would make a comparison clear, "" if that is not known.
func needs(x *verdict.Comparison) string {
	switch {
	case x.Word != verdict.Unclear || x.Need <= 0:
		return ""
	case x.Machines > 1:
		return fmt.Sprintf("about %d machines", x.Need)
	}
	return fmt.Sprintf("about %d rounds", x.Need)
}

// byClass lists what classes of machines say of a comparison that is mixed, "" of others.
func byClass(r *verdict.Report, x *verdict.Comparison) string {
	if x.Word != verdict.Mixed {
		return ""
	}
	var all []string
	for _, e := range x.ByClass {
		all = append(all, fmt.Sprintf("%s %s on %s", e.Word, verdict.Percent(e.Ratio), r.Classes[e.Class].Name))
	}
	return strings.Join(all, "; ")
}

// measuredOn describes the machines in a line.
func measuredOn(r *verdict.Report) string {
	if len(r.Machines) == 0 {
		return fmt.Sprintf("%d CPUs, GOMAXPROCS=%d, seed %d, %s/%s, %s", r.Host.NumCPU, r.Procs, r.Seed, r.Host.OS, r.Host.Arch, r.Host.CPU)
	}
	text := fmt.Sprintf("%s of %d", plural(len(r.Machines), "shard"), r.Shards)
	if len(r.Missing) > 0 {
		var names []string
		for _, n := range r.Missing {
			names = append(names, strconv.Itoa(n))
		}
		text += " (missing: " + verdict.FirstOf(10, names) + ")"
	}
	for _, c := range r.Classes {
		text += fmt.Sprintf(", %d on %s", c.Machines, c.Name)
	}
	return text + fmt.Sprintf(", seed %d", r.Seed)
}

// A machineTable is what each machine, each class of them and all together say of a cell.
type machineTable struct {
	Heading string
	Lines   []machineLine
}

type machineLine struct {
	verdict.Comparison // its ratio with the interval; the word is empty of a single machine
	Name, Detail       string
	Sum                bool // it is about several machines
}

// Change is the ratio with its interval.
func (l machineLine) Change() string { return change(&l.Comparison) }

// machineTables has one for each cell, of the geometric mean or the only row in the metric that decides.
func machineTables(r *verdict.Report) []machineTable {
	var all []machineTable
	for m, metric := range r.Metrics {
		for c, cell := range r.Cells {
			x := r.Overall(c, m)
			if !metric.Decides || metric.Exact || !cell.Compared() || x == nil || len(x.ByMachine) == 0 {
				continue
			}
			all = append(all, machineTable{fmt.Sprintf("%s of %s against %s, by machine", metric.Title, cell.Name, r.Cells[x.Ref].Name), machineLines(r, x)})
		}
	}
	return all
}

// machineLines are what each machine says, each class of them, all, and what to expect on another.
func machineLines(r *verdict.Report, x *verdict.Comparison) []machineLine {
	var lines []machineLine
	for _, m := range x.ByMachine {
		lines = append(lines, oneMachine(r, m))
	}
	sum := func(name, detail string, x verdict.Comparison) {
		lines = append(lines, machineLine{Comparison: x, Name: name, Detail: detail, Sum: true})
	}
	for _, e := range x.ByClass {
		sum(r.Classes[e.Class].Name, plural(e.Machines, "machine"), verdict.Comparison{Ratio: e.Ratio, Bounded: e.Bounded, Lo: e.Lo, Hi: e.Hi, Word: e.Word})
	}
	sum("all", plural(x.Machines, "machine"), *x)
	if x.Predicted {
		sum("expected on another", fmt.Sprintf("I² %.0f %%", 100*x.I2), verdict.Comparison{Ratio: x.Ratio, Bounded: true, Lo: x.ExpectLo, Hi: x.ExpectHi})
	}
	return lines
}

func oneMachine(r *verdict.Report, e verdict.MachineEffect) machineLine {
	m := r.Machines[e.Machine]
	h := m.Host
	detail := []string{plural(e.N, "pair"), plural(h.NumCPU, "CPU")}
	if h.Quota > 0 {
		detail = append(detail, fmt.Sprintf("quota %.3g", h.Quota))
	}
	if m.Procs != h.NumCPU {
		detail = append(detail, fmt.Sprintf("GOMAXPROCS=%d", m.Procs))
	}
	if h.Load >= 0 {
		detail = append(detail, fmt.Sprintf("load %.1f", h.Load))
	}
	if m.Steal >= 0.01 {
		detail = append(detail, fmt.Sprintf("steal up to %.0f %%", 100*m.Steal))
	}
	if len(r.Classes) > 1 {
		detail = append(detail, r.Classes[m.Class].Name)
	}
	return machineLine{Comparison: verdict.Comparison{Ratio: e.Ratio, Bounded: e.Bounded, Lo: e.Lo, Hi: e.Hi}, Name: fmt.Sprintf("shard %d", m.Shard), Detail: strings.Join(detail, ", ")}
}

// mostMachines limits the machines that a table on a terminal or in a comment has; the page has all.
const mostMachines = 20

// shown are the lines of a table without those machines that are too many.
func (t machineTable) shown() (lines []machineLine, more int) {
	machines := slices.IndexFunc(t.Lines, func(l machineLine) bool { return l.Sum })
	if machines <= mostMachines {
		return t.Lines, 0
	}
	return slices.Concat(t.Lines[:mostMachines], t.Lines[machines:]), machines - mostMachines
}

// machines writes what each machine says.
func (t Text) machines(b *strings.Builder, r *verdict.Report) {
	for _, table := range machineTables(r) {
		fmt.Fprintln(b, t.bold(table.Heading))
		lines, more := table.shown()
		var text [][]string
		for _, l := range lines {
			text = append(text, []string{l.Name, strings.TrimSpace(t.word(l.Word) + " " + l.Change()), t.dim(l.Detail)})
		}
		align(b, text)
		if more > 0 {
			fmt.Fprintf(b, "  and %s more, see -html\n", plural(more, "machine"))
		}
		b.WriteByte('\n')
	}
}

// markdownMachines adds a table of what each machine says.
func markdownMachines(d *markdownDoc, r *verdict.Report) {
	for _, table := range machineTables(r) {
		heading := plain(visible.Short(table.Heading, visible.Terminal))
		block := markdownBlock{name: heading, head: fmt.Sprintf("| %s | verdict | change | |\n|---|---|--:|---|\n", heading), tail: "\n"}
		for _, l := range table.Lines {
			rank := rankSame
			if l.Sum {
				rank = rankMean
			}
			block.line(rank, l.Word, "| %s | %s | %s | %s |\n", plain(visible.Short(l.Name, 200)), string(l.Word), l.Change(), plain(visible.Short(l.Detail, 400)))
		}
		d.table(block)
	}
}

// Machine describes the machines.
func (p *page) Machine() string { return measuredOn(p.Report) }

// Spread reports whether the report is of several machines.
func (p *page) Spread() bool { return len(p.Machines) > 0 }

// MachineTables are tables of machines with their drawings.
func (p *page) MachineTables() []machineDrawing {
	var all []machineDrawing
	for _, t := range machineTables(p.Report) {
		all = append(all, machineDrawing{t, p.drawMachines(t)})
	}
	return all
}

type machineDrawing struct {
	machineTable
	Plot forestPlot
}

// drawMachines draws the intervals of machines on one scale.
func (p *page) drawMachines(t machineTable) forestPlot {
	reach := 1.8 * math.Log1p(max(p.Margin, 0.01))
	for _, l := range t.Lines {
		for _, end := range []float64{l.Ratio, l.Lo, l.Hi} {
			if x := math.Abs(math.Log(end)); end > 0 && x <= math.Log(20) {
				reach = max(reach, 1.08*x)
			}
		}
	}
	axis := svgAxis{reach, 4, plotWidth - 4}
	plot := forestPlot{Name: t.Heading}
	for _, l := range t.Lines {
		line := intervalLine(&l.Comparison, axis)
		line.Name, line.Full, line.Class, line.Title = shorten(l.Name, 24), l.Name, cmp.Or(string(l.Word), "noise"), l.Name+": "+l.Detail
		line.Text = strings.TrimSpace(line.Text + " " + string(l.Word))
		plot.add(line, &l.Comparison, axis)
	}
	plot.close(axis)
	plot.Margin = axis.around(p.Margin)
	return plot
}
