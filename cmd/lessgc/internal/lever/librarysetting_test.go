package lever

import (
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestProfiled checks how profiles name what the type checker does.
func TestProfiled(t *testing.T) {
	for name, want := range map[string]string{
		"image/png.Encode":                         "image/png.Encode",
		"(*encoding/csv.Reader).Read":              "encoding/csv.(*Reader).Read",
		"(reflect.Value).MapKeys":                  "reflect.Value.MapKeys",
		"(*example.com/a.b/c.SugaredLogger).Infow": "example.com/a.b/c.(*SugaredLogger).Infow",
	} {
		if got := profiledName(name); got != want {
			t.Errorf("%s is %s in profiles, got %s", name, want, got)
		}
	}
}

// TestSettings checks that what the table of settings says of the standard library is there.
func TestSettings(t *testing.T) {
	all, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps},
		"bufio", "encoding/csv", "image/png", "reflect", "text/template", "html/template", "database/sql")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, pkg := range all {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			o := scope.Lookup(name)
			known[pkg.PkgPath+"."+name] = true
			if named, ok := o.Type().(*types.Named); ok {
				for m := range named.Methods() {
					known[m.FullName()] = true
				}
				if i, ok := named.Underlying().(*types.Interface); ok {
					for m := range i.Methods() {
						known[m.FullName()] = true
					}
				}
			}
		}
	}
	for _, s := range settings {
		if s.text == "" || s.part <= 0 || s.part > 1 {
			t.Errorf("%v has no text or share", s.calls)
		}
		for _, name := range s.calls {
			first, _, _ := strings.Cut(strings.TrimLeft(name, "(*"), "/")
			if !strings.Contains(first, ".") || !strings.Contains(name, "/") {
				if !known[name] {
					t.Errorf("there is no %s", name)
				}
			}
		}
	}
}
