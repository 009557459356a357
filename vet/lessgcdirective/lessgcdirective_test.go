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

// Test runs the analyzer, applies its fixes and compares them with testdata/fixes.txt, with rules of its own: the cases are about
// them.
func Test(t *testing.T) {
	t.Setenv("LESSGC_VET_PANIC", "1")
	rule.Settings.Advice = true
	defer func() { rule.Settings.Advice = false }()
	a := analyzer()
	ruletest.CompareFixes(t, a, testdata(t), analysistest.RunWithSuggestedFixes(t, testdata(t), a, "./..."))
}

func testdata(t *testing.T) string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestRuleThatDidNotRun checks that an ignore of a rule that is off is left alone.
func TestRuleThatDidNotRun(t *testing.T) {
	analysistest.Run(t, testdata(t), analyzer(), "./advice")
}
