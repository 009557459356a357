package rpcescape

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("rpcescape", doc, false, run, flow.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range flow.Events(pass.Pass) {
		if !(e.Trouble == flow.Outlives && e.Origin.Borrowed && e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: flow.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("what is %s is memory of %s, and outlives the RPC: it becomes another request's data; copy it with deep.Detach or deep.Clone, or call Keep", e.What, e.Subject()),
			Related: e.Related(),
		})
	}
	return nil
}
