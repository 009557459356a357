package poollocal

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
)

// A mover makes variables of a function those of the package.
type mover struct {
	*rule.Pass
	taken map[string]bool // names of those that were moved
}

// fix moves the declaration of the pool a in front of the function, if it says there what
// it says in it.
func (m *mover) fix(a *ssa.Alloc) []analysis.SuggestedFix {
	path := m.path(a)
	if len(path) < 2 {
		return nil
	}
	fn, ok := path[len(path)-2].(*ast.FuncDecl)
	if !ok {
		return nil
	}
	stmt, id, typ, value := declaration(path)
	if id == nil || m.taken[id.Name] || !m.free(id) || !m.portable(typ) || !m.portable(value) {
		return nil
	}
	file := m.Fset.File(fn.Pos())
	src, err := m.ReadFile(file.Name())
	if err != nil {
		return nil
	}
	text := func(from, to token.Pos) string {
		return string(src[file.Offset(from):file.Offset(to)])
	}
	decl := "var " + id.Name
	if typ != nil {
		decl += " " + text(typ.Pos(), typ.End())
	}
	if value != nil {
		decl += " = " + text(value.Pos(), value.End())
	}
	front := fn.Pos()
	if fn.Doc != nil {
		front = fn.Doc.Pos()
	}
	m.taken[id.Name] = true
	return []analysis.SuggestedFix{{Message: "Make it a package variable", TextEdits: []analysis.TextEdit{
		{Pos: front, End: front, NewText: []byte(decl + "\n\n")},
		{Pos: stmt.Pos(), End: stmt.End()},
	}}}
}

// name is the pool a as a reader calls it.
func (m *mover) name(p *pooluse.Pool, a *ssa.Alloc) string {
	if _, id, _, _ := declaration(m.path(a)); id != nil {
		return id.Name
	}
	return p.Location.String()
}

// path returns the syntax nodes around the declaration of a, from the inside.
func (m *mover) path(a *ssa.Alloc) []ast.Node {
	for _, f := range m.Files {
		if f.FileStart <= a.Pos() && a.Pos() < f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, a.Pos(), a.Pos())
			return path
		}
	}
	return nil
}

// declaration returns the innermost statement of path that declares one variable, and
// nothing else.
func declaration(path []ast.Node) (stmt ast.Stmt, id *ast.Ident, typ, value ast.Expr) {
	for i, n := range path {
		if i+1 == len(path) {
			break
		}
		if _, ok := path[i+1].(*ast.BlockStmt); !ok {
			continue
		}
		switch s := n.(type) {
		case *ast.AssignStmt:
			if id, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
				return s, id, nil, s.Rhs[0]
			}
		case *ast.DeclStmt:
			d := s.Decl.(*ast.GenDecl)
			if d.Tok != token.VAR || len(d.Specs) != 1 {
				break
			}
			spec := d.Specs[0].(*ast.ValueSpec)
			if len(spec.Names) != 1 {
				break
			}
			if len(spec.Values) == 1 {
				value = spec.Values[0]
			}
			return s, spec.Names[0], spec.Type, value
		}
		break
	}
	return nil, nil, nil, nil
}

// free reports whether the name id means nothing else outside of its function, or around
// its declaration.
func (m *mover) free(id *ast.Ident) bool {
	v := m.TypesInfo.Defs[id]
	if v == nil || id.Name == "_" || types.Universe.Lookup(id.Name) != nil || m.Pkg.Scope().Lookup(id.Name) != nil {
		return false
	}
	for _, f := range m.Files {
		if m.TypesInfo.Scopes[f].Lookup(id.Name) != nil {
			return false
		}
	}
	if _, o := v.Parent().Parent().LookupParent(id.Name, token.NoPos); o != nil {
		return false
	}
	return true
}

// portable reports whether e means the same outside of the function, and needs no variable or
// function of the package: it might need the pool in turn.
func (m *mover) portable(e ast.Expr) bool {
	if e == nil {
		return true
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return true
		}
		o := m.TypesInfo.Uses[id]
		switch {
		case o == nil, o.Pkg() != m.Pkg, e.Pos() <= o.Pos() && o.Pos() < e.End():
		case o.Parent() == m.Pkg.Scope():
			switch o.(type) {
			case *types.TypeName, *types.Const:
			default:
				ok = false
			}
		default:
			v, field := o.(*types.Var)
			_, pkg := o.(*types.PkgName)
			ok = ok && (pkg || field && v.IsField())
		}
		return true
	})
	return ok
}
