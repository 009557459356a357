package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/session"
)

// layOut finds out which benchmarks there are, and makes the cells and rows of
// the session from the variants.
func (r *Run) layOut(ctx context.Context) error {
	s := r.Dir.Session
	s.Cells, s.Rows = nil, nil
	if !r.benchmarks() {
		r.makeCells([]*group{{values: []string{""}}})
		names := []string{r.config().Exec}
		if r.load != nil {
			names = r.load.Names()
		}
		for _, name := range names {
			row := session.Row{Name: name, Label: name, N: 1, Bench: make([]string, len(s.Cells))}
			for i, c := range s.Cells {
				if c.Err == "" {
					row.Bench[i] = name
				}
			}
			s.Rows = append(s.Rows, row)
		}
		return nil
	}
	if err := r.listAll(ctx); err != nil {
		return err
	}
	groups := r.groups()
	if len(groups) == 0 {
		return r.nothingRan()
	}
	r.makeCells(groups)
	r.makeRows(groups)
	labelRows(s.Rows)
	if len(s.Rows) == 0 {
		return r.nothingRan()
	}
	r.noteLonely()
	r.noteChanged()
	return nil
}

// noteLonely names the rows that are not run, because no cell that is compared
// has them and its reference too.
func (r *Run) noteLonely() {
	for _, row := range r.Dir.Session.Rows {
		if r.comparable(row) {
			continue
		}
		var cells []string
		for i, c := range r.Dir.Session.Cells {
			if row.Bench[i] != "" && !c.AA {
				cells = append(cells, c.Name)
			}
		}
		r.note("%s is in %s only: there is nothing to compare it with", row.Label, strings.Join(cells, ", "))
	}
}

func (r *Run) nothingRan() error {
	if len(r.Dir.Session.Problems) > 0 {
		return errors.New("nothing could be measured; the reasons are above")
	}
	if key := r.config().Column; key != "" {
		return fmt.Errorf("no benchmark has /%s= in its name, which -col asks for", key)
	}
	return fmt.Errorf("no benchmark ran: those that match -bench '%s' print no result (are they skipped, or is a part after a / wrong?)", r.config().Bench)
}

// A group is the rows that have one baseline in common. There is more than one
// only if a key of the names makes the columns: benchmarks that share a key need
// not share its values.
type group struct {
	name   string   // the value of the baseline if there are several groups, else ""
	values []string // of the column key, the baseline first; {""} if no key makes columns
	rows   []*groupRow
}

type groupRow struct {
	pkg, name string
	values    []string             // in the order in which the benchmarks show them
	bench     map[rowColumn]string // full names
}

func (row *groupRow) several() bool { return len(row.values) > 1 }

type rowColumn struct {
	v     *variant
	value string
}

// groups divides the rows. The first value of the first row that has several is
// the baseline of all that have it; the others have the first of their own.
func (r *Run) groups() []*group {
	rows := r.groupRows()
	if len(rows) == 0 {
		return nil
	}
	var all []*group
	overall := rows[max(0, slices.IndexFunc(rows, (*groupRow).several))].values[0]
	for _, row := range rows {
		base := row.values[0]
		// What has one value has nothing to be compared with, and with a base
		// revision every column has its own baseline.
		if slices.Contains(row.values, overall) || !row.several() || r.config().Base != "" {
			base = overall
		}
		i := slices.IndexFunc(all, func(g *group) bool { return g.name == base })
		if i < 0 {
			i = len(all)
			all = append(all, &group{name: base, values: []string{base}})
		}
		g := all[i]
		g.rows = append(g.rows, row)
		for _, value := range row.values {
			if !slices.Contains(g.values, value) {
				g.values = append(g.values, value)
			}
		}
	}
	if len(all) == 1 {
		all[0].name = ""
	}
	return all
}

// groupRows makes one row for each benchmark, in the order in which the first
// binary that has it lists it.
func (r *Run) groupRows() []*groupRow {
	split := newColumn(r.config().Column)
	var rows []*groupRow
	without := false
	for _, v := range r.variants {
		for _, b := range v.bins {
			for _, l := range b.names {
				name, value := split.name(l.name)
				if r.config().Column != "" && value == "" {
					without = true
					continue
				}
				i := slices.IndexFunc(rows, func(row *groupRow) bool { return row.pkg == b.pkg.ImportPath && row.name == name })
				if i < 0 {
					i = len(rows)
					rows = append(rows, &groupRow{b.pkg.ImportPath, name, nil, map[rowColumn]string{}})
				}
				row := rows[i]
				if !slices.Contains(row.values, value) {
					row.values = append(row.values, value)
				}
				row.bench[rowColumn{v, value}] = "Benchmark" + l.name
			}
		}
	}
	if without {
		r.note("benchmarks without /%s= in their name are left out", r.config().Column)
	}
	return rows
}

// makeCells makes the columns: in each group, every variant with every value of
// the column key. The first that can be run is the baseline; a base revision is
// the baseline of its own mode. The last cell is the baseline once more.
func (r *Run) makeCells(groups []*group) {
	for _, g := range groups {
		r.makeGroup(g)
	}
	s := r.Dir.Session
	if first := s.Cells[0]; first.Err != "" && first.Version == "" {
		if i := slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Err == "" }); i > 0 {
			r.note("%s could not be built: %s is the baseline instead", first.Name, s.Cells[i].Name)
		}
	}
}

func (r *Run) makeGroup(g *group) {
	s := r.Dir.Session
	several := len(r.config().Modes) > 1
	var cells []session.Cell
	start := len(s.Cells)
	for _, v := range r.variants {
		for _, value := range g.values {
			c := session.Cell{Name: cellName(v, value, several, r.config().Base), Group: g.name, Mode: v.mode, Version: v.version, Value: value, Err: v.err}
			if len(v.bins) > 0 && v.err == "" {
				c.Build = v.info()
			}
			cells = append(cells, c)
		}
	}
	first := max(0, slices.IndexFunc(cells, func(c session.Cell) bool { return c.Err == "" && c.Version != "work" }))
	for i := range cells {
		ref := first
		if cells[i].Version != "" {
			ref = slices.IndexFunc(cells, func(c session.Cell) bool {
				return c.Version == "base" && c.Mode.Name == cells[i].Mode.Name && c.Value == cells[i].Value
			})
		}
		if r.config().Upgrade.Change(cells[i].Mode.Name) != nil { // what goes away without the change is its share
			ref = slices.IndexFunc(cells, func(c session.Cell) bool { return c.Mode.Name == r.config().Upgrade.To })
		}
		cells[i].Ref = start + ref
		if ref == i || ref < 0 {
			cells[i].Ref = -1
		}
	}
	again := cells[first]
	again.Name, again.AA, again.Ref = "A/A", true, start+first
	if r.config().Duet { // each side of a duet runs beside its own partner
		partner := again
		partner.Name, partner.Ref = "A/A partner", -1
		again.Ref = start + len(cells)
		cells = append(cells, partner)
	}
	for _, c := range append(cells, again) {
		c.ID = r.cellID(c)
		s.Cells = append(s.Cells, c)
	}
}

func cellName(v *variant, value string, several bool, base string) string {
	var parts []string
	if v.version == "" && (several || value == "") || v.version != "" && several {
		parts = append(parts, v.mode.Name)
	}
	switch v.version {
	case "base":
		parts = append(parts, "base "+base[:min(len(base), 9)])
	case "work":
		parts = append(parts, "working tree")
	}
	if value != "" {
		parts = append(parts, value)
	}
	return strings.Join(parts, " · ")
}

// cellID makes a file name of a cell's name and, if there are several groups,
// its baseline's.
func (r *Run) cellID(c session.Cell) string {
	name := c.Name
	if c.AA {
		name = strings.ToLower(strings.ReplaceAll(name, "/", ""))
	}
	if c.Group != "" && (c.AA || c.Ref >= 0) {
		name = c.Group + "." + name
	}
	const most = 100
	id := strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9._=+,-]+`).ReplaceAllString(name, "-"), "-.")
	id = id[:min(len(id), most)]
	for n := 2; slices.ContainsFunc(r.Dir.Session.Cells, func(c session.Cell) bool { return c.ID == id }) || id == ""; n++ {
		id = fmt.Sprintf("%s-%d", strings.TrimRight(id, "-0123456789"), n)
	}
	return id
}

// makeRows makes the rows of the session, group by group.
func (r *Run) makeRows(groups []*group) {
	s := r.Dir.Session
	for _, g := range groups {
		for _, row := range g.rows {
			bench := make([]string, len(s.Cells))
			for c, cell := range s.Cells {
				if cell.Group == g.name {
					bench[c] = row.bench[rowColumn{r.variantOf(cell), cell.Value}]
				}
			}
			s.Rows = append(s.Rows, session.Row{Package: row.pkg, Name: row.name, Bench: bench})
		}
	}
}

// labelRows distinguishes rows of the same name by as much of their packages'
// paths as it takes. A function called just Benchmark has no name to show.
func labelRows(rows []session.Row) {
	for i := range rows {
		row := &rows[i]
		row.Label = cmp.Or(row.Name, "Benchmark")
		elements := strings.Split(row.Package, "/")
		for n := 1; n <= len(elements) && ambiguous(rows, i, n-1); n++ {
			row.Label = strings.Join(elements[len(elements)-n:], "/") + "." + cmp.Or(row.Name, "Benchmark")
		}
	}
}

// ambiguous reports whether another row has the same name in a package whose last
// n path elements are the same.
func ambiguous(rows []session.Row, i, n int) bool {
	last := func(path string) string {
		elements := strings.Split(path, "/")
		return strings.Join(elements[max(0, len(elements)-n):], "/")
	}
	return slices.ContainsFunc(rows, func(other session.Row) bool {
		return other.Package != rows[i].Package && other.Name == rows[i].Name && last(other.Package) == last(rows[i].Package)
	})
}

// variantOf is the variant that the cell was made from.
func (r *Run) variantOf(c session.Cell) *variant {
	i := slices.IndexFunc(r.variants, func(v *variant) bool { return v.mode.Name == c.Mode.Name && v.version == c.Version })
	return r.variants[i]
}

// binaryOf is the binary that runs a row in a cell, or nil.
func (r *Run) binaryOf(c session.Cell, row session.Row) *binary {
	v := r.variantOf(c)
	if v.err != "" {
		return nil
	}
	i := slices.IndexFunc(v.bins, func(b *binary) bool { return b.err == nil && (row.Package == "" || b.pkg.ImportPath == row.Package) })
	if i < 0 {
		return nil
	}
	return v.bins[i]
}
