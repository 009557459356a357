package render

import "slices"

// A pageGC is a table of plain figures: the collector's, or latencies.
type pageGC struct {
	Title   string
	Noun    string // of a group
	Many    bool   // it starts folded
	Titles  []string
	Columns int
	Groups  []pageGCGroup
}

// Latency is the table of latencies, in the shape of the collector's.
func (p *page) Latency() pageGC {
	table := pageGC{Title: "Latency", Noun: p.RowNoun(), Many: p.ManyRows(), Titles: []string{"50 %", "90 %", "99 %", "99.9 %", "Longest", "Requests"}, Columns: 7}
	for row := range p.Rows {
		group := pageGCGroup{Name: p.Rows[row].Name}
		for _, l := range p.Latencies {
			if l.Row != row || p.Cells[l.Cell].AA {
				continue
			}
			out := pageGCRow{Cell: p.Cells[l.Cell].Name}
			for _, v := range l.Percentiles() {
				out.Values = append(out.Values, amount(v, "sec"))
			}
			out.Values = append(out.Values, grouped(float64(l.Requests)))
			group.Rows = append(group.Rows, out)
		}
		if len(group.Rows) > 0 {
			table.Groups = append(table.Groups, group)
		}
	}
	return table
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
	table := pageGC{Title: "Garbage collection", Noun: p.RowNoun(), Many: p.ManyRows()}
	var ms, beside []int
	for m, metric := range p.Metrics {
		switch {
		case metric.Show().Collector:
			ms = append(ms, m)
		case metric.Show().Beside:
			beside = append(beside, m)
		}
	}
	ms = append(ms, beside...)
	for _, m := range ms {
		table.Titles = append(table.Titles, p.heading(m))
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
