package importrules

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLayers checks the imports of every package, on every platform and with
// every build tag.
func TestLayers(t *testing.T) {
	imports, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(imports) < 50 {
		t.Fatalf("%d packages were found, want more", len(imports))
	}
	for _, problem := range problems(layers, imports) {
		t.Error(problem)
	}
}

// read parses all packages of a repository, tests and test data left out, and
// returns their imports by folder. Those of the repository are folders, too.
func read(root string) (map[string][]string, error) {
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		if _, ok := imports[dir]; !ok {
			imports[dir] = nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			first, _, _ := strings.Cut(imported, "/")
			if own, ok := strings.CutPrefix(imported, home+"/"); ok {
				imported = "./" + own
			} else if !strings.Contains(first, ".") {
				continue // the standard library
			}
			if !slices.Contains(imports[dir], imported) {
				imports[dir] = append(imports[dir], imported)
			}
		}
		return nil
	})
	return imports, err
}

// problems says what is wrong with imports, as read returns them, and with the
// layers themselves.
func problems(layers []layer, imports map[string][]string) []string {
	var all []string
	report := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	named := map[string]int{}
	for i, l := range layers {
		named[l.name] = i
	}
	home := map[string]int{} // the layer of each package
	for i, l := range layers {
		for _, name := range l.layers {
			if at, ok := named[name]; !ok {
				report("layer %s may import layer %s, which does not exist", l.name, name)
			} else if at > i {
				report("layer %s may import layer %s, which stands below it: move it up", l.name, name)
			}
		}
		for _, pattern := range l.packages {
			found := false
			for dir := range imports {
				if ok, err := path.Match(pattern, dir); err != nil || !ok {
					continue
				}
				found = true
				if other, twice := home[dir]; twice && other != i {
					report("package %s belongs to the layers %s and %s", dir, layers[other].name, l.name)
				}
				home[dir] = i
			}
			if !found {
				report("layer %s has no package %s: take it out of layers_test.go", l.name, pattern)
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(imports)) {
		i, ok := home[dir]
		if !ok {
			report("package %s belongs to no layer: add it to one in layers_test.go", dir)
			continue
		}
		l := layers[i]
		for _, imported := range imports[dir] {
			own, ours := strings.CutPrefix(imported, "./")
			if !ours {
				if !slices.ContainsFunc(l.outside, func(o string) bool {
					return imported == o || strings.HasSuffix(o, "/") && strings.HasPrefix(imported, o)
				}) {
					report("package %s imports %s, which layer %s may not", dir, imported, l.name)
				}
				continue
			}
			// One that is not known is reported by itself.
			if j, ok := home[own]; ok && !slices.Contains(l.layers, layers[j].name) {
				report("package %s imports %s: layer %s may not import layer %s", dir, own, l.name, layers[j].name)
			} else if _, exists := imports[own]; !exists {
				report("package %s imports %s, which does not exist", dir, own)
			}
		}
	}
	return all
}

// TestProblems checks that each mistake is found.
func TestProblems(t *testing.T) {
	table := []layer{
		{name: "low", packages: []string{"a", "b"}, outside: []string{"x.org/all/", "x.org/one"}},
		{name: "high", packages: []string{"c*"}, layers: []string{"low", "high"}},
	}
	check := func(imports map[string][]string, want ...string) {
		t.Helper()
		for _, dir := range []string{"a", "b", "c"} {
			if _, ok := imports[dir]; !ok {
				imports[dir] = nil
			}
		}
		if got := problems(table, imports); !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", imports, got, want)
		}
	}
	check(map[string][]string{"c": {"./a", "./b", "./c2"}, "c2": {"./c"}, "a": {"x.org/all/p", "x.org/one"}})
	check(map[string][]string{"a": {"./b"}}, "package a imports b: layer low may not import layer low")
	check(map[string][]string{"a": {"./c"}}, "package a imports c: layer low may not import layer high")
	check(map[string][]string{"a": {"x.org/one/p"}}, "package a imports x.org/one/p, which layer low may not")
	check(map[string][]string{"c": {"x.org/one"}}, "package c imports x.org/one, which layer high may not")
	check(map[string][]string{"new": {"./a"}, "c": {"./new"}}, "package new belongs to no layer: add it to one in layers_test.go")
	check(map[string][]string{"c": {"./none"}}, "package c imports none, which does not exist")

	table = []layer{{name: "low", packages: []string{"a", "b", "c", "d"}, layers: []string{"high", "none"}}, {name: "high", packages: []string{"a"}}}
	check(map[string][]string{}, "layer low may import layer high, which stands below it: move it up", "layer low may import layer none, which does not exist",
		"layer low has no package d: take it out of layers_test.go", "package a belongs to the layers low and high")
}
