package rpcescape

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow/events"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("rpcescape", doc, false, run, events.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range events.Of(pass.Pass) {
		if !(e.Kind == events.Outlives || e.Kind == events.Stale) || !e.Origin.Borrowed || !e.Origin.Kind.Arena() {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: events.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: message(pass, e), Related: e.Related(),
		})
	}
	return nil
}

func message(pass *rule.Pass, e *events.Event) string {
	switch {
	case e.Kind == events.Stale:
		return fmt.Sprintf("use of memory of a message that was recycled when the next one was received%s (PerMessage): copy what is needed longer with deep.Clone", e.When(pass.Pass))
	case e.Origin.Received:
		return fmt.Sprintf("the value %s is memory of %s and outlives the message: with PerMessage it is recycled when the next one is received; copy it with deep.Clone", e.What, e.Subject())
	}
	return fmt.Sprintf("the value %s is memory of %s and outlives the RPC: it becomes another request's data; copy it with deep.Detach or deep.Clone, or call Keep", e.What, e.Subject())
}
