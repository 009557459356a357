package verdict

import (
	"fmt"
	"math"
)

// agree withholds verdicts on CPU time that the clock contradicts. Both are about the
// same work, so that a change in one is one in the other, with two exceptions: work that
// moves to or from other CPUs, and work that is not part of the benchmark, which only CPU
// time may have seen. The collector is the first of them that is ordinary: what it does
// beside the program is measured, and explains what it explains. Anything else is for a
// person to look at. Where the clock says the same word, that stays, with a note.
func (j *judge) agree() {
	cpu, wall, gc := j.r.metric("cpu"), j.r.metric("wall"), j.r.metric("gc-cpu")
	if cpu < 0 || wall < 0 {
		return
	}
	for i := range j.r.Comparisons {
		c := &j.r.Comparisons[i]
		if c.Metric != cpu || c.Word != Better && c.Word != Worse {
			continue
		}
		w := j.r.find(c.Row, c.Cell, wall)
		if w == nil || !w.Bounded || overlap(*c, *w) {
			continue
		}
		if own := j.withoutCollector(c, cpu, gc); own.Bounded {
			// What the collector does in the program's own time counts on the clock, what it
			// does beside it does not: the truth on the clock lies between the two.
			both := Comparison{Lo: min(c.Lo, own.Lo), Hi: max(c.Hi, own.Hi)}
			if overlap(both, *w) {
				continue
			}
		}
		differ := fmt.Sprintf("CPU time is %s [%s], but the time on the clock %s [%s], and the collector does not explain it: the work may have moved to or from other CPUs",
			Percent(c.Ratio), Range(c.Lo, c.Hi), Percent(w.Ratio), Range(w.Lo, w.Hi))
		where := "the geometric mean"
		if c.Row != Geomean {
			where = j.r.Rows[c.Row].Name
		}
		if w.Word == c.Word { // by how much is in doubt, and what it is is not
			j.r.Notes = append(j.r.Notes, fmt.Sprintf("%s in %s: %s", where, j.r.Cells[c.Cell].Name, differ))
			continue
		}
		c.Word, c.Need, c.Withheld = Unclear, 0, differ
		j.r.Notes = append(j.r.Notes, fmt.Sprintf("%s in %s: no verdict. %s", where, j.r.Cells[c.Cell].Name, differ))
	}
}

func overlap(a, b Comparison) bool { return a.Lo <= b.Hi && b.Lo <= a.Hi }

// withoutCollector is c, a comparison of CPU time, for that without the collector's.
func (j *judge) withoutCollector(c *Comparison, cpu, gc int) Comparison {
	if gc < 0 {
		return Comparison{}
	}
	logs := map[int]map[int]float64{}
	for row := range j.r.Rows {
		if c.Row != Geomean && row != c.Row {
			continue
		}
		x, ref := j.own(row, c.Cell, cpu, gc), j.own(row, c.Ref, cpu, gc)
		if x == nil || ref == nil {
			continue
		}
		if byRound, ok := logRatios(x, ref); ok {
			logs[row] = byRound
		}
	}
	if len(logs) == 0 {
		return Comparison{}
	}
	own, _ := j.paired(meanOverRows(logs))
	return own
}

// own are the values of CPU time without the collector's, nil if they are not known.
func (j *judge) own(row, cell, cpu, gc int) *Value {
	all, share := j.values[valueKey{row, cell, cpu}], j.values[valueKey{row, cell, gc}]
	if all == nil || share == nil {
		return nil
	}
	shares := map[int]float64{}
	for i, round := range share.Rounds {
		shares[round] = share.Trials[i]
	}
	own := &Value{}
	for i, round := range all.Rounds {
		if s, ok := shares[round]; ok {
			own.Rounds = append(own.Rounds, round)
			own.Trials = append(own.Trials, all.Trials[i]*math.Max(0, 1-s))
		}
	}
	return own
}
