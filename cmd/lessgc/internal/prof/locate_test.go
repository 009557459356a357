package prof

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
)

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x/x.go", "x/x_test.go", "cmd/a/main.go", "cmd/b/main.go", "here.go", "v.2/v.go"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	folders := Folders{ByPath: map[string]string{"example.com/m/x": at("x"), "example.com/v.2": at("v.2")}, Main: []string{at("cmd/a"), at("cmd/b")}}
	for _, c := range []struct{ function, file, want string }{
		{"example.com/m/x.F", "example.com/m/x/x.go", at("x/x.go")},                // -trimpath
		{"example.com/m/x.F", "example.com/m@v1.2.3/x/x.go", at("x/x.go")},         // a dependency
		{"example.com/m/x.(*T).F.func1", "/build/src/x/x.go", at("x/x.go")},        // another machine
		{"example.com/m/x.F", `C:\build\x\x.go`, at("x/x.go")},                     // another system
		{"example.com/m/x_test.F", "example.com/m/x/x_test.go", at("x/x_test.go")}, // an outer test
		{"example.com/v%2e2.F", "example.com/v.2/v.go", at("v.2/v.go")},
		{"example.com/m/x.F", "example.com/m/x/gone.go", "example.com/m/x/gone.go"},
		{"example.com/m/y.F", "example.com/m/y/x.go", "example.com/m/y/x.go"},
		{"example.com/m/x.F", at("here.go"), at("here.go")}, // by //line, or a copy
		{"main.main", "example.com/m/cmd/b/main.go", at("cmd/b/main.go")},
		{"main.main", "/src/m/cmd/a/main.go", at("cmd/a/main.go")},
		{"main.main", "/src/m/main.go", "/src/m/main.go"}, // either
		{"main.main", "", ""},
	} {
		f := &profile.Function{Name: c.function, Filename: c.file}
		p := &Profile{Profile: &profile.Profile{Function: []*profile.Function{f}}}
		missing := p.Missing(func(string) bool { return true })
		if p.Locate(folders); f.Filename != c.want {
			t.Errorf("%s in %s is in %s, want %s", c.function, c.file, f.Filename, c.want)
		}
		if want := c.file != "" && c.file != at("here.go"); missing != want || p.Missing(func(string) bool { return false }) {
			t.Errorf("%s is missing: %t", c.file, missing)
		}
	}
}
