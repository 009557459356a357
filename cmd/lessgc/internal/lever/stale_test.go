package lever

import (
	"os"
	"path/filepath"
	"testing"

	"lessgc/cmd/lessgc/internal/prof"
)

// TestStale checks which lines belong to the functions that a profile says, those that give variables of the package their values among them.
func TestStale(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	file := filepath.Join(dir, "m.go")
	const source = "package m\n\nvar table = make([]int, 100)\n\n// f makes a slice.\nfunc f() []int {\n\treturn make([]int, 9)\n}\n\ntype t struct{}\n"
	for name, text := range map[string]string{"m.go": source, "go.mod": "module example.com/m\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program, err := Load(t.Context(), dir, []string{"."}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		line int
		want bool
	}{
		{"example.com/m.f", 7, false}, {"example.com/m.g", 7, true}, {"example.com/m.init", 3, false}, {"example.com/m.map.init.0", 3, false},
		{"example.com/m.init", 5, true}, {"example.com/m.init", 7, true}, {"example.com/m.init", 10, true}, {"example.com/m.f", 3, true}, {"example.com/m.f", 5, true},
	} {
		if got := program.Stale(prof.Frame{Func: c.name, File: file, Line: c.line}); got != c.want {
			t.Errorf("%s at line %d: %t", c.name, c.line, got)
		}
	}
}
