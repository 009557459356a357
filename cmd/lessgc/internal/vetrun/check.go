package vetrun

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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
	if wrong := p.clashes(); len(wrong) > 0 {
		return wrong, nil
	}
	o.Repair = false
	after, err := o.within(ctx, p.changed())
	if err != nil {
		return nil, err
	}
	p.after = after.Findings
	return p.against(after), nil
}

// against returns the objections to fixes, by index, of a report of the files as they would be.
func (p *plan) against(after *Report) map[int]string {
	wrong := map[int]string{}
	worse := false
	for _, problem := range after.Problems {
		if slices.Contains(p.report.Problems, problem) {
			continue
		}
		if others, ok := after.others[problem.Package]; ok && p.report.unseen[problem.Package] {
			for _, text := range more(p.report.others[problem.Package], others) {
				at, _, _ := strings.Cut(text, ": ")
				file, line, _ := position(at)
				p.blameNearest(wrong, Finding{Package: problem.Package, Span: Span{File: file, Line: line}}, "it would not compile: "+text)
			}
			continue
		}
		worse = true
		why := "it would not compile: " + strings.TrimPrefix(problem.Message, doesNotCompile)
		p.blame(wrong, func(f Finding) bool { return f.Package == problem.Package }, why)
	}
	if worse && len(wrong) == 0 && len(after.Problems) > len(p.report.Problems) { // in a package without fixes
		p.blame(wrong, func(Finding) bool { return true }, "another package could not be looked at then")
	}
	if len(wrong) > 0 {
		return wrong
	}
	for _, f := range surplus(p.report.all, p.Fixed, after.all) {
		if !p.report.unseen[f.Package] { // else it may have been there before
			p.blameNearest(wrong, f, fmt.Sprintf("then there would be another finding in line %d: %s [%s]", f.Line, f.Message, f.Rule))
		}
	}
	return wrong
}

// more returns the errors after a change that were not there before, regardless of lines.
func more(before, after []string) []string {
	known := map[string]int{}
	for _, text := range before {
		known[digits.ReplaceAllString(text, "#")]++
	}
	return slices.DeleteFunc(slices.Clone(after), func(text string) bool {
		text = digits.ReplaceAllString(text, "#")
		known[text]--
		return known[text] >= 0
	})
}

// blameNearest leaves what was fixed in the function where something new is found; else in
// its file, else in its package, else everything: what one function does with its parameters
// is judged in others.
func (p *plan) blameNearest(wrong map[int]string, n Finding, why string) {
	path := p.report.path(n.File)
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.path == path })
	for _, of := range []func(Finding) bool{
		func(f Finding) bool {
			return i >= 0 && p.report.touches(f, path) && slices.ContainsFunc(f.Fixes[0].Edits, func(e Edit) bool {
				old := p.Files[i].Old
				return p.report.path(e.File) == path && function(old, 1+bytes.Count(old[:e.Start], []byte("\n"))) == function(p.Files[i].New, n.Line)
			})
		},
		func(f Finding) bool { return p.report.touches(f, path) },
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

// kind returns a key that two findings of the same mistake share, before and after lines
// have moved.
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
