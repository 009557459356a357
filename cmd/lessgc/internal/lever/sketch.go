package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sketchPool writes the statement that makes an object, at a position, as one that takes it out of a
// pool.
func (p *Line) sketchPool(pos token.Pos) []Edit {
	var name *ast.Ident
	var value ast.Expr
	var statement ast.Node
	ast.Inspect(p.fn.node, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		if id, e, s := p.declaring(spot{node: n}); id != nil {
			name, value, statement = id, e, s
		}
		return true
	})
	if name == nil {
		return nil
	}
	t := p.typeOf(name)
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); !ok || b.Kind() != types.Byte {
			return nil
		}
		memory := name.Name + "p"
		return p.rewrite(statement, memory+" := buffers.Get().(*[]byte) // of a sync.Pool", "defer buffers.Put("+memory+")",
			fmt.Sprintf("%s := (*%s)[:0] // of at least %s", name.Name, memory, p.sizeOf(value)))
	case *types.Pointer:
		t = u.Elem()
	case *types.Struct:
	default:
		return nil
	}
	return p.rewrite(statement, fmt.Sprintf("%s := objects.Get().(*%s) // of a sync.Pool; reset it before it is put back", name.Name, p.short(t)),
		"defer objects.Put("+name.Name+")")
}

// declaring is the variable that a statement on the line declares alone, what it is made with, if
// anything, and the statement.
func (p *Line) declaring(s spot) (name *ast.Ident, value ast.Expr, statement ast.Node) {
	switch n := s.node.(type) {
	case *ast.AssignStmt:
		if id, ok := n.Lhs[0].(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == 1 && id.Name != "_" {
			return id, n.Rhs[0], n
		}
	case *ast.DeclStmt:
		spec, ok := n.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if ok && len(n.Decl.(*ast.GenDecl).Specs) == 1 && len(spec.Names) == 1 && len(spec.Values) < 2 {
			if len(spec.Values) == 1 {
				value = spec.Values[0]
			}
			return spec.Names[0], value, n
		}
	}
	return nil, nil, nil
}

// sizeOf is the largest size that a make says, or 0.
func (p *Line) sizeOf(e ast.Expr) string {
	if e == nil {
		return "0"
	}
	if call := p.builtin(ast.Unparen(e), "make"); call != nil {
		if text := p.text(call.Args[len(call.Args)-1]); text != "" {
			return text
		}
	}
	return "0"
}

// sketchArena writes the literal or new on the line as one in an arena.
func (p *Line) sketchArena(of *types.Named) []Edit {
	for _, s := range p.spots() {
		e, ok := s.node.(ast.Expr)
		if !ok || p.madeOf(s) != of {
			continue
		}
		name := p.short(of)
		u, literal := e.(*ast.UnaryExpr)
		if !literal {
			return []Edit{p.edit(e.Pos(), e.End(), "arena.New["+name+"](a)")}
		}
		assign, ok := s.parent().(*ast.AssignStmt)
		lit := ast.Unparen(u.X).(*ast.CompositeLit)
		if !ok || len(assign.Lhs) != 1 || len(lit.Elts) == 0 {
			return []Edit{p.edit(e.Pos(), e.End(), "arena.New["+name+"](a)")}
		}
		to := p.text(assign.Lhs[0])
		return p.rewrite(assign, fmt.Sprintf("n := arena.New[%s](a) // a is an *arena.Arena, freed where they are dropped", name),
			"*n = "+p.text(lit), fmt.Sprintf("%s %s n", to, assign.Tok))
	}
	return nil
}

// rewrite puts lines in the place of a statement, with its indentation.
func (p *Line) rewrite(statement ast.Node, lines ...string) []Edit {
	indent := strings.Repeat("\t", max(0, p.fset.Position(statement.Pos()).Column-1))
	return []Edit{p.edit(statement.Pos(), statement.End(), strings.Join(lines, "\n"+indent))}
}

// short is a type as the file's package writes it.
func (p *Line) short(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg == p.pkg.Types {
			return ""
		}
		return pkg.Name()
	})
}

// useBuilder makes a string that grows a strings.Builder, if all that is done with it is to make it
// longer and to read it.
func (p *Line) useBuilder(v *types.Var) []Edit {
	var edits []Edit
	for _, s := range p.declarations(v) {
		if p.hasComment(s) {
			return nil
		}
		edits = append(edits, p.edit(s.Pos(), s.End(), fmt.Sprintf("var %s strings.Builder", v.Name())))
	}
	name, imports, ok := p.importing("strings")
	if len(edits) != 1 || !ok || name != "strings" {
		return nil
	}
	for _, m := range p.mentions(p.unit, v) {
		switch n := m.parent().(type) {
		case *ast.AssignStmt:
			if n.Tok != token.ADD_ASSIGN || n.Lhs[0] != m.id || p.commentedBetween(n.Pos(), n.Rhs[0].Pos()) || len(p.mentionsIn(n.Rhs[0], v)) > 0 {
				return nil
			}
			edits = append(edits, p.edit(n.Pos(), n.Rhs[0].Pos(), v.Name()+".WriteString("), p.edit(n.End(), n.End(), ")"))
			if !types.Identical(p.typeOf(n.Rhs[0]), types.Typ[types.String]) && !p.constant(n.Rhs[0]) {
				return nil
			}
		case *ast.UnaryExpr, *ast.IncDecStmt, *ast.KeyValueExpr:
			return nil
		case *ast.RangeStmt:
			if ast.Unparen(n.X) != m.id {
				return nil
			}
			edits = append(edits, p.edit(m.id.Pos(), m.id.End(), v.Name()+".String()"))
		default:
			edits = append(edits, p.edit(m.id.Pos(), m.id.End(), v.Name()+".String()"))
		}
		if p.captured(m, v) {
			return nil
		}
	}
	return append(edits, imports...)
}

// declarations are the statements that declare an empty string.
func (p *Line) declarations(v *types.Var) (all []ast.Stmt) {
	ast.Inspect(p.fn.node, func(n ast.Node) bool {
		s, ok := n.(ast.Stmt)
		if !ok {
			return true
		}
		name, value, _ := p.declaring(spot{node: n})
		if name == nil || p.pkg.TypesInfo.Defs[name] != v || !types.Identical(v.Type(), types.Typ[types.String]) {
			return true
		}
		switch innermost(stackOf(p.file, s)).(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if value == nil || p.isEmptyString(value) {
				all = append(all, s)
			}
		}
		return true
	})
	return all
}

func (p *Line) isEmptyString(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && (lit.Value == `""` || lit.Value == "``")
}

// mentionsIn are the uses of a variable in an expression.
func (p *Line) mentionsIn(e ast.Expr, v *types.Var) (all []*ast.Ident) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.pkg.TypesInfo.Uses[id] == v {
			all = append(all, id)
		}
		return true
	})
	return all
}

// captured reports whether a mention is in a function literal in which the variable is not declared.
func (p *Line) captured(m mention, v *types.Var) bool {
	for _, n := range m.stack {
		if lit, ok := n.(*ast.FuncLit); ok && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) {
			return true
		}
	}
	return false
}
