package render

import (
	"fmt"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

// plots draws bars of the metrics that have them, as long as the value
// is large against the largest of its benchmark.
func (t Text) plots(b *strings.Builder, r *verdict.Report) {
	for m, metric := range r.Metrics {
		if !metric.Decides && !metric.Show().Plot {
			continue
		}
		fmt.Fprintln(b, t.bold(heading(r, metric)))
		var lines [][]string
		for row := range r.Rows {
			lines = append(lines, t.bars(r, row, m)...)
		}
		align(b, lines)
		b.WriteByte('\n')
	}
}

func (t Text) bars(r *verdict.Report, row, m int) [][]string {
	largest, longest := 0.0, 0
	for _, v := range r.Values {
		if v.Row == row && v.Metric == m && !r.Cells[v.Cell].AA {
			largest = max(largest, v.Median)
			longest = max(longest, width(r.Cells[v.Cell].Name))
		}
	}
	lines := [][]string{{r.Rows[row].Name}}
	room := max(10, t.Width-longest-16)
	for _, v := range r.Values {
		if v.Row != row || v.Metric != m || r.Cells[v.Cell].AA {
			continue
		}
		lines = append(lines, []string{"  " + r.Cells[v.Cell].Name + strings.Repeat(" ", longest-width(r.Cells[v.Cell].Name)) + "  " +
			bar(v.Median, largest, room) + " " + Number(v.Median, r.Metrics[m].Unit)})
	}
	return lines
}

// bar draws a length in eighths of a column.
func bar(v, largest float64, room int) string {
	if largest <= 0 {
		return ""
	}
	eighths := int(v / largest * float64(room) * 8)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[rest])
	}
	return s
}
