package pooluseafterput

import (
	_ "embed"
	"fmt"

	"lessgc/vet/internal/flow"
	"lessgc/vet/internal/rule"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("pooluseafterput", doc, false, run, flow.Analyzer)

func run(pass *rule.Pass) error {
	for _, e := range flow.Events(pass.Pass) {
		if !(e.Trouble == flow.UseAfter && !e.Origin.Kind.Arena()) {
			continue
		}
		pass.Report(rule.Finding{
			Pos: e.Pos, End: flow.End(pass.Pass, e.Pos), Category: rule.Corruption,
			Message: fmt.Sprintf("%s is used after it went back to its pool%s: the next Get may already have handed the same memory to somebody else", e.Subject(), e.When(pass.Pass)),
			Related: e.Related(),
		})
	}
	return nil
}
