package pooluseafterput

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("pooluseafterput", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.UseAfter && !e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("%s is %s: another Get may already have returned the same memory", e.Subject(), e.Used(pass.Pass, "it was put back", "put")),
			Related: e.Related(),
		})
	}
	return nil
}
