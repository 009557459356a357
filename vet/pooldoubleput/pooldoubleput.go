package pooldoubleput

import (
	_ "embed"
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("pooldoubleput", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Double && !e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("%s is put back twice%s: two Gets return the same memory to two owners", e.Subject(), e.First(pass.Pass)),
			Related: e.Related(),
			Fixes:   remove(pass, e),
		})
	}
	return nil
}

// remove takes out the statement that puts a value which a deferred call puts as well.
func remove(pass *rule.Pass, e *events.Event) []analysis.SuggestedFix {
	stmt, ok := events.Around[*ast.ExprStmt](pass.Pass, e.Release)
	if !ok || !e.Deferred || e.More {
		return nil
	}
	if call, ok := stmt.X.(*ast.CallExpr); !ok || len(call.Args) > 1 {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "Leave it to the deferred call",
		TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End()}},
	}}
}
