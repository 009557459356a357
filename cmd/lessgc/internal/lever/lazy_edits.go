package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// onWrite leaves a map or slice nil, and makes a map before each statement that puts something in: nil if one
// of these names it by other words, or stands in another file.
func (p *Line) onWrite(m making, d *demands) []Edit {
	edits := p.leaveNil(m)
	if edits == nil {
		return nil
	}
	text := p.emptyText(m.expr)
	var before []ast.Stmt
	for _, x := range d.needs {
		if _, put := x.in.(*ssa.MapUpdate); !put {
			if !callsBuiltin(x.in, "append") {
				return nil
			}
			continue // append makes it
		}
		stmt, of := p.puts(x.in.Pos())
		if stmt == nil || text == "" || !p.isSame(of, m, d) {
			return nil
		}
		if slices.Contains(before, stmt) {
			continue
		}
		before = append(before, stmt)
		name := types.ExprString(of)
		indent := "\n" + p.indent(stmt)
		edits = append(edits, p.edit(stmt.Pos(), stmt.Pos(), "if "+name+" == nil {"+indent+"\t"+name+" = "+text+indent+"}"+indent))
	}
	return edits
}

// leaveNil edits what makes a value: a definition, an assignment, or an element of a literal.
func (p *Line) leaveNil(m making) []Edit {
	stack := stackOf(p.file, m.expr)
	switch parent := innermost(stack).(type) {
	case *ast.KeyValueExpr:
		lit, ok := innermost(stack[:slices.Index(stack, ast.Node(parent))]).(*ast.CompositeLit)
		if !ok || parent.Value != m.expr {
			return nil
		}
		return p.without(lit, parent)
	case *ast.AssignStmt:
		list, _ := innermost(stack[:slices.Index(stack, ast.Node(parent))]).(*ast.BlockStmt)
		if len(parent.Lhs) != 1 || list == nil || !p.pure(parent.Lhs[0]) {
			return nil
		}
		if parent.Tok == token.DEFINE {
			return []Edit{p.edit(parent.Pos(), parent.End(), "var "+p.text(parent.Lhs[0])+" "+p.writtenType(m.expr))}
		}
		if parent.Tok == token.ASSIGN && p.local(parent.Lhs[0]) == nil && p.setsNew(parent, list) {
			return []Edit{p.withoutLine(parent)}
		}
	}
	return nil
}

// setsNew reports whether a statement assigns to a field of what the same statements have made before: it
// is nil there.
func (p *Line) setsNew(assign *ast.AssignStmt, list *ast.BlockStmt) bool {
	sel, ok := assign.Lhs[0].(*ast.SelectorExpr)
	if !ok {
		return false
	}
	object := types.ExprString(sel.X)
	made := false
	for _, s := range list.List {
		if s == ast.Stmt(assign) {
			return made
		}
		other, ok := s.(*ast.AssignStmt)
		if !ok || len(other.Lhs) != 1 || len(other.Rhs) != 1 {
			if made && mentionsText(s, object) {
				return false
			}
			continue
		}
		switch left := types.ExprString(other.Lhs[0]); {
		case left == object:
			made = p.isLiteral(other.Rhs[0], sel.Sel.Name)
		case left == types.ExprString(sel):
			return false
		}
	}
	return false
}

// mentionsText reports whether a statement has an expression of some words other than to select of it.
func mentionsText(s ast.Stmt, text string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && types.ExprString(e) == text
		return !found
	})
	return found
}

// isLiteral reports whether an expression is a pointer to a new struct whose field is not set.
func (p *Line) isLiteral(e ast.Expr, field string) bool {
	if call := p.builtin(ast.Unparen(e), "new"); call != nil {
		return true
	}
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	lit, ok := u.X.(*ast.CompositeLit)
	return ok && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		return !ok || types.ExprString(pair.Key) == field
	})
}

// without takes an element out of a literal, with its comma.
func (p *Line) without(lit *ast.CompositeLit, element ast.Expr) []Edit {
	i := slices.Index(lit.Elts, element)
	file := p.fset.File(element.Pos())
	start, next := file.LineStart(p.line(element.Pos())), p.line(element.End())+1
	alone := strings.TrimSpace(p.textBetween(start, element.Pos())) == "" && next <= file.LineCount() &&
		strings.TrimSpace(p.textBetween(element.End(), file.LineStart(next))) == ","
	switch {
	case alone:
		return []Edit{p.edit(start, file.LineStart(next), "")}
	case i+1 < len(lit.Elts):
		return []Edit{p.edit(element.Pos(), lit.Elts[i+1].Pos(), "")}
	case i > 0:
		return []Edit{p.edit(lit.Elts[i-1].End(), element.End(), "")}
	}
	return []Edit{p.edit(element.Pos(), element.End(), "")}
}

// withoutLine takes a statement out, with its line if that has nothing else.
func (p *Line) withoutLine(s ast.Stmt) Edit {
	file := p.fset.File(s.Pos())
	start, next := file.LineStart(p.line(s.Pos())), p.line(s.End())+1
	if next <= file.LineCount() && strings.TrimSpace(p.textBetween(start, s.Pos())+p.textBetween(s.End(), file.LineStart(next))) == "" {
		return p.edit(start, file.LineStart(next), "")
	}
	return p.edit(s.Pos(), s.End(), "")
}

// indent is the white space before a statement in its line.
func (p *Line) indent(s ast.Stmt) string {
	text := p.textBetween(p.fset.File(s.Pos()).LineStart(p.line(s.Pos())), s.Pos())
	return text[:len(text)-len(strings.TrimLeft(text, " \t"))]
}

// writtenType is the type of what an expression makes, as it says there.
func (p *Line) writtenType(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return p.text(e.Args[0])
	case *ast.CompositeLit:
		return p.text(e.Type)
	}
	return ""
}

// emptyText is an expression that makes the same without numbers that are not constant; "" for none.
func (p *Line) emptyText(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return p.text(e)
	}
	if slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return !p.constant(e) }) {
		return "make(" + p.text(call.Args[0]) + ")"
	}
	return p.text(call)
}

// puts is the assignment to an element of a map around a position, in a list of statements, and the
// map; nil if it stands elsewhere, or in another file.
func (p *Line) puts(pos token.Pos) (stmt ast.Stmt, of ast.Expr) {
	if p.unitOf(pos) != p.unit {
		return nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(p.file, pos, pos)
	for i, n := range path {
		var left ast.Expr
		switch s := n.(type) {
		case *ast.AssignStmt:
			if len(s.Lhs) == 1 {
				left = s.Lhs[0]
			}
		case *ast.IncDecStmt:
			left = s.X
		case ast.Stmt, *ast.FuncLit:
			return nil, nil
		default:
			continue
		}
		index, ok := left.(*ast.IndexExpr)
		if !ok || !p.pure(index.X) || i+1 >= len(path) || !hasStatement(path[i+1], n) {
			return nil, nil
		}
		return n.(ast.Stmt), index.X
	}
	return nil, nil
}

// hasStatement reports whether a node is a list of statements that has one.
func hasStatement(n ast.Node, s ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return n.Comm != s
	}
	return false
}

// isSame reports whether an expression is the field or variable that a value was made for.
func (p *Line) isSame(of ast.Expr, m making, d *demands) bool {
	if sel, ok := ast.Unparen(of).(*ast.SelectorExpr); ok {
		field, _ := p.pkg.TypesInfo.Uses[sel.Sel].(*types.Var)
		return len(d.fields) == 1 && field == d.fields[0]
	}
	v := p.local(of)
	assign, ok := innermost(stackOf(p.file, m.expr)).(*ast.AssignStmt)
	return len(d.fields) == 0 && v != nil && ok && p.local(assign.Lhs[0]) == v
}

// intoBranch moves the definition of a variable to the begin of the block that has all its mentions,
// if it is made of variables that do not change: nil if there is no such block.
func (p *Line) intoBranch(m making) []Edit {
	if m.up {
		return nil // the line of the site is not that of the call
	}
	stack := stackOf(p.file, m.expr)
	assign, ok := innermost(stack).(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || assign.Rhs[0] != m.expr || !p.movesAsText(m.expr) {
		return nil
	}
	list, ok := innermost(stack[:slices.Index(stack, ast.Node(assign))]).(*ast.BlockStmt)
	v := p.local(assign.Lhs[0])
	if v == nil || !ok {
		return nil
	}
	to := p.branchOf(v, list)
	if to == nil || len(to.List) == 0 || p.renames(to, m.expr) || p.hasName(to, v.Name()) || p.jumps(m.expr.Pos()) {
		return nil
	}
	if n, ok := p.executedAt(p.unit, to.List[0].Pos()); !ok || n > m.made/seldomUsed {
		return nil
	}
	first := to.List[0]
	return []Edit{p.withoutLine(assign), p.edit(first.Pos(), first.Pos(), p.text(assign)+"\n"+p.indent(first))}
}

// branchOf is the innermost block that has all mentions of a variable and is executed once at most
// where the variable is: nil if that is where the variable is declared.
func (p *Line) branchOf(v *types.Var, declared *ast.BlockStmt) *ast.BlockStmt {
	var common []*ast.BlockStmt
	for i, m := range p.mentions(p.unit, v) {
		var blocks []*ast.BlockStmt
		for _, n := range m.stack[slices.Index(m.stack, ast.Node(declared))+1:] {
			if loopBody(n) != nil {
				break
			}
			if _, literal := n.(*ast.FuncLit); literal {
				break
			}
			if b, ok := n.(*ast.BlockStmt); ok {
				blocks = append(blocks, b)
			}
		}
		if i == 0 {
			common = blocks
		}
		n := 0
		for n < len(common) && n < len(blocks) && common[n] == blocks[n] {
			n++
		}
		common = common[:n]
	}
	for _, b := range slices.Backward(common) {
		switch innermost(stackOf(p.file, b)).(type) {
		case *ast.IfStmt, *ast.BlockStmt: // else it is that of a switch, which has clauses
			return b
		}
	}
	return nil
}

// movesAsText reports whether an expression means the same wherever its names do: it is made of constants,
// functions, and variables that are set once.
func (p *Line) movesAsText(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr:
			ok = false
		case *ast.SelectorExpr:
			if _, field := p.pkg.TypesInfo.Selections[n]; field {
				ok = false
			}
		case *ast.Ident:
			if v, isVar := p.object(n).(*types.Var); isVar {
				ok = ok && p.local(n) != nil && p.setOnce(v)
			}
		}
		return ok
	})
	return ok
}

// setOnce reports whether a local variable is only set where it is declared, and nothing points to it.
func (p *Line) setOnce(v *types.Var) bool { return p.neverSetAgain(v) && !p.addressTaken(v) }

// neverSetAgain reports whether a local variable is only set as a whole where it is declared.
func (p *Line) neverSetAgain(v *types.Var) bool {
	is := func(m mention) func(ast.Expr) bool {
		return func(e ast.Expr) bool { return e != nil && ast.Unparen(e) == m.id }
	}
	return v.Parent() != nil && v.Parent() != v.Pkg().Scope() && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(parent.Lhs, is(m))
		case *ast.IncDecStmt:
			return true
		case *ast.RangeStmt:
			return is(m)(parent.Key) || is(m)(parent.Value)
		}
		return false
	})
}

// hasName reports whether a block declares something of a name.
func (p *Line) hasName(b *ast.BlockStmt, name string) bool {
	scope := p.pkg.TypesInfo.Scopes[b]
	return scope == nil || scope.Lookup(name) != nil
}

// renames reports whether a name in an expression means something else in a block.
func (p *Line) renames(to *ast.BlockStmt, e ast.Expr) bool { return p.renamesAt(to.Lbrace+1, e) }

// renamesAt reports whether a name in an expression means something else at a position.
func (p *Line) renamesAt(pos token.Pos, e ast.Expr) bool {
	scope := p.pkg.Types.Scope().Innermost(pos)
	found := scope == nil
	var see func(n ast.Node) bool
	see = func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			ast.Inspect(sel.X, see) // what is selected has no other meaning
			return false
		}
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		object := p.pkg.TypesInfo.Uses[id]
		if object == nil || object.Parent() == nil {
			return true // a field of a literal
		}
		_, there := scope.LookupParent(id.Name, pos)
		found = there != object
		return !found
	}
	ast.Inspect(e, see)
	return found
}
