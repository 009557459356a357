package arenauseafterfree

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
var Analyzer = rule.New("arenauseafterfree", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.UseAfter && e.Origin.Kind.Arena()) {
			continue
		}
		category, cost := rule.Corruption, "its memory may already be reused"
		switch {
		case e.Origin.Arena == nil || e.Origin.Handle:
			cost = "a freed arena panics, or hands out memory already in use"
		case e.Origin.Kind == catalog.Safe:
			category, cost = rule.Remark, "it stays valid in this arena, but not in one that recycles"
		case e.Origin.Kind == catalog.Std:
			cost = "the program crashes or reads other data"
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: category,
			Message: fmt.Sprintf("%s is %s: %s", e.Subject(), e.Used(pass.Pass, "its arena was freed", "free"), cost),
			Related: e.Related(),
		})
	}
	return nil
}
