package poolmissingput

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolmissingput", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Missing && !e.Origin.Kind.Arena()) {
			continue
		}
		message := fmt.Sprintf("%s is never put back: the pool allocates a new one each time", e.Subject())
		if e.Release.IsValid() || e.Partly {
			message = fmt.Sprintf("%s is not put back on the path to %s: the pool loses it", e.Subject(), events.Line(pass.Pass, e.Exits[0]))
		}
		var related []analysis.RelatedInformation
		for _, exit := range e.Exits {
			related = append(related, rule.Related(exit, "this is reached without a put"))
		}
		pass.Report(rule.Finding{Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Leak, Message: message, Related: append(e.Related(), related...), Fixes: e.DeferFix(pass.Pass, "Put")})
	}
	return nil
}
