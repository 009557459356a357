package arenamissingfree

import (
	_ "embed"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("arenamissingfree", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Missing && e.Origin.Kind.Arena()) {
			continue
		}
		category, cost := rule.Leak, "its memory is left to the garbage collector"
		switch e.Origin.Kind {
		case catalog.Typed, catalog.Recycled:
			category, cost = rule.LostMemory, "its memory is never reused"
		case catalog.OffHeap:
			category, cost = rule.LostMemory, "nothing else frees its memory"
		}
		message := fmt.Sprintf("%s is not freed: %s", e.Subject(), cost)
		if e.Release.IsValid() || e.Partly {
			message = fmt.Sprintf("%s is not freed on the path to %s: %s", e.Subject(), events.Line(pass.Pass, e.Exits[0]), cost)
		}
		var related []analysis.RelatedInformation
		for _, exit := range e.Exits {
			related = append(related, rule.Related(exit, "this is reached without a Free"))
		}
		pass.Report(rule.Finding{Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: category, Message: message, Related: append(e.Related(), related...), Fixes: e.DeferFix(pass.Pass, "Free")})
	}
	return nil
}
