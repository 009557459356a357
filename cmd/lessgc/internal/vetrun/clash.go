package vetrun

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// clashes returns what speaks against fixes that declare a name which another file of the
// folder has already. Files of other systems, with other build tags, or of tests that are
// left out, are compiled only later.
func (p *plan) clashes() map[int]string {
	wrong := map[int]string{}
	for _, f := range p.Files {
		added := scopeOf(f.New).added(scopeOf(f.Old))
		if len(added.declared)+len(added.imported) == 0 {
			continue
		}
		entries, err := os.ReadDir(filepath.Dir(f.path))
		if err != nil {
			p.blame(wrong, func(n Finding) bool { return p.report.touches(n, f.path) }, err.Error())
			continue
		}
		for _, e := range entries {
			other := filepath.Join(filepath.Dir(f.path), e.Name())
			data, err := os.ReadFile(other)
			if !strings.HasSuffix(e.Name(), ".go") || real(other) == f.path || err != nil {
				continue
			}
			if name := added.clash(scopeOf(data)); name != "" {
				p.blameFor(wrong, f.path, name, fmt.Sprintf("%s would be declared again: it is in %s", name, e.Name()))
			}
		}
	}
	return wrong
}

// blameFor names the fixes of a file whose text has a name, or all of them.
func (p *plan) blameFor(wrong map[int]string, path, name, why string) {
	before := len(wrong)
	p.blame(wrong, func(f Finding) bool {
		return p.report.touches(f, path) && slices.ContainsFunc(f.Fixes[0].Edits, func(e Edit) bool { return strings.Contains(e.New, name) })
	}, why)
	if len(wrong) == before {
		p.blame(wrong, func(f Finding) bool { return p.report.touches(f, path) }, why)
	}
}

// A scope holds the names of a file that must be unique: those that it declares for its
// package, and those of what it imports, which must not be declared.
type scope struct {
	pkg                string
	declared, imported map[string]bool
}

// scopeOf returns the names of a file, as far as it parses.
func scopeOf(src []byte) scope {
	s := scope{"", map[string]bool{}, map[string]bool{}}
	file, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if file == nil {
		return s
	}
	s.pkg = file.Name.Name
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				s.declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					s.declared[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						s.declared[name.Name] = true
					}
				case *ast.ImportSpec:
					s.imported[importName(spec)] = true
				}
			}
		}
	}
	for _, name := range []string{"_", ".", "init"} {
		delete(s.declared, name)
		delete(s.imported, name)
	}
	return s
}

// importName is the name of an import, or that which its path suggests.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	name, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "_"
	}
	return path.Base(name)
}

// added returns the names of s that before does not have.
func (s scope) added(before scope) scope {
	out := scope{s.pkg, map[string]bool{}, map[string]bool{}}
	for name := range s.declared {
		if !before.declared[name] {
			out.declared[name] = true
		}
	}
	for name := range s.imported {
		if !before.imported[name] {
			out.imported[name] = true
		}
	}
	return out
}

// clash returns the first name of s that another file of the package declares, or imports
// while s declares it; else "".
func (s scope) clash(other scope) string {
	if s.pkg != other.pkg {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(s.declared)) {
		if other.declared[name] || other.imported[name] {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.imported)) {
		if other.declared[name] {
			return name
		}
	}
	return ""
}
