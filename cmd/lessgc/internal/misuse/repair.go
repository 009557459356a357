package misuse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
)

// A Repair is what the fixes of a report make of the source. Nothing is written before
// Write.
type Repair struct {
	Files []File    // that change, by name
	Fixed []Finding // by their first fix
	Left  []Left    // all others
}

// A File is the content of one as it was, and as it will be.
type File struct {
	Name     string
	Old, New []byte
}

// Left is a finding that was not repaired.
type Left struct {
	Finding
	Why string // it has a fix, but; empty if it has none
}

// Repair applies the first fix of each finding, as far as they go together. Files that are
// generated are left alone. A file that was formatted stays so. The packages must then
// compile: go vet, with the options of the report, is asked.
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
	sources map[string]*source
	fixed   []int // the findings of Fixed
}

// A source is a file that fixes want to change.
type source struct {
	data      []byte
	formatted bool
	why       string // it must not be changed
	edits     []Edit
}

// plan applies fixes but for those that reasons speak against, and returns reasons against
// more.
func (r *Report) plan(reasons map[int]string) (*plan, map[int]string) {
	p := &plan{report: r, sources: map[string]*source{}}
	for i, f := range r.Findings {
		why := reasons[i]
		if why == "" && len(f.Fixes) > 0 {
			why = p.take(f.Fixes[0])
		}
		if why != "" || len(f.Fixes) == 0 {
			p.Left = append(p.Left, Left{f, why})
			continue
		}
		p.Fixed = append(p.Fixed, f)
		p.fixed = append(p.fixed, i)
	}
	wrong := map[int]string{}
	for name, s := range p.sources {
		if len(s.edits) == 0 {
			continue
		}
		data, err := s.apply()
		if err != nil {
			p.blame(wrong, func(f Finding) bool { return touches(f, name) }, "the file would not parse: "+oneLine(err.Error()))
			continue
		}
		p.Files = append(p.Files, File{name, s.data, data})
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

func touches(f Finding, file string) bool {
	return slices.ContainsFunc(f.Fixes[0].Edits, func(e Edit) bool { return e.File == file })
}

// take adds the edits of a fix to the others, or says why it cannot.
func (p *plan) take(fix Fix) (why string) {
	for _, e := range fix.Edits {
		s := p.sources[e.File]
		if s == nil {
			s = read(e.File, p.report.started)
			p.sources[e.File] = s
		}
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
		if s := p.sources[e.File]; !slices.Contains(s.edits, e) {
			s.edits = append(s.edits, e)
		}
	}
	return ""
}

// overlaps says whether two edits cannot both be made. Two that are the same are one.
func (e Edit) overlaps(other Edit) bool {
	switch {
	case e == other:
		return false
	case e.Start == e.End && other.Start == other.End:
		return e.Start == other.Start
	}
	return e.Start < other.End && other.Start < e.End
}

// read reads a file and says whether it may be changed.
func read(name string, started time.Time) *source {
	info, err := os.Stat(name)
	if err != nil {
		return &source{why: err.Error()}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return &source{why: err.Error()}
	}
	s := &source{data: data}
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments)
	switch {
	case err != nil:
		s.why = "the file does not parse"
	case info.ModTime().After(started):
		s.why = "the file was changed meanwhile; run lessgc vet -fix again"
	case ast.IsGenerated(file):
		s.why = "the file is generated"
	case bytes.Contains(data, []byte("\n//line ")) || bytes.Contains(data, []byte("/*line ")):
		s.why = "the file has line directives, so that it is not clear where the fix belongs"
	case slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` }):
		s.why = "the file uses cgo, which moves the code around"
	}
	if clean, err := format.Source(data); err == nil {
		s.formatted = bytes.Equal(clean, data)
	}
	return s
}

// apply makes the edits.
func (s *source) apply() ([]byte, error) {
	slices.SortFunc(s.edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out []byte
	at := 0
	for _, e := range s.edits {
		out = append(append(out, s.data[at:e.Start]...), e.New...)
		at = e.End
	}
	out = append(out, s.data[at:]...)
	clean, err := format.Source(out)
	if err != nil || s.formatted {
		return clean, err
	}
	return out, nil
}

// check has go vet look at all packages as they would be, and returns what speaks against
// fixes of packages that do not compile then.
func (p *plan) check(ctx context.Context, o Options) (map[int]string, error) {
	if len(p.Files) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "lessgc-fix-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o.overlay, err = overlay(dir, p.Files); err != nil {
		return nil, err
	}
	o.Step = nil
	after, err := Run(ctx, o)
	if err != nil {
		return nil, err
	}
	wrong := map[int]string{}
	for _, problem := range after.Problems {
		if slices.Contains(p.report.Problems, problem) {
			continue
		}
		why := "it would not compile: " + p.real(dir, strings.TrimPrefix(problem.Message, doesNotCompile))
		p.blame(wrong, func(f Finding) bool { return f.Package == problem.Package }, why)
	}
	if len(wrong) == 0 && len(after.Problems) > len(p.report.Problems) { // in a package without fixes
		p.blame(wrong, func(Finding) bool { return true }, "another package could not be looked at then")
	}
	return wrong, nil
}

// real puts the names of the files into a text instead of those in the folder of the overlay.
func (p *plan) real(dir, text string) string {
	inside := regexp.MustCompile(`\S*` + regexp.QuoteMeta(filepath.Base(dir)) + `[/\\](\d+)\.go`)
	return inside.ReplaceAllStringFunc(text, func(name string) string {
		i, err := strconv.Atoi(inside.FindStringSubmatch(name)[1])
		if err != nil || i >= len(p.Files) {
			return name
		}
		return p.Files[i].Name
	})
}

// overlay writes files into a folder, and a file for -overlay that has the go command take
// them for the real ones.
func overlay(dir string, files []File) (string, error) {
	replace := map[string]string{}
	for i, f := range files {
		abs, err := filepath.Abs(f.Name)
		if err != nil {
			return "", err
		}
		replace[abs] = filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(replace[abs], f.New, 0o666); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o666)
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

// Write writes the files, each whole or not at all.
func (r *Repair) Write() error {
	for _, f := range r.Files {
		if err := f.write(); err != nil {
			return fmt.Errorf("cannot write %s: %w", f.Name, err)
		}
	}
	return nil
}

func (f File) write() error {
	name, err := filepath.EvalSymlinks(f.Name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, f.Old) {
		return cmp.Or(err, errors.New("it was changed meanwhile"))
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".lessgc-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(f.New)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
