package lever

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

// builtElsewhere reports whether a file that is not loaded, as those of other systems, declares a function, a type's method or a field of a
// name, or names a type or field: what is shown of the one that is loaded need not hold there. Tests do not count: they run.
func (p *Program) builtElsewhere(object types.Object) bool {
	if object == nil || !object.Pos().IsValid() {
		return false
	}
	if _, function := object.(*types.Func); function {
		return p.othersBeside(object)["func "+object.Name()]
	}
	return p.namedElsewhere(object)
}

// namedElsewhere reports whether a file that is not loaded, as those of other systems, has the name of something that is, as where it calls
// a function. Tests do not count.
func (p *Program) namedElsewhere(object types.Object) bool {
	return p.othersBeside(object)[object.Name()]
}

// othersBeside are the names in the files beside the one that declares something; nil if that is not loaded.
func (p *Program) othersBeside(object types.Object) map[string]bool {
	file := p.fset.Position(object.Pos()).Filename
	if p.units[file] == nil {
		return nil
	}
	return p.otherNamesIn(filepath.Dir(file))
}

// otherNamesIn returns namesElsewhere of a folder, which are kept.
func (p *Program) otherNamesIn(dir string) map[string]bool {
	return keptBy(&p.otherNames, dir, p.namesElsewhere)
}

// keptBy returns what is found for a key, such as a folder, and keeps it.
func keptBy[K comparable, V any](all *map[K]V, key K, find func(K) V) V {
	v, ok := (*all)[key]
	if !ok {
		v = find(key)
		if *all == nil {
			*all = map[K]V{}
		}
		(*all)[key] = v
	}
	return v
}

// namedInTests reports whether a test beside the file that declares a function names it, or a method or field of a method's name: tests are
// read, as the packages that have them declare the function once more, or are not loaded.
func (p *Program) namedInTests(f *types.Func) bool {
	name := f.Name()
	if f.Signature().Recv() != nil {
		name = "." + name
	}
	return p.testNamesIn(filepath.Dir(p.fset.Position(f.Pos()).Filename))[name]
}

// testNamesIn returns namesIn of the tests of a folder, which are kept.
func (p *Program) testNamesIn(dir string) map[string]bool {
	return keptBy(&p.testNames, dir, func(dir string) map[string]bool {
		return namesIn(dir, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	})
}

// namesElsewhere are the identifiers in the files of a folder that are not loaded, and, after "func ", the functions and methods that these
// declare. A file that cannot be parsed is of a language that no build knows.
func (p *Program) namesElsewhere(dir string) map[string]bool {
	return namesIn(dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") && p.units[name] == nil })
}

// namesIn is namesElsewhere of some files of a folder; after a dot it has the methods and fields that these name, and
// after "package " the names that they declare there, by themselves and behind the name of the package.
func namesIn(dir string, wanted func(name string) bool) map[string]bool {
	names := map[string]bool{}
	entries, _ := os.ReadDir(dir) // a package of the build cache has none
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		if entry.IsDir() || filepath.Ext(name) != ".go" || !wanted(name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			for _, id := range declaredBy(d) {
				names["package "+id.Name], names["package "+file.Name.Name+"."+id.Name] = true, true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				names[n.Name] = true
			case *ast.FuncDecl:
				names["func "+n.Name.Name] = true
			case *ast.SelectorExpr:
				names["."+n.Sel.Name] = true
			case *ast.InterfaceType:
				for _, method := range n.Methods.List {
					for _, name := range method.Names {
						names["."+name.Name] = true
					}
				}
			}
			return true
		})
	}
	return names
}

// declaredBy are the names that a declaration of a file gives to a package, imports left out.
func declaredBy(d ast.Decl) (all []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			all = append(all, d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				all = append(all, s.Name)
			case *ast.ValueSpec:
				all = append(all, s.Names...)
			}
		}
	}
	return all
}

// declaredElsewhere reports whether a file of the package that is not loaded, as those of other systems, or a test of it declares a name of
// the package: there it means neither what the language says, nor an import.
func (p *Line) declaredElsewhere(name string) bool {
	dir := filepath.Dir(p.fset.Position(p.file.Pos()).Filename)
	declared := "package " + p.pkg.Types.Name() + "." + name
	return p.otherNamesIn(dir)[declared] || p.testNamesIn(dir)[declared]
}
