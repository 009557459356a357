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
	if r.config().Exec != "" {
		r.makeCells([]string{""})
		row := session.Row{Name: r.config().Exec, Label: r.config().Exec, N: 1}
		for _, c := range s.Cells {
			if c.Err == "" {
				row.Bench = append(row.Bench, r.config().Exec)
			} else {
				row.Bench = append(row.Bench, "")
			}
		}
		s.Rows = []session.Row{row}
		return nil
	}
	if err := r.listAll(ctx); err != nil {
		return err
	}
	values := r.columnValues()
	if len(values) == 0 {
		return r.nothingRan()
	}
	r.makeCells(values)
	r.makeRows()
	labelRows(s.Rows)
	if len(s.Rows) == 0 {
		return r.nothingRan()
	}
	r.noteLonely()
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

// columnValues returns the values of the key that makes columns, in the order
// in which the benchmarks show them; {""} if no key does.
func (r *Run) columnValues() []string {
	key := r.config().Column
	if key == "" {
		return []string{""}
	}
	split := newColumn(key)
	var values []string
	without := 0
	for _, v := range r.variants {
		for _, b := range v.bins {
			for _, l := range b.names {
				_, value := split.name(l.name)
				if value == "" {
					without++
				} else if !slices.Contains(values, value) {
					values = append(values, value)
				}
			}
		}
	}
	if without > 0 {
		r.note("benchmarks without /%s= in their name are left out", key)
	}
	return values
}

// makeCells makes the columns: every variant with every value of the column
// key. The first that can be run is the baseline; a base revision is the
// baseline of its own mode. The last cell is the baseline once more.
func (r *Run) makeCells(values []string) {
	s := r.Dir.Session
	several := len(r.config().Modes) > 1
	for _, v := range r.variants {
		for _, value := range values {
			c := session.Cell{Name: cellName(v, value, several, r.config().Base), Mode: v.mode, Version: v.version, Value: value, Err: v.err}
			c.ID = r.cellID(c.Name)
			if len(v.bins) > 0 && v.err == "" {
				c.Build = v.info()
			}
			s.Cells = append(s.Cells, c)
		}
	}
	first := max(0, slices.IndexFunc(s.Cells, func(c session.Cell) bool { return c.Err == "" && c.Version != "work" }))
	for i := range s.Cells {
		s.Cells[i].Ref = first
		if s.Cells[i].Version != "" {
			s.Cells[i].Ref = slices.IndexFunc(s.Cells, func(c session.Cell) bool {
				return c.Version == "base" && c.Mode.Name == s.Cells[i].Mode.Name && c.Value == s.Cells[i].Value
			})
		}
		if s.Cells[i].Ref == i {
			s.Cells[i].Ref = -1
		}
	}
	if first > 0 && s.Cells[first].Version == "" {
		r.note("%s could not be built: %s is the baseline instead", s.Cells[0].Name, s.Cells[first].Name)
	}
	again := s.Cells[first]
	again.AA, again.Ref = true, first
	if r.config().Duet { // each side of a duet runs beside its own partner
		again.ID, again.Name, again.Ref = r.cellID("aa-partner"), "A/A partner", -1
		s.Cells = append(s.Cells, again)
		again.Ref = len(s.Cells) - 1
	}
	again.ID, again.Name = r.cellID("aa"), "A/A"
	s.Cells = append(s.Cells, again)
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

// cellID makes a file name of a cell's name.
func (r *Run) cellID(name string) string {
	id := strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9._=+,-]+`).ReplaceAllString(name, "-"), "-.")
	for n := 2; slices.ContainsFunc(r.Dir.Session.Cells, func(c session.Cell) bool { return c.ID == id }) || id == ""; n++ {
		id = fmt.Sprintf("%s-%d", strings.TrimRight(id, "-0123456789"), n)
	}
	return id
}

// makeRows makes one row for each benchmark, in the order in which the first
// binary that has it lists it.
func (r *Run) makeRows() {
	s := r.Dir.Session
	split := newColumn(r.config().Column)
	for _, v := range r.variants {
		for _, b := range v.bins {
			for _, l := range b.names {
				name, value := split.name(l.name)
				if r.config().Column != "" && value == "" {
					continue
				}
				i := slices.IndexFunc(s.Rows, func(row session.Row) bool { return row.Package == b.pkg.ImportPath && row.Name == name })
				if i < 0 {
					i = len(s.Rows)
					s.Rows = append(s.Rows, session.Row{Package: b.pkg.ImportPath, Name: name, Bench: make([]string, len(s.Cells))})
				}
				for c, cell := range s.Cells {
					if r.variantOf(cell) == v && cell.Value == value {
						s.Rows[i].Bench[c] = "Benchmark" + l.name
					}
				}
			}
		}
	}
}

// labelRows tells rows of the same name apart by as much of their packages'
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

// ambiguous says whether another row has the same name in a package whose last
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
