package render

import (
	"slices"

	"lessgc/cmd/lessgc/internal/verdict"
)

// A pageGC is the collector's table.
type pageGC struct {
	Titles  []string
	Columns int
	Groups  []pageGCGroup
}

type pageGCGroup struct {
	Name, Package string
	Rows          []pageGCRow
}

type pageGCRow struct {
	Cell   string
	Values []string
}

// GC is the table of medians of the collector's figures, one group per
// benchmark. It has no groups if none were measured.
func (p *page) GC() pageGC {
	var table pageGC
	var ms []int
	for _, name := range append(slices.Clone(gcFigures), "rss") {
		if m := slices.IndexFunc(p.Metrics, func(m verdict.Metric) bool { return m.Name == name }); m >= 0 {
			ms = append(ms, m)
			table.Titles = append(table.Titles, p.heading(m))
		}
	}
	table.Columns = 1 + len(ms)
	for row := range p.Rows {
		group := pageGCGroup{Name: p.Rows[row].Name, Package: p.packageOf(row)}
		for c, cell := range p.Cells {
			if !cell.AA && slices.ContainsFunc(ms, func(m int) bool { return p.values[pageSpot{row, c, m}] != nil }) {
				group.Rows = append(group.Rows, p.gcRow(row, c, ms))
			}
		}
		if len(group.Rows) > 0 {
			table.Groups = append(table.Groups, group)
		}
	}
	return table
}

func (p *page) gcRow(row, c int, ms []int) pageGCRow {
	out := pageGCRow{Cell: p.Cells[c].Name}
	for _, m := range ms {
		text := "–"
		if v := p.values[pageSpot{row, c, m}]; v != nil {
			text = amount(v.Median, p.Metrics[m].Unit)
		}
		out.Values = append(out.Values, text)
	}
	return out
}
