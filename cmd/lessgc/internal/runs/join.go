package runs

import (
	"cmp"
	"maps"
	"slices"

	"lessgc/cmd/lessgc/internal/verdict"
)

// A tableName names a table in all runs.
type tableName struct{ unit, cell string }

// A rowName names a benchmark in all runs: its label may have more of its package's path
// where another package has the same benchmark. Without a name it is the geometric mean.
type rowName struct{ pkg, name string }

// join puts the changes of all runs in tables by the names of what was compared.
func (r *Report) join(inputs []Input) {
	j := joiner{runs: len(inputs), rows: map[rowName]rowLabel{}, tables: map[tableName]map[rowName][]*Change{}}
	for i, in := range inputs {
		j.add(i, in)
	}
	for _, m := range j.metrics {
		for _, cell := range j.cells {
			if changes := j.tables[tableName{m.Unit, cell}]; changes != nil {
				r.Tables = append(r.Tables, Table{m, cell, j.lines(changes)})
			}
		}
	}
}

// A joiner collects changes. Metrics, cells and rows keep the order in which they were
// first seen.
type joiner struct {
	runs    int
	metrics []verdict.Metric
	cells   []string
	rows    map[rowName]rowLabel
	tables  map[tableName]map[rowName][]*Change // by run
}

// A rowLabel holds the text of a row, and its position.
type rowLabel struct {
	text  string
	order int
}

func (j *joiner) add(run int, in Input) {
	for _, m := range in.Report.Metrics {
		if !slices.ContainsFunc(j.metrics, func(a verdict.Metric) bool { return a.Unit == m.Unit }) {
			j.metrics = append(j.metrics, m)
		}
	}
	for _, c := range in.Report.Cells {
		if c.Compared() && !slices.Contains(j.cells, title(c)) {
			j.cells = append(j.cells, title(c))
		}
	}
	names := make([]rowName, len(in.Report.Rows))
	for i, row := range in.Report.Rows {
		names[i] = rowName{row.Package, in.Session.Rows[i].Name}
		if _, seen := j.rows[names[i]]; !seen {
			j.rows[names[i]] = rowLabel{row.Name, len(j.rows)}
		}
	}
	for _, x := range in.Report.Comparisons {
		cell := in.Report.Cells[x.Cell]
		if !cell.Compared() {
			continue
		}
		row := rowName{}
		if x.Row != verdict.Geomean {
			row = names[x.Row]
		}
		j.put(run, tableName{in.Report.Metrics[x.Metric].Unit, title(cell)}, row,
			&Change{in.Report.Cells[x.Ref].Name, x.N, x.Ratio, x.Bounded, x.Lo, x.Hi, x.Word, x.Withheld})
	}
}

func (j *joiner) put(run int, table tableName, row rowName, c *Change) {
	if j.tables[table] == nil {
		j.tables[table] = map[rowName][]*Change{}
	}
	changes := j.tables[table][row]
	if changes == nil {
		changes = make([]*Change, j.runs)
		j.tables[table][row] = changes
	}
	changes[run] = cmp.Or(changes[run], c) // two rows of a name: the first counts
}

// lines are the rows of a table. The geometric mean stands below them if all runs have
// taken it of the same benchmarks.
func (j *joiner) lines(changes map[rowName][]*Change) []Row {
	names := slices.SortedFunc(maps.Keys(changes), func(a, b rowName) int { return cmp.Compare(j.rows[a].order, j.rows[b].order) })
	var rows []Row
	whole := true
	for _, name := range names {
		if name != (rowName{}) {
			rows = append(rows, Row{Package: name.pkg, Name: j.rows[name].text, Changes: changes[name]})
			whole = whole && !slices.Contains(changes[name], nil)
		}
	}
	if mean := changes[rowName{}]; mean != nil && whole {
		rows = append(rows, Row{Name: "geometric mean", Mean: true, Changes: mean})
	}
	return rows
}
