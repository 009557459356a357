package lever

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// A spot is a node on the site's line, and the nodes around it, the file first.
type spot struct {
	node  ast.Node
	stack []ast.Node
}

// parent is the node around it, but for parentheses.
func (s spot) parent() ast.Node { return innermost(s.stack) }

// innermost is the last of the nodes around one, but for parentheses; nil for none.
func innermost(stack []ast.Node) ast.Node {
	for _, n := range slices.Backward(stack) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

// spots returns the nodes on the site's line that a profile may mean: those that begin
// there, or whose operator or bracket does.
func (p *Line) spots() []spot {
	if p.found != nil {
		return p.found
	}
	all := []spot{}
	ast.PreorderStack(p.file, nil, func(n ast.Node, stack []ast.Node) bool {
		lined := p.generated(p.unit) // then lines are in no order
		if !lined && (p.line(n.Pos()) > p.site.Line || p.line(n.End()) < p.site.Line) {
			return false
		}
		if slices.Contains(p.lines(n), p.site.Line) && (!lined || p.onSite(n.Pos())) {
			all = append(all, spot{n, slices.Clone(stack)})
		}
		return true
	})
	p.found = all
	return all
}

// lines returns the lines that the compiler may give a node.
func (p *Line) lines(n ast.Node) []int {
	all := []int{p.line(n.Pos())}
	switch n := n.(type) {
	case *ast.CallExpr:
		all = append(all, p.line(n.Lparen))
		if s, ok := n.Fun.(*ast.SelectorExpr); ok {
			all = append(all, p.line(s.Sel.Pos()))
		}
	case *ast.CompositeLit:
		all = append(all, p.line(n.Lbrace))
	case *ast.BinaryExpr:
		all = append(all, p.line(n.OpPos))
	case *ast.AssignStmt:
		all = append(all, p.line(n.TokPos))
	}
	return all
}

// builtin returns the call of a builtin function, or nil.
func (u *unit) builtin(n ast.Node, name string) *ast.CallExpr {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != name {
		return nil
	}
	if _, ok := u.pkg.TypesInfo.Uses[id].(*types.Builtin); !ok {
		return nil
	}
	return call
}

// typeOf is the type of an expression; never nil.
func (u *unit) typeOf(e ast.Expr) types.Type {
	if t := u.pkg.TypesInfo.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}

// object returns the object of an identifier, or nil.
func (u *unit) object(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	return u.pkg.TypesInfo.ObjectOf(id)
}

// local is the local variable, parameter or result that an expression is, or nil.
func (u *unit) local(e ast.Expr) *types.Var {
	v, ok := u.object(e).(*types.Var)
	if !ok || v.IsField() || v.Parent() == nil || v.Parent() == v.Pkg().Scope() {
		return nil
	}
	return v
}

// callee is the function or method that a call names, or nil.
func (u *unit) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // instantiated
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	f, _ := u.pkg.TypesInfo.Uses[id].(*types.Func)
	return f
}

// constant reports whether the compiler knows the value.
func (u *unit) constant(e ast.Expr) bool { return u.pkg.TypesInfo.Types[e].Value != nil }

// isZero reports whether an expression is the constant 0.
func (u *unit) isZero(e ast.Expr) bool {
	v := u.pkg.TypesInfo.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

// isNil reports whether an expression is nil, or nil of some type.
func (u *unit) isNil(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 && u.pkg.TypesInfo.Types[call.Fun].IsType() {
		e = call.Args[0]
	}
	return u.pkg.TypesInfo.Types[ast.Unparen(e)].IsNil()
}

// A definition describes the first value of a local variable.
type definition struct {
	pos   token.Pos
	value ast.Expr // nil for the zero value
	param bool     // the caller gives it
}

// top is the declared function that is around a function literal, or the function itself.
func (p *Program) top(u *unit, pos token.Pos) *function {
	for _, d := range u.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Pos() <= pos && pos < d.End() {
			return &function{u, d, d.Body, d.Type}
		}
	}
	return nil
}

// define finds where a local variable is declared, and with what. ok is false if that is
// done in a way that is not known: by several results, range, a type switch.
func (p *Program) define(u *unit, v *types.Var) (d definition, ok bool) {
	d.pos = v.Pos()
	fn := p.top(u, v.Pos())
	if fn == nil {
		return d, false
	}
	if results := fn.typ.Results; results != nil && results.Pos() <= v.Pos() && v.Pos() < results.End() {
		return d, true
	}
	if v.Pos() < fn.body.Pos() {
		d.param = true
		return d, true
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
				for i, left := range n.Lhs {
					if left.Pos() == v.Pos() {
						d.value, ok = n.Rhs[i], true
					}
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if name.Pos() == v.Pos() && (len(n.Values) == 0 || len(n.Values) == len(n.Names)) {
					ok = true
					if len(n.Values) > 0 {
						d.value = n.Values[i]
					}
				}
			}
		case *ast.FuncLit:
			if n.Type.Pos() <= v.Pos() && v.Pos() < n.Body.Pos() {
				d.param, ok = true, true
			}
		}
		return true
	})
	return d, ok
}

// A mention is one use of a variable, with the nodes around it.
type mention struct {
	id    *ast.Ident
	stack []ast.Node
}

func (m mention) parent() ast.Node { return innermost(m.stack) }

// mentions are all uses of a local variable, its declaration left out.
func (p *Program) mentions(u *unit, v *types.Var) []mention {
	within := ast.Node(u.file) // of a function literal that a variable of the package has
	if fn := p.top(u, v.Pos()); fn != nil {
		within = fn.node
	}
	var all []mention
	ast.PreorderStack(within, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && u.pkg.TypesInfo.Uses[id] == v {
			all = append(all, mention{id, slices.Clone(stack)})
		}
		return true
	})
	return all
}

// assigned is the expression that a mention is assigned, and whether it is assigned at all.
func (m mention) assigned() (value ast.Expr, ok bool) {
	a, ok := m.parent().(*ast.AssignStmt)
	if !ok {
		return nil, false
	}
	for i, left := range a.Lhs {
		if ast.Unparen(left) == m.id {
			if len(a.Rhs) == len(a.Lhs) && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) {
				value = a.Rhs[i]
			}
			return value, true
		}
	}
	return nil, false
}

// loopBody returns the body of a loop; nil for other nodes.
func loopBody(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	}
	return nil
}

// loopsSince returns the loops around a node, in whose bodies it stands, that do not hold
// a position: those that repeat the node while what was declared there stays. The outermost
// is the first.
func loopsSince(stack []ast.Node, node ast.Node, declared token.Pos) []ast.Node {
	var all []ast.Node
	for _, n := range stack {
		if body := loopBody(n); body != nil && body.Pos() <= node.Pos() && node.End() <= body.End() && (declared < n.Pos() || n.End() <= declared) {
			all = append(all, n)
		}
	}
	return all
}

// runsLater reports whether a node is a statement that has a call run at another time.
func runsLater(n ast.Node) bool {
	switch n.(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return true
	}
	return false
}

// hasUse reports whether the node around a call uses its value.
func hasUse(around ast.Node) bool {
	_, alone := around.(*ast.ExprStmt)
	return !alone && !runsLater(around)
}

// within reports whether one of the nodes around is a function literal that does not hold a
// position.
func within(stack []ast.Node, declared token.Pos) *ast.FuncLit {
	for _, n := range stack {
		if f, ok := n.(*ast.FuncLit); ok && (declared < f.Pos() || f.End() <= declared) {
			return f
		}
	}
	return nil
}

// count describes how often a loop runs, if that is known before it does: "" if not.
func (u *unit) count(loop ast.Node) string {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		switch t := u.typeOf(loop.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Array:
			return "len(" + types.ExprString(loop.X) + ")"
		case *types.Pointer:
			return "len(" + types.ExprString(loop.X) + ")"
		case *types.Basic:
			if t.Info()&types.IsInteger != 0 {
				return types.ExprString(loop.X)
			}
		}
	case *ast.ForStmt:
		cond, ok := loop.Cond.(*ast.BinaryExpr)
		_, counts := loop.Post.(*ast.IncDecStmt)
		if ok && counts && loop.Init != nil {
			switch cond.Op {
			case token.LSS, token.LEQ, token.NEQ:
				return types.ExprString(cond.Y)
			}
		}
	}
	return ""
}

// always reports whether each iteration of a loop gets to a node: nothing stands between
// them, and nothing before it continues with the next iteration.
func always(loop ast.Node, node ast.Node) bool {
	body := loopBody(loop)
	for {
		var inner *ast.BlockStmt
		found := false
		for _, s := range body.List {
			if s.Pos() <= node.Pos() && node.End() <= s.End() {
				switch s := s.(type) {
				case *ast.BlockStmt:
					inner = s
				case *ast.AssignStmt, *ast.ExprStmt, *ast.IncDecStmt, *ast.DeclStmt:
					found = true
				default:
					return false
				}
				break
			}
			if continues(s) {
				return false
			}
		}
		if found {
			return true
		}
		if inner == nil {
			return false
		}
		body = inner
	}
}

// continues reports whether a statement may continue with the next iteration of the loop
// around it.
func continues(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE || n.Tok == token.GOTO {
				found = true
			}
		}
		return !found
	})
	return found
}
