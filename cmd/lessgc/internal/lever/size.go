package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// iterations returns how often a loop runs, at most, as an expression of type int that may stand
// right before the loop, and its operand. ok is false if there is none, and for a number that
// the loop need not reach: it may come from a header that lies.
func (p *Line) iterations(loop ast.Node) (text string, of ast.Expr, ok bool) {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		switch t := p.typeOf(loop.X).Underlying().(type) {
		case *types.Slice, *types.Map, *types.Array, *types.Pointer:
			return "len(" + types.ExprString(loop.X) + ")", loop.X, p.pure(loop.X)
		case *types.Basic:
			if t.Info()&types.IsString != 0 {
				return "len(" + types.ExprString(loop.X) + ")", loop.X, p.pure(loop.X)
			}
			return p.number(loop.X, loop.Body)
		}
	case *ast.ForStmt:
		if bound := p.upTo(loop); bound != nil {
			return p.number(bound, loop.Body)
		}
	}
	return "", nil, false
}

// since reports whether the module's version of the language is Go 1.minor or later.
func (p *Line) since(minor int) bool {
	return p.pkg.Module == nil || p.pkg.Module.GoVersion != "" && !olderThan(p.pkg.Module.GoVersion, minor)
}

// callsOthers reports whether a block calls anything but builtins and conversions.
func (p *Line) callsOthers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			_, builtin := p.object(call.Fun).(*types.Builtin)
			found = !builtin && !p.pkg.TypesInfo.Types[call.Fun].IsType()
		}
		return !found
	})
	return found
}

// upTo is the bound of a loop that counts from 0 by 1, or nil.
func (p *Line) upTo(loop *ast.ForStmt) ast.Expr {
	init, ok := loop.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || len(init.Lhs) != 1 || len(init.Rhs) != 1 || !p.isZero(init.Rhs[0]) {
		return nil
	}
	i := p.local(init.Lhs[0])
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	post, counts := loop.Post.(*ast.IncDecStmt)
	if i == nil || !ok || !counts || cond.Op != token.LSS || post.Tok != token.INC || p.local(cond.X) != i || p.local(post.X) != i || p.changes(loop.Body, i) {
		return nil
	}
	return cond.Y
}

// number is the count of a loop up to a number, which is not a length and may be negative.
func (p *Line) number(e ast.Expr, body *ast.BlockStmt) (string, ast.Expr, bool) {
	t, ok := p.typeOf(e).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 || !p.pure(e) {
		return "", nil, false
	}
	text := types.ExprString(e)
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && p.builtin(call, "len") != nil {
		return text, e, true
	}
	if exits(body) {
		return "", nil, false
	}
	if p.constant(e) {
		if _, sum := ast.Unparen(e).(*ast.BinaryExpr); sum || t.Kind() != types.Int {
			text = "int(" + text + ")"
		}
		return text, e, true
	}
	if p.callsOthers(body) { // it may be of a header that lies, and a call end the loop
		return "", nil, false
	}
	if !p.since(21) || p.pkg.Types.Scope().Lookup("max") != nil { // min and max
		return "", nil, false
	}
	if t.Kind() != types.Int {
		text = "int(" + text + ")"
	}
	return "max(" + text + ", 0)", e, true
}

// exits reports whether a statement may leave what is around it: a loop by break, goto or return.
func exits(s ast.Node) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok != token.CONTINUE
		}
		return !found
	})
	return found
}

// stopsEarly reports whether a loop that fills a variable ends when it has enough: by break, or by a return of the
// variable. A return for an error is the exception, and no reason to make less room.
func (p *Line) stopsEarly(loop ast.Node, v *types.Var) bool {
	found := false
	ast.PreorderStack(loopBody(loop), nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = found || len(n.Results) == 0 || p.hasBelow(n, v)
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO || n.Tok == token.BREAK && (n.Label != nil || !breaksInner(stack))
		}
		return !found
	})
	return found
}

// hasBelow reports whether a variable is mentioned below a node.
func (p *Line) hasBelow(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && p.object(id) == v
		return !found
	})
	return found
}

// breaksInner reports whether one of the nodes around a break is what it leaves.
func breaksInner(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return true
		}
		return false
	})
}

// pure reports whether an expression has no effects and is cheap: variables and their fields,
// constants, lengths, and sums of these.
func (p *Line) pure(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		switch p.object(e).(type) {
		case *types.Var, *types.Const:
			return true
		}
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		if v, ok := p.pkg.TypesInfo.ObjectOf(e.Sel).(*types.Var); ok && v.IsField() {
			return p.pure(e.X)
		}
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL) && p.pure(e.X) && p.pure(e.Y)
	case *ast.CallExpr:
		return p.builtin(e, "len") != nil && p.pure(e.Args[0])
	}
	return false
}

// changes reports whether a variable is assigned, or its address taken, below a node.
func (p *Line) changes(n ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool { return p.local(e) == v }
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return !found
	})
	return found
}

// variables are the local variables of an expression. plain is false if it has fields or others.
func (p *Line) variables(e ast.Expr) (all []*types.Var, plain bool) {
	plain = true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			plain = false
			ast.Inspect(n.X, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok && p.local(id) != nil {
					all = append(all, p.local(id))
				}
				return true
			})
			return false
		case *ast.Ident:
			if v := p.local(n); v != nil {
				all = append(all, v)
			} else if _, ok := p.object(n).(*types.Var); ok {
				plain = false
			}
		}
		return true
	})
	return all, plain
}

// A block is a list of statements, with the index of one in it.
type block struct {
	list []ast.Stmt
	at   int
}

// blockOf finds the list that a statement stands in; false if it stands elsewhere, such as before
// the condition of an if.
func (p *Line) blockOf(s ast.Node) (b block, ok bool) {
	for _, around := range slices.Backward(stackOf(p.file, s)) {
		switch around.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			b.list = statements(around)
		case *ast.LabeledStmt, *ast.DeclStmt, *ast.GenDecl, *ast.ValueSpec, *ast.AssignStmt, *ast.RangeStmt, *ast.ForStmt, *ast.ExprStmt:
			continue
		default:
			return b, false
		}
		b.at = slices.IndexFunc(b.list, func(x ast.Stmt) bool { return x.Pos() <= s.Pos() && s.End() <= x.End() })
		return b, b.at >= 0
	}
	return b, false
}

// statements is the list of statements that a node has; nil for other nodes.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// early reports whether what stands right before a statement may as well stand where a variable is
// declared: nothing in between changes what it is made of, or leaves.
func (p *Line) early(declared token.Pos, s ast.Node, of ...ast.Expr) bool {
	from, ok := p.statement(declared)
	to, ok2 := p.blockOf(s)
	if !ok || !ok2 || len(from.list) == 0 || len(to.list) == 0 || from.list[0] != to.list[0] || from.at >= to.at {
		return false
	}
	between := from.list[from.at+1 : to.at]
	for _, e := range of {
		all, plain := p.variables(e)
		if !plain && len(between) > 0 {
			return false
		}
		for _, v := range all {
			if v.Pos() >= from.list[from.at].Pos() || slices.ContainsFunc(between, func(s ast.Stmt) bool { return p.changes(s, v) }) || p.capturedAndChanged(v) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(between, func(s ast.Stmt) bool { return exits(s) })
}

// capturedAndChanged reports whether a function literal changes a variable: who knows when.
func (p *Line) capturedAndChanged(v *types.Var) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		lit := within(m.stack, v.Pos())
		return lit != nil && p.changes(lit, v)
	})
}

// statement is the statement that declares a variable at a position.
func (p *Line) statement(declared token.Pos) (b block, ok bool) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		if n == nil || declared < n.Pos() || n.End() <= declared {
			return false
		}
		switch n.(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
			b, ok = p.blockOf(n)
		}
		return true
	})
	return b, ok
}

// insert puts a statement before another, on a line of its own.
func (p *Line) insert(before ast.Node, text string) (Edit, bool) {
	b, ok := p.blockOf(before)
	if !ok {
		return Edit{}, false
	}
	pos := b.list[b.at].Pos()
	column := p.fset.PositionFor(pos, false).Column
	line := p.textBetween(pos-token.Pos(column-1), pos)
	if strings.TrimSpace(line) != "" {
		return Edit{}, false
	}
	return p.edit(pos, pos, text+"\n"+line), true
}

// presized are the edits that make a slice, which starts empty, with room for so many elements
// that the statements between two positions add, the first of which is given: where it is declared, or else right before
// them. nil if that would be observable; exact reports whether they add no less.
func (p *Line) presized(v *types.Var, declared token.Pos, s ast.Node, last token.Pos, exact bool, size string, of ...ast.Expr) []Edit {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || !p.roomUnseen(v, s.Pos(), last, exact) || !p.means(s.Pos(), size, sizes...) {
		return nil
	}
	if (d.value != nil && !p.isNil(d.value) || !p.nilSeen(v)) && p.early(declared, s, of...) && !p.mentionedBefore(v, s) {
		return p.madeWith(v, d, size)
	}
	if !p.goesAway(v) || p.deferredResult(v) || p.grownBefore(v, s) { // what stays on the stack while it is small would not with Grow
		return nil
	}
	if !p.since(21) {
		return p.madeUnless(v, s, size)
	}
	name, imported, ok := p.importing("slices")
	if !ok {
		return nil
	}
	grown, ok := p.insert(s, v.Name()+" = "+name+".Grow("+v.Name()+", "+size+")")
	if !ok {
		return nil
	}
	return append(imported, grown)
}

// countedLength is a length, or a multiple of one.
var countedLength = regexp.MustCompile(`^(?:[0-9]+\*)?(len\(.*\))$`)

// madeUnless puts a statement before another one which makes a slice with room for a number of elements, if that is not 0: it stays nil then.
func (p *Line) madeUnless(v *types.Var, s ast.Node, size string) []Edit {
	length, typ := countedLength.FindStringSubmatch(size), p.typeText(v.Type())
	made := v.Name() + " = make(" + typ + ", 0, " + size + ")"
	b, ok := p.blockOf(s)
	if !ok || length == nil || typ == "" || !p.means(s.Pos(), made, "make", "len") {
		return nil
	}
	indent, _ := p.indentOf(b.list[b.at])
	e, ok := p.insert(s, "if "+length[1]+" > 0 {\n"+indent+"\t"+made+"\n"+indent+"}")
	if !ok {
		return nil
	}
	return []Edit{e}
}

// madeWith changes the declaration of a slice to one with room.
func (p *Line) madeWith(v *types.Var, d definition, size string) []Edit {
	if !p.means(d.pos, "make("+size, sizes...) || d.value != nil && p.hasComment(d.value) {
		return nil
	}
	if d.value != nil {
		switch x := ast.Unparen(d.value).(type) {
		case *ast.CompositeLit:
			return []Edit{p.edit(x.Pos(), x.End(), "make("+p.text(x.Type)+", 0, "+size+")")}
		case *ast.CallExpr:
			if p.builtin(x, "make") != nil && len(x.Args) == 2 {
				return []Edit{p.edit(x.Pos(), x.End(), "make("+p.text(x.Args[0])+", 0, "+size+")")}
			}
		}
		return nil
	}
	b, ok := p.statement(d.pos)
	if !ok {
		return nil
	}
	decl, ok := b.list[b.at].(*ast.DeclStmt)
	if !ok {
		return nil
	}
	g := decl.Decl.(*ast.GenDecl)
	if g.Lparen.IsValid() || len(g.Specs) != 1 {
		return nil
	}
	spec := g.Specs[0].(*ast.ValueSpec)
	if len(spec.Names) != 1 || spec.Type == nil || p.hasComment(g) {
		return nil
	}
	return []Edit{p.edit(g.Pos(), g.End(), v.Name()+" := make("+p.text(spec.Type)+", 0, "+size+")")}
}

// mentionedBefore reports whether a variable is used before a statement.
func (p *Line) mentionedBefore(v *types.Var, s ast.Node) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { return m.id.Pos() < s.Pos() })
}

// grownBefore reports whether a slice is appended to before a statement.
func (p *Line) grownBefore(v *types.Var, s ast.Node) bool {
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		_, assigned := m.assigned()
		return assigned && m.id.Pos() < s.Pos()
	})
}

// goesAway reports whether a variable is returned, sent or stored: then what it refers to is on the heap.
func (p *Line) goesAway(v *types.Var) bool {
	return p.returnedAsIs(v) || slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.CompositeLit, *ast.KeyValueExpr, *ast.SendStmt:
			return true
		case *ast.AssignStmt:
			_, assigned := m.assigned()
			return !assigned && len(parent.Lhs) == 1 && p.local(parent.Lhs[0]) == nil
		}
		return false
	})
}

// returnedAsIs reports whether a variable is returned.
func (p *Line) returnedAsIs(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	if fn := p.top(p.unit, v.Pos()); ok && fn != nil && d.pos < fn.body.Pos() {
		return true // a result
	}
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		_, ok := m.parent().(*ast.ReturnStmt)
		return ok
	})
}

// nilSeen reports whether somebody may see that a slice is nil and not empty.
func (p *Line) nilSeen(v *types.Var) bool {
	if d, ok := p.define(p.unit, v); !ok || d.pos < p.fn.body.Pos() && d.value == nil {
		return true
	}
	return slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		switch parent := m.parent().(type) {
		case *ast.RangeStmt, *ast.IndexExpr:
			return false
		case *ast.AssignStmt:
			_, ok := m.assigned()
			return !ok
		case *ast.CallExpr:
			return !p.ignoresNil(parent, m.id)
		}
		return true
	})
}

// ignoresNil reports whether a call makes no difference between nil and empty.
func (p *Line) ignoresNil(call *ast.CallExpr, id *ast.Ident) bool {
	if p.builtin(call, "append") != nil { // as an element it may be seen
		return ast.Unparen(call.Args[0]) == id || call.Ellipsis.IsValid()
	}
	for _, name := range []string{"len", "cap", "copy", "clear"} {
		if p.builtin(call, name) != nil {
			return true
		}
	}
	if p.copiesText(call) {
		return true
	}
	callee := p.callee(call)
	if callee == nil || callee.Pkg() == nil {
		return false
	}
	switch callee.FullName() {
	case "strings.Join", "bytes.Join", "sort.Strings", "sort.Ints", "sort.Slice", "sort.SliceStable", "slices.Sort", "slices.SortFunc", "slices.SortStableFunc",
		"slices.Reverse", "slices.Contains", "slices.Index", "slices.Max", "slices.Min":
		return ast.Unparen(call.Args[0]) == id
	}
	return false
}

// sum writes numbers and expressions as a sum.
func sum(constant int64, terms []string) string {
	if constant != 0 || len(terms) == 0 {
		terms = append(slices.Clone(terms), strconv.FormatInt(constant, 10))
	}
	return strings.Join(terms, "+")
}
