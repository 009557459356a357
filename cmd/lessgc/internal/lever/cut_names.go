package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A cutting is a variable with the parts of a text, of which strings.Cut has each use: the part before the separator, the one after it,
// and whether it was found.
type cutting struct {
	p     *Line
	v     *types.Var
	made  *ast.AssignStmt // declares the variable
	uses  [3][]cutUse
	names [3]string // of the results, as the uses have them
	left  [3]string // of the results, as the assignment has them; _ for one that nothing uses
	edits []Edit    // that take away statements which only copy a part
	tok   string    // of the assignment
}

// A cutUse is an expression that a result of strings.Cut replaces.
type cutUse struct {
	m      mention // of the parts
	node   ast.Expr
	negate bool // by the contrary of the result
	gone   bool // with its statement
}

// use adds an expression that result i replaces.
func (c *cutting) use(i int, m mention, node ast.Expr, negate bool) {
	c.uses[i] = append(c.uses[i], cutUse{m: m, node: node, negate: negate})
}

// name gives the results their names: that of the variable to which a result is copied, where the result can be that variable.
func (c *cutting) name() {
	plain := c.p.freeNames(c.v)
	c.tok = ":="
	for i := range c.uses {
		if c.names[i], c.left[i] = plain[i], plain[i]; len(c.uses[i]) == 0 {
			c.left[i] = "_"
		}
	}
	for i := range c.uses {
		for _, u := range c.uses[i] {
			assign, ok := innermost(stackOf(c.p.file, u.node)).(*ast.AssignStmt)
			if ok && !u.negate && c.names[i] == plain[i] && len(assign.Lhs) == len(assign.Rhs) && (c.becomes(assign) || c.follows(assign, i)) {
				break
			}
		}
	}
}

// becomes lets results be the variables that a statement declares as copies of them, and takes the statement away: false if it does
// anything else, or one of the variables cannot be a result.
func (c *cutting) becomes(assign *ast.AssignStmt) bool {
	if assign.Tok != token.DEFINE {
		return false
	}
	var of []int
	for j, left := range assign.Lhs {
		i := c.result(assign.Rhs[j])
		id, ok := left.(*ast.Ident)
		if !ok || i < 0 || slices.Contains(of, i) {
			return false
		}
		w, _ := c.p.pkg.TypesInfo.Defs[id].(*types.Var)
		if w == nil || !c.maybe(w, assign, len(c.uses[i]) == 1) {
			return false
		}
		of = append(of, i)
	}
	edit, ok := c.without(assign)
	if !ok {
		return false
	}
	c.edits = append(c.edits, edit)
	for j, i := range of {
		c.named(i, assign.Lhs[j].(*ast.Ident).Name, assign.Rhs[j])
	}
	return true
}

// named gives a result a name, and leaves out the use that was all of a statement which goes.
func (c *cutting) named(i int, name string, copied ast.Expr) {
	c.names[i], c.left[i] = name, name
	for j, u := range c.uses[i] {
		c.uses[i][j].gone = u.node == ast.Unparen(copied)
	}
}

// result is the number of the result that an expression is all of; -1 if it is none.
func (c *cutting) result(e ast.Expr) int {
	return slices.IndexFunc(c.uses[:], func(uses []cutUse) bool {
		return slices.ContainsFunc(uses, func(u cutUse) bool { return u.node == ast.Unparen(e) && !u.negate })
	})
}

// maybe reports whether a variable that a statement declares may be declared by the call instead: nothing else there has its name, and
// the variable is one for each call, or never changes. alone is whether nothing but the statement uses the result.
func (c *cutting) maybe(w *types.Var, assign *ast.AssignStmt, alone bool) bool {
	stack := stackOf(c.p.file, assign)
	once := len(loopsAround(stack, c.made)) == 0 && within(stack, c.v.Pos()) == nil
	if !(alone && once) && !c.p.setOnce(w) {
		return false
	}
	scope := c.v.Parent()
	if there := scope.Lookup(w.Name()); there != nil && there != w {
		return false
	}
	return !below(c.p.top(c.p.unit, c.v.Pos()).body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Name == w.Name() && c.made.Pos() <= id.Pos() && id.Pos() < scope.End() && c.p.pkg.TypesInfo.ObjectOf(id) != w && !c.selected(id)
	})
}

// selected reports whether a name is that of a field or method.
func (c *cutting) selected(id *ast.Ident) bool {
	switch o := c.p.pkg.TypesInfo.ObjectOf(id).(type) {
	case *types.Var:
		return o.IsField()
	case *types.Func:
		return o.Signature().Recv() != nil
	}
	return false
}

// without takes away a statement of a list with its line, or one that an if statement begins with, if no comment is about it.
func (c *cutting) without(s *ast.AssignStmt) (Edit, bool) {
	if around, ok := innermost(stackOf(c.p.file, s)).(*ast.IfStmt); ok && around.Init == s {
		return c.p.edit(s.Pos(), around.Cond.Pos(), ""), !c.p.commentedBetween(s.Pos(), around.Cond.Pos())
	}
	start, end, ok := c.p.linesOf(s)
	return c.p.edit(start, end, ""), ok && !c.p.commentedBetween(s.Pos(), s.End()) && c.p.behind(s) == "" && c.p.linesAbove(s) == nil
}

// follows has the call assign result i, which only the statement behind it does, to a variable of the same block, and takes the
// statement away; false if another statement does, or the assignment cannot be that of the call.
func (c *cutting) follows(assign *ast.AssignStmt, i int) bool {
	stack := stackOf(c.p.file, c.made)
	list := statements(stack[len(stack)-1])
	at := slices.Index(list, ast.Stmt(c.made))
	if assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(c.uses[i]) != 1 || at < 0 || at+1 == len(list) || list[at+1] != assign || c.tok != ":=" {
		return false
	}
	w := c.p.local(assign.Lhs[0])
	if w == nil || w.Pos() > c.made.Pos() || !types.Identical(w.Type(), c.p.typeOf(assign.Rhs[0])) {
		return false
	}
	alone := !slices.ContainsFunc(c.uses[:], func(uses []cutUse) bool { return len(uses) > 0 && uses[0].node != c.uses[i][0].node })
	if !alone && w.Parent() != c.v.Parent() {
		return false // := would declare another one
	}
	edit, ok := c.without(assign)
	if !ok {
		return false
	}
	if alone {
		c.tok = "="
	}
	c.edits = append(c.edits, edit)
	c.named(i, w.Name(), assign.Rhs[0])
	return true
}

// texts holds what replaces the uses.
func (c *cutting) texts() map[ast.Node]string {
	texts := map[ast.Node]string{}
	for i, uses := range c.uses {
		for _, u := range uses {
			switch {
			case u.gone:
			case u.negate:
				texts[u.node] = "!" + c.names[i]
			default:
				texts[u.node] = c.names[i]
			}
		}
	}
	return texts
}
