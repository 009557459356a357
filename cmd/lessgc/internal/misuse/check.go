package misuse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// check has go vet look at all packages as they would be, and returns what speaks against
// fixes: of packages that do not compile then, and of files where something new is found.
func (p *plan) check(ctx context.Context, o Options) (map[int]string, error) {
	if len(p.Files) == 0 {
		return nil, nil
	}
	scratch, err := scratchFolder()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(scratch, overlayPrefix+"*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o.overlay, err = p.overlay(dir); err != nil {
		return nil, err
	}
	o.Step, o.Repair = nil, false
	after, err := Run(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, all := range [][]Finding{after.Findings, after.all} {
		p.rename(all)
	}
	p.after = after.Findings
	return p.against(after), nil
}

// rename puts the names of the files into findings instead of those in the overlay.
func (p *plan) rename(all []Finding) {
	name := func(s *Span) {
		if m := inOverlay.FindStringSubmatch(s.File); m != nil { // the folder may have spaces in its name
			s.File = p.name(m[1], s.File)
		}
	}
	for i := range all {
		name(&all[i].Span)
		for j := range all[i].Related {
			name(&all[i].Related[j].Span)
		}
	}
}

// against is what a report of the files as they would be says against fixes.
func (p *plan) against(after *Report) map[int]string {
	wrong := map[int]string{}
	for _, problem := range after.Problems {
		if slices.Contains(p.report.Problems, problem) {
			continue
		}
		why := "it would not compile: " + p.named(strings.TrimPrefix(problem.Message, doesNotCompile))
		p.blame(wrong, func(f Finding) bool { return f.Package == problem.Package }, why)
	}
	if len(wrong) == 0 && len(after.Problems) > len(p.report.Problems) { // in a package without fixes
		p.blame(wrong, func(Finding) bool { return true }, "another package could not be looked at then")
	}
	if len(wrong) > 0 {
		return wrong
	}
	for _, f := range surplus(p.report.all, p.Fixed, after.all) {
		p.blameNearest(wrong, f)
	}
	return wrong
}

// blameNearest leaves what was fixed in the function where something new is found; else in
// its file, else in its package, else everything: what one function does with its parameters
// is judged in others.
func (p *plan) blameNearest(wrong map[int]string, n Finding) {
	path := real(n.File)
	why := fmt.Sprintf("then there would be another finding in line %d: %s [%s]", n.Line, n.Message, n.Rule)
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.path == path })
	for _, of := range []func(Finding) bool{
		func(f Finding) bool {
			return i >= 0 && touches(f, path) && slices.ContainsFunc(f.Fixes[0].Edits, func(e Edit) bool {
				old := p.Files[i].Old
				return real(e.File) == path && function(old, 1+bytes.Count(old[:e.Start], []byte("\n"))) == function(p.Files[i].New, n.Line)
			})
		},
		func(f Finding) bool { return touches(f, path) },
		func(f Finding) bool { return f.Package == n.Package },
		func(Finding) bool { return true },
	} {
		before := len(wrong)
		p.blame(wrong, of, why)
		if len(wrong) > before {
			return
		}
	}
}

// function is the name of the function around a line, with that of its receiver's type;
// empty outside of functions.
func function(src []byte, line int) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if fset.Position(start).Line > line || line > fset.Position(f.End()).Line {
			continue
		}
		if f.Recv != nil && len(f.Recv.List) > 0 {
			return types.ExprString(f.Recv.List[0].Type) + "." + f.Name.Name
		}
		return f.Name.Name
	}
	return ""
}

var digits = regexp.MustCompile(`[0-9]+`)

// kind is what two findings have in common that are of the same mistake, before and after
// lines have moved.
func (f *Finding) kind() string {
	return f.Rule + "\x00" + real(f.File) + "\x00" + digits.ReplaceAllString(f.Message, "#")
}

// surplus are the findings after a change that were not there before, or were fixed.
func surplus(before, fixed, after []Finding) []Finding {
	known := map[string]int{}
	for i := range before {
		known[before[i].kind()]++
	}
	for i := range fixed {
		known[fixed[i].kind()]--
	}
	var more []Finding
	for i := range after {
		if k := after[i].kind(); known[k] > 0 {
			known[k]--
		} else {
			more = append(more, after[i])
		}
	}
	return more
}

// Settle makes of the findings that are left what they are in the files as they were
// written: their lines may have moved. Findings that are gone together with others are
// fixed.
func (r *Repair) Settle() {
	if len(r.Files) == 0 {
		return
	}
	now := map[string][]Finding{}
	for _, f := range r.after {
		now[f.kind()] = append(now[f.kind()], f)
	}
	var left []Left
	for _, l := range r.Left {
		switch k := l.kind(); {
		case len(now[k]) > 0:
			l.Finding, now[k] = now[k][0], now[k][1:]
			left = append(left, l)
		default:
			r.Fixed = append(r.Fixed, l.Finding)
		}
	}
	r.Left = left
}

// inOverlay is the name of a file in an overlay.
var inOverlay = regexp.MustCompile(`\S*` + overlayPrefix + `[0-9]+[/\\]([0-9a-f]{32})\.go`)

// named puts the names of the files into a text instead of those in the overlay, or in one of
// an earlier run: the go command keeps what was said of the same content.
func (p *plan) named(text string) string {
	return inOverlay.ReplaceAllStringFunc(text, func(name string) string {
		return p.name(inOverlay.FindStringSubmatch(name)[1], name)
	})
}

// name is that of the file with an id, or other if there is none.
func (p *plan) name(id, other string) string {
	if i := slices.IndexFunc(p.Files, func(f File) bool { return f.id() == id }); i >= 0 {
		return p.Files[i].Name
	}
	return other
}

// id is the name of a file in an overlay.
func (f File) id() string {
	sum := sha256.Sum256([]byte(f.path))
	return hex.EncodeToString(sum[:16])
}

// overlay writes the files as they would be into dir, and a file for -overlay that has the go
// command take them for the real ones.
func (p *plan) overlay(dir string) (string, error) {
	replace := map[string]string{}
	for _, f := range p.Files {
		name := filepath.Join(dir, f.id()+".go")
		for _, known := range p.report.vetted[f.path].names {
			replace[known] = name
		}
		if err := os.WriteFile(name, f.New, 0o600); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o600)
}
