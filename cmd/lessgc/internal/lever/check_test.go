package lever

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestVariants loads a package whose outer test imports one that imports it: that one is
// not asked for, and has to be read all the same, or there are two types T.
func TestVariants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.26\n",
		"a/a.go":       "package a\n\ntype T struct{ N int }\n",
		"a/in_test.go": "package a\n\nfunc (T) Inner() []int { return make([]int, 4) }\n",
		"a/a_test.go":  "package a_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/a\"\n\t\"example.com/m/b\"\n)\n\nfunc Test(*testing.T) { b.Take(a.T{}).Inner() }\n",
		"b/b.go":       "package b\n\nimport \"example.com/m/a\"\n\nfunc Take(t a.T) a.T { return t }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	program, err := Load(t.Context(), dir, []string{"./a"}, true)
	if err != nil {
		t.Fatal(err)
	}
	if outer := program.units[filepath.Join(dir, "a/a_test.go")]; outer == nil {
		t.Errorf("the outer test is not there: %v", program.units)
	}
}

// TestChecksItself fails if go/packages is asked for what it checks in several goroutines.
func TestChecksItself(t *testing.T) {
	if needs&(packages.NeedSyntax|packages.NeedTypesInfo) != 0 {
		t.Error("go/packages is asked for syntax")
	}
	all, err := packages.Load(&packages.Config{Mode: needs}, ".")
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(all, func(pkg *packages.Package) bool { return pkg.Types == nil || pkg.ExportFile == "" }) {
		t.Error("types are not from export data")
	}
}
