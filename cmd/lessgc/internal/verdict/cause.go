package verdict

import (
	"fmt"
	"strings"
)

// cause takes one row and metric apart.
func (j *judge) cause(row, m int, total *Comparison) Cause {
	c := Cause{Row: row, Metric: m, Total: Share{Change: -1, Ratio: total.Ratio, Bounded: total.Bounded, Lo: total.Lo, Hi: total.Hi, Word: total.Word}, Shares: []Share{}}
	var partly []string // changes that are not part of all rows
	for i, change := range j.r.Upgrade.Changes {
		if row == Geomean && change.Cell >= 0 && !j.everywhere(change.Cell) {
			partly = append(partly, change.Name)
		} else if share, ok := j.share(row, m, i, total.Ref); ok {
			c.Shares = append(c.Shares, share)
		}
	}
	if rest, ok := j.restOf[valueKey{row, total.Cell, m}]; ok {
		c.Rest = &Share{Change: -1, Ratio: rest.Ratio, Bounded: rest.Bounded, Lo: rest.Lo, Hi: rest.Hi, Word: rest.Word}
	} else if j.r.Metrics[m].Exact {
		c.Rest = j.exactRest(row, m, total, c.Shares)
	}
	c.Short, c.Text = j.causeWords(&c, total)
	if len(partly) > 0 {
		c.Rest, c.Short, c.Text = nil, "", fmt.Sprintf("see the rows: not all of them have %s in their binary", strings.Join(partly, ", "))
	}
	return c
}

// share returns the effect of a change in a row; ok is false where that was not measured.
// old is the cell of the old toolchain.
func (j *judge) share(row, m, change, old int) (s Share, ok bool) {
	cell := j.r.Upgrade.Changes[change].Cell
	if j.untouched[[2]int{row, cell}] {
		return Share{Change: change, Ratio: 1, Word: Same, Untouched: true}, true
	}
	x := j.comparisons[valueKey{row, cell, m}]
	if cell < 0 || x == nil {
		return s, false
	}
	s = Share{Change: change, Ratio: 1 / x.Ratio, Bounded: x.Bounded, Word: opposite(x.Word), Without: j.against(row, cell, old, m)}
	if x.Bounded {
		s.Lo, s.Hi = 1/x.Hi, 1/x.Lo
	}
	if j.r.Metrics[m].Exact {
		s.Ratio = ratio(j.median(row, x.Ref, m), j.median(row, x.Cell, m))
	}
	return s, true
}

// everywhere reports whether the mean of a cell is over all rows: over those that a change
// is part of, it would be another mean than that of the whole.
func (j *judge) everywhere(cell int) bool {
	for row := range j.r.Rows {
		if j.untouched[[2]int{row, cell}] {
			return false
		}
	}
	return true
}

// opposite returns the word for a change, given that for its absence.
func opposite(w Word) Word {
	switch w {
	case Better:
		return Worse
	case Worse:
		return Better
	}
	return w
}

// exactRest returns the rest of a count that the changes do not explain: what they add
// and take is expected. Less than what makes no difference in bytes is the work of
// pools and maps.
func (j *judge) exactRest(row, m int, total *Comparison, shares []Share) *Share {
	if len(shares) == 0 {
		return nil
	}
	now, expected := j.median(row, total.Cell, m), j.median(row, total.Ref, m)
	for _, s := range shares {
		if !s.Untouched {
			expected += now - j.median(row, j.r.Upgrade.Changes[s.Change].Cell, m)
		}
	}
	rest := &Share{Change: -1, Ratio: ratio(now, max(0, expected)), Word: Same}
	switch {
	case rest.Ratio > 1+bytesMargin:
		rest.Word = Worse
	case rest.Ratio < 1/(1+bytesMargin):
		rest.Word = Better
	}
	return rest
}

func (j *judge) median(row, cell, m int) float64 {
	if v := j.values[valueKey{row, cell, m}]; v != nil {
		return v.Median
	}
	return 0
}

// against compares two cells of which neither is the other's reference: an estimate, and no
// claim. It is nil where one of them was not measured, and for the mean.
func (j *judge) against(row, cell, ref, m int) *Effect {
	x, y := j.values[valueKey{row, cell, m}], j.values[valueKey{row, ref, m}]
	if x == nil || y == nil {
		return nil
	}
	if j.r.Metrics[m].Exact {
		return &Effect{Ratio: ratio(x.Median, y.Median)}
	}
	byRound, ok := logRatios(x, y)
	if !ok {
		return nil
	}
	c, _ := j.paired(byRound, j.looks(cell, m, byRound)...)
	return &Effect{c.Ratio, c.Bounded, c.Lo, c.Hi}
}
