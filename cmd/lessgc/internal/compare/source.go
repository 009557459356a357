package compare

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/verdict"
)

// noteChanged names the rows whose benchmarks are not the same in both versions, because
// each version runs test files of its own: what is compared then may be two things.
func (r *Run) noteChanged() {
	changed := map[string]bool{} // by import path and function
	for _, p := range r.pairs() {
		if p.base == nil || p.work == nil || p.base.err != nil || p.work.err != nil || p.base.testsOf != "" || p.work.testsOf != "" {
			continue
		}
		old, now := readTests(p.base.pkg.Dir), readTests(p.work.pkg.Dir)
		for name := range now.decls {
			if now.source(name) != old.source(name) {
				changed[p.work.pkg.ImportPath+"."+name] = true
			}
		}
	}
	var names []string
	for _, row := range r.Dir.Session.Rows {
		function, _, _ := strings.Cut(row.Name, "/")
		if changed[row.Package+".Benchmark"+function] && r.comparable(row) {
			names = append(names, row.Label)
		}
	}
	if len(names) > 0 {
		r.note("the benchmark itself differs between the versions, so that its figures may be of two things: %s", verdict.FirstOf(5, names))
	}
}

// A testSource holds the declarations in the test files of a folder.
type testSource struct {
	decls map[string]string   // text by name; of a type with its methods
	uses  map[string][]string // names of others that they use, and more
}

// readTests reads the test files of a folder, as far as they are Go.
func readTests(dir string) testSource {
	s := testSource{map[string]string{}, map[string][]string{}}
	files := token.NewFileSet()
	for _, name := range filesOf(dir, "_test.go") {
		f, _ := parser.ParseFile(files, name, nil, parser.SkipObjectResolution) // without comments
		if f == nil {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				s.add(files, declared(d), d)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						s.add(files, spec.Name.Name, spec)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							s.add(files, name.Name, spec)
						}
					}
				}
			}
		}
	}
	return s
}

// declared is the name of a function, or of the type whose method it is.
func declared(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return d.Name.Name
	}
	name := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

func (s *testSource) add(files *token.FileSet, name string, n ast.Node) {
	var text bytes.Buffer
	printer.Fprint(&text, files, n) // of what was parsed
	s.decls[name] += text.String() + "\n"
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			s.uses[name] = append(s.uses[name], id.Name)
		}
		return true
	})
}

// source is the text of a declaration and of all that it uses.
func (s *testSource) source(name string) string {
	reached := map[string]bool{name: true}
	for todo := []string{name}; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		for _, other := range s.uses[next] {
			if _, ok := s.decls[other]; ok && !reached[other] {
				reached[other] = true
				todo = append(todo, other)
			}
		}
	}
	names := make([]string, 0, len(reached))
	for name := range reached {
		names = append(names, name)
	}
	slices.Sort(names)
	var all strings.Builder
	for _, name := range names {
		all.WriteString(s.decls[name])
	}
	return all.String()
}
