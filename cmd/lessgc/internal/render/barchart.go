package render

import (
	"fmt"
	"slices"
	"strconv"

	"lessgc/cmd/lessgc/internal/verdict"
)

// A barChart is the medians of one metric as bars, grouped by benchmark.
type barChart struct {
	Heading  string
	Open     bool
	Height   px
	Left     px // where bars begin
	Full     px // where 100 % is
	Groups   []barGroup
	Baseline px // of the words that name the two lines
}

type barGroup struct {
	Name, Full string
	TextY      px
	Top, Foot  px // of the line at 100 %
	Bars       []bar100
}

type bar100 struct {
	Name, Full, Label, Title, Class string
	Y, TextY, Width, LabelX         px
	Cut                             string // outline of the mark of a bar that is too long
}

// Bars are the charts of the metrics that published comparisons draw.
func (p *page) Bars() []barChart {
	var all []barChart
	for m, metric := range p.Metrics {
		if metric.Show().Chart && len(compared(p.Report, m)) > 0 {
			all = append(all, p.barChart(m))
		}
	}
	return all
}

func (p *page) barChart(m int) barChart {
	unit := p.barUnit(m)
	chart := barChart{Heading: p.heading(m), Open: !p.ManyRows(), Left: barLeft, Full: px(barLeft + unit), Baseline: 11}
	y := 22.0
	for row := range p.Rows {
		group := barGroup{Name: shorten(p.Rows[row].Name, 58), Full: p.Rows[row].Name, TextY: px(y + 12), Top: px(y + 17)}
		y += 18
		for c := range p.Cells {
			if b, ok := p.bar(row, c, m, unit, y); ok {
				group.Bars = append(group.Bars, b)
				y += barPitch
			}
		}
		if len(group.Bars) == 0 {
			y -= 18
			continue
		}
		group.Foot = px(y)
		y += 10
		chart.Groups = append(chart.Groups, group)
	}
	chart.Height = px(y)
	return chart
}

// barUnit is the length of 100 %, so that the longest bar has room.
func (p *page) barUnit(m int) float64 {
	longest := 1.0
	for _, v := range p.Values {
		if ref := p.barRef(v.Row, v.Cell, m); v.Metric == m && ref != nil && ref.Median > 0 && !p.Cells[v.Cell].AA {
			longest = max(longest, min(v.Median/ref.Median, barLongest))
		}
	}
	return barRoom / longest
}

// barRef is the value that is 100 % for a cell.
func (p *page) barRef(row, c, m int) *verdict.Value {
	if ref := p.Cells[c].Ref; ref >= 0 {
		c = ref
	}
	return p.values[pageSpot{row, c, m}]
}

func (p *page) bar(row, c, m int, unit, y float64) (bar100, bool) {
	cell, v := p.Cells[c], p.values[pageSpot{row, c, m}]
	if cell.AA || v == nil {
		return bar100{}, false
	}
	label := amount(v.Median, p.Metrics[m].Unit)
	b := bar100{Name: shorten(cell.Name, 15), Full: cell.Name, Label: label, Class: p.series(c), Y: px(y + 1), TextY: px(y + 12)}
	b.Title = cell.Name + ": " + label
	if ref := p.barRef(row, c, m); ref != nil && ref.Median > 0 {
		times := v.Median / ref.Median
		b.Width = px(unit * min(times, barLongest))
		if ref != v {
			b.Title += fmt.Sprintf(", %.1f %% of %s", 100*times, p.Cells[cell.Ref].Name)
		}
		if times > barLongest {
			b.Cut = fmt.Sprintf("M%v %vl4 -15", px(barLeft+float64(b.Width)-10), px(y+15))
		}
	}
	b.LabelX = barLeft + b.Width + 5
	return b, true
}

// series is the class that gives a cell its colour and shape: s0 for the first
// baseline of its group, aa for the copies that measure noise.
func (p *page) series(c int) string {
	if p.Cells[c].AA {
		return "aa"
	}
	var names []string
	base := map[string]int{} // of each group
	for i, cell := range p.Cells {
		_, ok := base[cell.Group]
		switch {
		case cell.AA:
		case !ok && cell.Ref < 0 && cell.Err == "":
			base[cell.Group] = i
		case !slices.Contains(names, cell.Name):
			names = append(names, cell.Name)
		}
	}
	if b, ok := base[p.Cells[c].Group]; ok && b == c {
		return "s0"
	}
	return "s" + strconv.Itoa(1+slices.Index(names, p.Cells[c].Name)%7)
}
