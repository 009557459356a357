// Package rule makes analyzers of rules, and holds what all rules share.
package rule

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/directive"
)

// The categories of findings, by the cost of a mistake. [Severity] maps them to severities.
const (
	Corruption  = "corruption"  // data of one owner gets to another: an error
	LostMemory  = "lost-memory" // recycled or off-heap memory that nobody can free any more: an error
	Leak        = "leak"        // a pool or arena that does not do its work: a warning
	Performance = "performance" // correct, but wasteful: a note
	Remark      = "remark"      // correct, but easy to break: a note, in note mode
	Removed     = "removed"     // a name that lessgc has removed: an error
	Directive   = "directive"   // an unused or malformed directive: a warning
)

// Severity returns the severity of a category: "error", "warning" or "note".
func Severity(category string) string {
	switch category {
	case Corruption, LostMemory, Removed:
		return "error"
	case Leak, Directive:
		return "warning"
	}
	return "note"
}

// Settings are the same for all rules of a process. They are set before any rule runs.
var Settings struct {
	Advice    bool                   // run the advisory rules
	Notes     bool                   // report remarks too
	FactsOnly bool                   // nobody reads the reports: rules need not run
	Lone      bool                   // report findings without related positions
	Explicit  func(name string) bool // reports whether a rule was named by the user; may be nil
}

// A Finding is one mistake. Its message is one line: the consequence when the program runs.
type Finding struct {
	Pos, End token.Pos // End may be NoPos
	Category string
	Message  string
	Related  []analysis.RelatedInformation // the acquiring call, the release, the bad use
	Fixes    []analysis.SuggestedFix       // each has to compile; fixes of files with line directives are dropped
}

// A Pass is the pass of one rule over one package.
type Pass struct {
	*analysis.Pass
	directives *directive.Directives
}

// Report reports a finding, unless a directive silences it.
func (p *Pass) Report(f Finding) {
	ignored := p.directives.Ignored(p.Analyzer.Name, f.Pos) // remembered for remarks, too
	if ignored || f.Category == Remark && !Settings.Notes {
		return
	}
	if Settings.Lone {
		f.Related = nil
	}
	fixes := slices.DeleteFunc(slices.Clone(f.Fixes), func(fix analysis.SuggestedFix) bool { return !p.applicable(fix) })
	p.Pass.Report(analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Category, Message: f.Message, URL: URL(p.Analyzer.Name), Related: f.Related, SuggestedFixes: fixes})
}

// ReportGroup reports findings that the rule would no longer make once one of them is fixed, because it
// looks at them together. So that none is lost, their fixes are one: each has the edits of all. Findings
// that alone reports true of stay until they are fixed themselves: their edits are their own.
func (p *Pass) ReportGroup(all []Finding, alone func(int) bool) {
	var group []Finding
	for i, f := range all {
		if len(f.Fixes) > 0 && !alone(i) && !p.directives.Ignored(p.Analyzer.Name, f.Pos) {
			group = append(group, f)
		}
	}
	for _, f := range all {
		if len(f.Fixes) > 0 {
			f.Fixes = []analysis.SuggestedFix{joined(f, group)}
		}
		p.Report(f)
	}
}

// joined returns the first fix of a finding with the edits of those of a group.
func joined(f Finding, group []Finding) analysis.SuggestedFix {
	fix := f.Fixes[0]
	fix.TextEdits = slices.Clone(fix.TextEdits)
	for _, other := range group {
		if other.Pos != f.Pos {
			fix.TextEdits = append(fix.TextEdits, other.Fixes[0].TextEdits...)
		}
	}
	return fix
}

// applicable reports whether all edits of a fix are to files without line directives. Drivers
// take the name of the file to edit from the adjusted position, and the offset in it from
// the physical one: with a directive they would write into another file.
func (p *Pass) applicable(fix analysis.SuggestedFix) bool {
	return !slices.ContainsFunc(fix.TextEdits, func(e analysis.TextEdit) bool {
		i := slices.IndexFunc(p.Files, func(f *ast.File) bool { return f.FileStart <= e.Pos && e.Pos <= f.FileEnd })
		return i < 0 || LineDirective(p.Files[i]) || p.Fset.Position(e.Pos) != p.Fset.PositionFor(e.Pos, false)
	})
}

// LineDirective reports whether a file, parsed with its comments, holds a line directive.
// A comment that only looks like one, as it does not begin its line, is taken for one.
func LineDirective(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// Related returns a position that belongs to a finding, with its message.
func Related(pos token.Pos, format string, args ...any) analysis.RelatedInformation {
	return analysis.RelatedInformation{Pos: pos, Message: fmt.Sprintf(format, args...)}
}

// URL returns the address of a rule's description.
func URL(name string) string { return "https://pkg.go.dev/lessgc/vet/" + name }

// Ran is the result of every rule: true if the rule was on.
type Ran bool

// New makes the analyzer of a rule. Doc is the text of doc.go: its package comment is
// the description. Advisory rules report nothing unless [Settings] turn them on.
func New(name, doc string, advisory bool, run func(*Pass) error, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:       name,
		Doc:        packageComment(doc),
		URL:        URL(name),
		Requires:   append([]*analysis.Analyzer{directive.Analyzer}, requires...),
		ResultType: reflect.TypeFor[Ran](),
		Run: func(pass *analysis.Pass) (result any, err error) {
			if advisory && !enabled(name) || Settings.FactsOnly && len(pass.Analyzer.FactTypes) == 0 {
				return Ran(false), nil
			}
			result = Ran(false) // if it panics
			defer Recover(pass, &err)
			err = run(&Pass{pass, pass.ResultOf[directive.Analyzer].(*directive.Directives)})
			return Ran(true), err
		},
	}
}

// enabled reports whether an advisory rule is on.
func enabled(name string) bool {
	return Settings.Advice || Settings.Explicit != nil && Settings.Explicit(name)
}

// Recover ends a rule that panics without a report: a failure in one package must not keep
// the rules from running over the packages that import it. With LESSGC_VET_PANIC in the
// environment, the panic becomes an error.
func Recover(pass *analysis.Pass, err *error) {
	if r := recover(); r != nil && os.Getenv("LESSGC_VET_PANIC") != "" {
		*err = fmt.Errorf("%s of %s: %v\n%s", pass.Analyzer.Name, pass.Pkg.Path(), r, debug.Stack())
	}
}

// packageComment is the package comment of a file, without the word "Package".
func packageComment(file string) string {
	var b strings.Builder
	for line := range strings.Lines(file) {
		text, ok := strings.CutPrefix(line, "//")
		if !ok {
			break
		}
		b.WriteString(strings.TrimPrefix(text, " "))
	}
	_, text, _ := strings.Cut(b.String(), "Package ")
	return strings.TrimSpace(text)
}

// IsVariable reports whether an expression is a variable, or a field of one: evaluated twice, it
// means the same.
func IsVariable(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return true
		case *ast.SelectorExpr:
			e = x.X
		default:
			return false
		}
	}
}
