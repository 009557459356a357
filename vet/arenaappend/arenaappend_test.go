package arenaappend_test

import (
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"lessgc/vet/arenaappend"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ruletest"
)

func Test(t *testing.T) {
	ruletest.Arenas(t)
	ruletest.Run(t, arenaappend.Analyzer)
}

// TestNotes checks what is reported in note mode.
func TestNotes(t *testing.T) {
	rule.Settings.Notes = true
	t.Cleanup(func() { rule.Settings.Notes = false })
	t.Setenv("LESSGC_VET_PANIC", "1")
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: "testdata", Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, "./maybe")
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{arenaappend.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, f := range pkgs[0].Syntax {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if strings.HasPrefix(fn.Name.Name, "maybe") {
				want = append(want, fn.Name.Name)
			}
			if slices.ContainsFunc(graph.Roots[0].Diagnostics, func(d analysis.Diagnostic) bool {
				return fn.Pos() < d.Pos && d.Pos < fn.End() && d.Category == rule.Remark
			}) {
				got = append(got, fn.Name.Name)
			}
		}
	}
	if err := graph.Roots[0].Err; err != nil {
		t.Error(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("reported in note mode are %q, want %q", got, want)
	}
}
