package verdict

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// The figures that call for a note.
const (
	highSteal    = 0.05 // share of a trial's CPU time
	fewCycles    = 10   // per trial
	lowLoopShare = 0.7  // of a trial's wall time
)

func mapKeys[K comparable, V any](m map[K]V) iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// find returns the comparison of a cell in a row and metric, or nil.
func (r *Report) find(row, cell, metric int) *Comparison {
	i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Row == row && c.Cell == cell && c.Metric == metric })
	if i < 0 {
		return nil
	}
	return &r.Comparisons[i]
}

// metric returns the index of a metric by its short name, or -1.
func (r *Report) metric(name string) int {
	return slices.IndexFunc(r.Metrics, func(m Metric) bool { return m.Name == name })
}

// Overall returns the comparison that speaks for a cell: the geometric mean, or the
// first row where there is none; nil if there is neither.
func (r *Report) Overall(cell, metric int) *Comparison {
	if c := r.find(Geomean, cell, metric); c != nil || metric < 0 {
		return c
	}
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Cell == cell && c.Metric == metric {
			return c
		}
	}
	return nil
}

// answer writes the plain words for each cell that is compared.
func (r *Report) answer() {
	for c, cell := range r.Cells {
		if cell.Without != "" { // Report.Upgrade has it
			continue
		}
		if cell.Err != "" && cell.Ref >= 0 && !cell.AA {
			r.Answers = append(r.Answers, Answer{c, "not measured", "It could not be built: " + cell.Err + "."})
		}
		if !cell.Compared() {
			continue
		}
		cpu := r.metric("cpu")
		overall := r.Overall(c, cpu)
		if overall == nil {
			r.Answers = append(r.Answers, Answer{c, "not measured", "No " + r.RowNoun() + " ran both in it and in " + r.Cells[cell.Ref].Name + "."})
			continue
		}
		better, worse := r.rowsWith(c, cpu, Better), r.rowsWith(c, cpu, Worse)
		a := Answer{Cell: c, Short: shortAnswer(overall.Word, len(better), len(worse))}
		sentences := []string{r.cpuSentence(overall), r.expectSentence(overall), r.rowsSentence(better, worse)}
		sentences = append(sentences, r.sideEffects(c)...)
		sentences = append(sentences, r.needSentence(overall))
		a.Text = strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
		r.Answers = append(r.Answers, a)
	}
}

func shortAnswer(overall Word, better, worse int) string {
	switch {
	case overall == Mixed:
		return "it depends on the machine"
	case overall == Better && worse == 0:
		return "yes"
	case overall == Better:
		return "mostly"
	case overall == Worse && better == 0:
		return "no"
	case overall == Worse:
		return "mostly not"
	case better > 0 && worse > 0:
		return "it depends"
	case better > 0:
		return "for some"
	case worse > 0:
		return "rather not"
	case overall == Same:
		return "no difference"
	}
	return "cannot tell yet"
}

// cpuSentence states the overall effect.
func (r *Report) cpuSentence(c *Comparison) string {
	over := ""
	if n := r.rowsOf(c.Cell, c.Metric); c.Row == Geomean {
		over = fmt.Sprintf(" over %d %ss (geometric mean)", n, r.RowNoun())
	}
	ref := r.Cells[c.Ref].Name
	switch {
	case !c.Bounded && c.Machines == 1:
		return fmt.Sprintf("CPU time against %s is %s%s, on one machine, which tells nothing of others.", ref, Percent(c.Ratio), over)
	case !c.Bounded:
		return fmt.Sprintf("CPU time against %s is %s%s, from too few rounds for an interval.", ref, Percent(c.Ratio), over)
	case c.Word == Mixed:
		return fmt.Sprintf("CPU time against %s is %s%s.", ref, r.classSentence(c), over)
	case c.Withheld != "":
		return c.Withheld + over + "."
	case c.Word == Same:
		return fmt.Sprintf("It costs the same CPU time as %s%s: %s [%s], inside the margin of %.2g %%.", ref, over, Percent(c.Ratio), Range(c.Lo, c.Hi), 100*r.Margin)
	case c.Word == Unclear && (c.Lo > 1 || c.Hi < 1) && c.Adjusted > r.Alpha:
		return fmt.Sprintf("CPU time against %s is %s [%s]%s: too few rounds to be sure of it among so many comparisons.", ref, Percent(c.Ratio), Range(c.Lo, c.Hi), over)
	case c.Word == Unclear:
		return fmt.Sprintf("CPU time against %s is %s [%s]%s: that may be noise.", ref, Percent(c.Ratio), Range(c.Lo, c.Hi), over)
	case c.Ratio < 1:
		return fmt.Sprintf("It saves %.1f %% of the CPU time of %s [%s]%s.", 100*(1-c.Ratio), ref, Range(c.Lo, c.Hi), over)
	}
	return fmt.Sprintf("It costs %.1f %% more CPU time than %s [%s]%s.", 100*(c.Ratio-1), ref, Range(c.Lo, c.Hi), over)
}

// classSentence lists what classes of machines say.
func (r *Report) classSentence(c *Comparison) string {
	var all []string
	for _, e := range c.ByClass {
		text := fmt.Sprintf("%s on %s", Percent(e.Ratio), r.Classes[e.Class].Name)
		if e.Bounded {
			text = fmt.Sprintf("%s [%s] on %s", Percent(e.Ratio), Range(e.Lo, e.Hi), r.Classes[e.Class].Name)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", and ")
}

// expectSentence states what a further machine is expected to show, where machines differ.
func (r *Report) expectSentence(c *Comparison) string {
	if !c.Predicted || c.I2 == 0 || c.Word == Mixed {
		return ""
	}
	return fmt.Sprintf("Machines differ (%.0f %% of the variation between them is not noise): on another one like these, expect %s to %s.",
		100*c.I2, Percent(c.ExpectLo), Percent(c.ExpectHi))
}

// rowsOf counts the rows in which a cell is compared.
func (r *Report) rowsOf(cell, metric int) int {
	n := 0
	for _, c := range r.Comparisons {
		if c.Cell == cell && c.Metric == metric && c.Row != Geomean {
			n++
		}
	}
	return n
}

func (r *Report) rowsWith(cell, metric int, w Word) []*Comparison {
	var rows []*Comparison
	for i := range r.Comparisons {
		if c := &r.Comparisons[i]; c.Cell == cell && c.Metric == metric && c.Row != Geomean && c.Word == w {
			rows = append(rows, c)
		}
	}
	return rows
}

// rowsSentence names the rows that differ most.
func (r *Report) rowsSentence(better, worse []*Comparison) string {
	var parts []string
	say := func(word string, rows []*Comparison) {
		if len(rows) == 0 || len(r.Rows) < 2 {
			return
		}
		most := slices.MaxFunc(rows, func(a, b *Comparison) int {
			if math.Abs(math.Log(a.Ratio)) < math.Abs(math.Log(b.Ratio)) {
				return -1
			}
			return 1
		})
		name, change := r.Rows[most.Row].Name, Percent(most.Ratio)
		if len(rows) == 1 {
			parts = append(parts, fmt.Sprintf("%s for %s (%s)", word, name, change))
		} else {
			parts = append(parts, fmt.Sprintf("%s in %d rows, most for %s (%s)", word, len(rows), name, change))
		}
	}
	say("better", better)
	say("worse", worse)
	if len(parts) == 0 {
		return ""
	}
	return "It is " + strings.Join(parts, ", and ") + "."
}

// sideEffects describes what else changed: memory and allocations.
func (r *Report) sideEffects(cell int) []string {
	var out []string
	if rss := r.Overall(cell, r.metric("rss")); rss != nil && (rss.Word == Better || rss.Word == Worse) {
		out = append(out, fmt.Sprintf("Peak memory: %s [%s].", Percent(rss.Ratio), Range(rss.Lo, rss.Hi)))
	}
	for _, name := range []string{"p50", "p99", "rate"} {
		if x := r.Overall(cell, r.metric(name)); x != nil && (x.Word == Better || x.Word == Worse) {
			title := r.Metrics[x.Metric].Title
			out = append(out, fmt.Sprintf("%s: %s [%s].", strings.ToUpper(title[:1])+title[1:], Percent(x.Ratio), Range(x.Lo, x.Hi)))
		}
	}
	allocs := r.metric("allocs")
	less, more := r.rowsWith(cell, allocs, Better), r.rowsWith(cell, allocs, Worse)
	allocations := "Allocations per operation: "
	if r.Load {
		allocations = "Allocations per request: "
	}
	switch {
	case len(less) > 0 && len(more) > 0:
		out = append(out, fmt.Sprintf(allocations+"fewer in %d of %d, more in %d.", len(less), r.rowsOf(cell, allocs), len(more)))
	case len(less) > 0:
		out = append(out, fmt.Sprintf(allocations+"fewer in %d of %d.", len(less), r.rowsOf(cell, allocs)))
	case len(more) > 0:
		out = append(out, fmt.Sprintf(allocations+"more in %d of %d.", len(more), r.rowsOf(cell, allocs)))
	}
	return out
}

func (r *Report) needSentence(c *Comparison) string {
	switch {
	case c.Word != Unclear, c.Withheld != "":
		return ""
	case c.Need > 0 && c.Machines > 1:
		return fmt.Sprintf("About %d machines would tell.", c.Need)
	case c.Need > 0:
		return fmt.Sprintf("About %d rounds would tell.", c.Need)
	case c.Machines == 1:
		return ""
	case !c.Bounded:
		return ""
	case c.NoFloor:
		return "The A/A cell was not measured, so no difference can be called."
	}
	return "More rounds will hardly tell: the noise is too large for the effect."
}

// FirstOf lists the first few names, and how many more there are.
func FirstOf(few int, names []string) string {
	list := strings.Join(names[:min(few, len(names))], ", ")
	if more := len(names) - few; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// Percent writes a ratio as a change: -5.0 %.
func Percent(ratio float64) string { return change(ratio) + " %" }

// Range writes an interval of ratios as changes: -15.0, +7.3.
func Range(lo, hi float64) string { return change(lo) + ", " + change(hi) }

func change(ratio float64) string {
	s := fmt.Sprintf("%+.1f", 100*(ratio-1))
	if s == "-0.0" { // nothing has no sign, or always the same
		return "+0.0"
	}
	return s
}
