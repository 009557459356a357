package vetrun

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// A Repair applies the fixes of a report to the source. Nothing is written before Write.
type Repair struct {
	Files []File    // that change, by name
	Fixed []Finding // by their first fix
	Left  []Left    // all others

	after []Finding // findings in the files as they will be
}

// A File is the content of one as it was, and as it will be. Its name is not that of a
// symbolic link.
type File struct {
	Name     string
	Old, New []byte

	path  string // absolute
	edits []Edit // of Old, by their place; formatting is not among them
}

// NewFile returns a File for Repair.Write, of which path is the absolute name and name the one to show.
func NewFile(name, path string, old, new []byte) File {
	return File{Name: name, Old: old, New: new, path: path}
}

// Left is a finding that was not repaired.
type Left struct {
	Finding
	Why string // it has a fix, but; empty if it has none
}

// Repair applies the first fix of each finding, as far as they go together. It changes only
// files of the packages that were asked for, inside of their main module, and none that are
// generated, read-only, or hold line directives. A file that was formatted stays so. The
// packages must then compile and have no finding that they did not have, of those that the
// options ask for, notes among them, and of the errors and warnings of rules that are not
// advisory: go vet is asked about the files as they would be. Options must be those
// of Run, with Repair set.
func (r *Report) Repair(ctx context.Context, o Options) (*Repair, error) {
	reasons := map[int]string{} // why a finding is not to be fixed
	for {
		p, wrong := r.plan(reasons)
		if len(wrong) == 0 {
			var err error
			if wrong, err = p.check(ctx, o); err != nil {
				return nil, err
			}
		}
		if len(wrong) == 0 {
			return &p.Repair, nil
		}
		before := len(reasons)
		for i, why := range wrong {
			reasons[i] = why
		}
		if len(reasons) == before {
			return nil, errors.New("the fixes cannot be applied")
		}
	}
}

// A plan is a repair in the making.
type plan struct {
	Repair
	report  *Report
	sources map[string]*source // by their real paths
	fixed   []int              // the findings of Fixed
}

// plan applies fixes but for those that reasons speak against, and returns reasons against
// more.
func (r *Report) plan(reasons map[int]string) (*plan, map[int]string) {
	p := &plan{report: r, sources: map[string]*source{}}
	for i, f := range r.Findings {
		why := reasons[i]
		switch {
		case why != "":
		case len(f.Fixes) > 0:
			why = p.take(f.Fixes[0])
		default:
			why = p.unfixable(f)
		}
		if why != "" || len(f.Fixes) == 0 {
			p.Left = append(p.Left, Left{f, why})
			continue
		}
		p.Fixed = append(p.Fixed, f)
		p.fixed = append(p.fixed, i)
	}
	wrong := map[int]string{}
	for path, s := range p.sources {
		if len(s.edits) == 0 {
			continue
		}
		data, err := s.apply()
		if err != nil {
			p.blame(wrong, func(f Finding) bool { return r.touches(f, path) }, "the file would not parse: "+oneLine(err.Error()))
			continue
		}
		p.Files = append(p.Files, File{short(path), s.data, data, path, s.edits})
	}
	slices.SortFunc(p.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return p, wrong
}

// blame names what is to be left of what is fixed.
func (p *plan) blame(wrong map[int]string, of func(Finding) bool, why string) {
	for n, f := range p.Fixed {
		if of(f) {
			wrong[p.fixed[n]] = why
		}
	}
}

// touches reports whether the fix of a finding changes a file.
func (r *Report) touches(f Finding, path string) bool {
	return slices.ContainsFunc(f.Fixes[0].Edits, func(e Edit) bool { return r.path(e.File) == path })
}

// source reads a file once.
func (p *plan) source(name string) *source {
	path := p.report.path(name)
	s := p.sources[path]
	if s == nil {
		s = p.report.read(path)
		p.sources[path] = s
	}
	return s
}

// unfixable returns the reason why a finding has no fix, if that is its file, or "".
func (p *plan) unfixable(f Finding) string {
	switch s := p.source(f.File); {
	case s.why == notVetted:
		return notVetted + ": a line directive may have led here"
	case s.why == lineDirective, s.why == cgo:
		return s.why
	}
	return ""
}

// take adds the edits of a fix to the others, or says why it cannot.
func (p *plan) take(fix Fix) (why string) {
	for _, e := range fix.Edits {
		s := p.source(e.File)
		e.File = p.report.path(e.File)
		switch {
		case s.why != "":
			return s.why
		case e.Start < 0 || e.End < e.Start || e.End > len(s.data):
			return "the fix does not fit the file"
		case slices.ContainsFunc(s.edits, e.overlaps):
			return "the fix of another finding is in the way; run lessgc vet -fix again"
		}
	}
	for _, e := range fix.Edits {
		s := p.source(e.File)
		e.File = p.report.path(e.File)
		if !slices.Contains(s.edits, e) {
			s.edits = append(s.edits, e)
		}
	}
	return ""
}

// overlaps reports whether two edits cannot both be made. Two equal edits are one.
func (e Edit) overlaps(other Edit) bool {
	switch {
	case e == other:
		return false
	case e.Start == e.End && other.Start == other.End:
		return e.Start == other.Start
	}
	return e.Start < other.End && other.Start < e.End
}

// Diff writes what would change, as patch and git apply read it.
func (r *Repair) Diff(w io.Writer) error {
	for _, f := range r.Files {
		if _, err := w.Write(diff.Diff("a/"+f.Name, f.Old, "b/"+f.Name, f.New)); err != nil {
			return err
		}
	}
	return nil
}
