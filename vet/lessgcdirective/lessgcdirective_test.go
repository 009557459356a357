package lessgcdirective_test

import (
	"go/ast"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ruletest"
	"lessgc/vet/lessgcdirective"
)

// calls makes a rule that reports the calls of a function.
func calls(name string, advice bool, function string) *analysis.Analyzer {
	return rule.New(name, "// Package "+name+" reports calls of "+function+".", advice, func(pass *rule.Pass) error {
		for _, f := range pass.Files {
			for n := range ast.Preorder(f) {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == function {
						pass.Report(rule.Finding{Pos: call.Pos(), Category: rule.Leak, Message: "a call of " + function})
					}
				}
			}
		}
		return nil
	})
}

func analyzer() *analysis.Analyzer {
	return lessgcdirective.New([]*analysis.Analyzer{calls("mistakes", false, "mistake"), calls("blunders", false, "blunder"), calls("slowness", true, "slow")})
}

func Test(t *testing.T) { ruletest.Run(t, analyzer()) }

// TestRuleThatDidNotRun checks that an ignore of a rule that is off is left alone.
func TestRuleThatDidNotRun(t *testing.T) {
	rule.Settings.Advice = false
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, analyzer(), "./advice")
}
