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
		category, cost := rule.Corruption, "it becomes somebody else's data"
		switch {
		case e.Origin.Kind == catalog.Safe && e.Origin.Arena != nil && !e.Origin.Handle:
			category, cost = rule.Remark, "it stays valid as this arena is a safe one, and keeps its chunk alive"
		case e.Origin.Arena == nil:
			cost = "whoever uses it there uses a freed arena"
		case e.Origin.Kind == catalog.Std:
			cost = "whoever reads it there crashes, or reads what is there then"
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: category,
			Message: fmt.Sprintf("what is %s, %s, outlives the arena%s: %s", e.What, e.Subject(), e.When(pass.Pass), cost),
			Related: e.Related(),
		})
	}
	return nil
}
