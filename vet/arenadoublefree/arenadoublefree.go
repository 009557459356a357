package arenadoublefree

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("arenadoublefree", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Double && e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("%s is freed twice%s: that panics, or frees another owner's arena", e.Subject(), e.First(pass.Pass)),
			Related: e.Related(),
		})
	}
	return nil
}
