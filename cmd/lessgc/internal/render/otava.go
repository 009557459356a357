package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"time"

	"lessgc/cmd/lessgc/internal/history"
	"lessgc/cmd/lessgc/internal/visible"
)

// OtavaCSV writes a history for the CSV importer of Apache Otava, which looks for change
// points: a line for each run with its time and commit, and columns for the ratio of each row,
// metric and cell, and for its median. Otava takes no empty field: a run that did not compare a row
// has the value of the run before, and the first ones that of the run after, as Otava fills gaps itself.
func OtavaCSV(w io.Writer, c *history.Course) error {
	c = visible.All(c, 0)
	columns := []otavaColumn{}
	names := map[string]int{"time": 1, "commit": 1, "branch": 1} // the last means something to Otava
	add := func(name string, row history.Row, value func(*history.Point) float64) {
		if names[name]++; names[name] > 1 {
			name = fmt.Sprintf("%s #%d", name, names[name])
		}
		columns = append(columns, otavaColumn{quoted(name), filled(row.Points, value)})
	}
	for _, t := range c.Tables {
		for _, row := range t.Rows {
			name := strings.Join([]string{rowName(row), t.Metric, t.Cell}, " ")
			if t.Group != "" {
				name += " against " + t.Group
			}
			add(name, row, func(p *history.Point) float64 { return p.Ratio })
			if !row.Mean {
				add(name+" median", row, func(p *history.Point) float64 { return p.Median })
			}
		}
	}
	out := csv.NewWriter(w)
	line := []string{"time", "commit"}
	for _, column := range columns {
		line = append(line, column.name)
	}
	out.Write(line)
	for i, run := range c.Runs {
		line = []string{run.Time.UTC().Format(time.RFC3339), quoted(run.Commit)}
		for _, column := range columns {
			line = append(line, exact(column.values[i]))
		}
		out.Write(line)
	}
	out.Flush()
	return out.Error()
}

// An otavaColumn holds a value for each run.
type otavaColumn struct {
	name   string
	values []float64
}

// filled returns a value for each point. A row has one at least.
func filled(points []*history.Point, value func(*history.Point) float64) []float64 {
	var out []float64
	last := 0.0
	for _, p := range points {
		if p != nil {
			last = value(p)
			break
		}
	}
	for _, p := range points {
		if p != nil {
			last = value(p)
		}
		out = append(out, last)
	}
	return out
}
