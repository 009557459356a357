package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"lessgc/vet/internal/flow"
)

// TestLargeSwitch analyzes a loop around a switch with hundreds of cases, as interpreters have. What follows each
// edge of its phis from each of the others would not end.
func TestLargeSwitch(t *testing.T) {
	var b strings.Builder
	b.WriteString(`package p

func run(b []byte, ops []int, more func() bool) []byte {
	for _, op := range ops {
		switch op {
`)
	for i := range 300 {
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\tif more() {\n\t\t\t\tb = append(b, %d)\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tb = name(b, op)\n", i, i%100)
	}
	b.WriteString(`		}
	}
	return b
}

func name(b []byte, op int) []byte {
	if op > 1 {
		b = append(b, 'x')
	}
	return append(b, '"')
}
`)
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module p\n\ngo 1.25\n", "p.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{flow.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range graph.Roots {
		if root.Err != nil || root.Result.(*flow.Package) == nil {
			t.Errorf("%v", root.Err)
		}
	}
}
