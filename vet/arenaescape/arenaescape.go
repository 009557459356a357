package arenaescape

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("arenaescape", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Outlives && e.Origin.Kind.Arena() && !e.Origin.Borrowed) {
			continue
		}
		category, cost := rule.Corruption, "its memory is reused for other data"
		switch {
		case e.Origin.Kind == catalog.Safe && e.Origin.Arena != nil && !e.Origin.Handle:
			category, cost = rule.Remark, "it stays valid, because the arena is safe, but keeps its chunk alive"
		case e.Origin.Arena == nil:
			cost = "any later use is of a freed arena"
		case e.Origin.Kind == catalog.Std:
			cost = "a later read crashes or finds other data"
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: category,
			Message: fmt.Sprintf("the value %s, %s, outlives its arena%s: %s", e.What, e.Subject(), e.When(pass.Pass), cost),
			Related: e.Related(),
		})
	}
	return nil
}
