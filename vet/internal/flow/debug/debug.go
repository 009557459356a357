// Package debug reports what the analysis flow believes of functions, for lessgc vet -debug and for
// expectations in testdata.
package debug

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

// Name is the name of the analyzer.
const Name = "lessgcdebug"

// The categories of its diagnostics.
const (
	Summary = "summary" // one line
	State   = "state"   // a line for an origin, and one for each effect
)

// On says whether the analyzer reports anything.
var On bool

// Analyzer reports, at the name of each function, its summary and the states of its origins. It is not
// among the rules.
var Analyzer = &analysis.Analyzer{
	Name:     Name,
	Doc:      "print what the rules believe of functions, with -dump",
	Requires: []*analysis.Analyzer{flow.Analyzer, events.Analyzer}, // not beside: see flow.Package.Origins
	Run: func(pass *analysis.Pass) (result any, err error) {
		defer rule.Recover(pass, &err)
		if !On || rule.Settings.FactsOnly {
			return nil, nil
		}
		pkg := pass.ResultOf[flow.Analyzer].(*flow.Package)
		for _, fn := range pkg.Order {
			if fn.Syntax() == nil {
				continue
			}
			name := fn.RelString(pass.Pkg)
			report(pass, fn.Pos(), Summary, name+"\n"+fn.Describe(fn.Summary()))
			pkg.Origins(fn, func(o *flow.Origin) {
				report(pass, fn.Pos(), State, name+"\n"+strings.Join(o.Describe(fn), "\n"))
			})
		}
		return nil, nil
	},
}

// report reports a message of several lines: the name of the function, then what is said of it.
func report(pass *analysis.Pass, pos token.Pos, category, message string) {
	pass.Report(analysis.Diagnostic{Pos: pos, Category: category, Message: message})
}
