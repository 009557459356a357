package poolalias

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolalias", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Outlives && !e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("the value %s aliases %s, which is put back%s: the next Get overwrites it", e.What, e.Subject(), e.When(pass.Pass)),
			Related: e.Related(),
			Fixes:   e.CopyFix(pass.Pass),
		})
	}
	return nil
}
