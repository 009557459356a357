package lever

import (
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestDeclaredElsewhere checks that names of the package are found in files for other systems and in its own tests, and not in
// those that are loaded or of the package of external tests.
func TestDeclaredElsewhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go":         "package x\n\nfunc loaded() {}\n",
		"a_windows.go": "package x\n\nfunc max(a, b float64) float64 { return a }\n\nfunc (t) method() {}\n\ntype t int\n",
		"a_test.go":    "package x\n\nvar utf8, other int\n",
		"b_test.go":    "package x_test\n\nvar external int\n",
		"broken.go":    "package x\n\nfunc {",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fset := token.NewFileSet()
	name := filepath.Join(dir, "a.go")
	file, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	u := &unit{pkg: &packages.Package{Types: types.NewPackage("example.com/x", "x")}, file: file}
	p := &Line{Program: &Program{fset: fset, units: map[string]*unit{name: u}}, unit: u}
	for name, want := range map[string]bool{"max": true, "t": true, "utf8": true, "other": true, "loaded": false, "method": false, "external": false, "nothing": false} {
		if got := p.declaredElsewhere(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
