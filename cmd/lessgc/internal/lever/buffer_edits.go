package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A madeBuffer is a local builder or buffer without memory, where it is made.
type madeBuffer struct {
	*Line
	root ssa.Value
	v    *types.Var
	kind string
	list block // with its declaration
}

// smallestBuffer is the first capacity of a bytes.Buffer, in bytes.
const smallestBuffer = 64

// estimatedBuffer is about builders and buffers to which the line writes: of the one with the most of the bytes that can be given room,
// the edits and the share. root is nil if there is none.
func (p *Line) estimatedBuffer() (root ssa.Value, share float64, edits []Edit) {
	root, share = p.grownMost(func(root ssa.Value) bool {
		m, ok := p.makes(root)
		if !ok {
			return false
		}
		size, ok := p.roomOfBuffer(m)
		if !ok {
			return false
		}
		edits = m.grown(size)
		return edits != nil
	})
	return root, share, edits
}

// roomOfBuffer is the room that a buffer has in the end.
func (p *Line) roomOfBuffer(m madeBuffer) (s sized, ok bool) {
	g := p.growthOf(m.root)
	if g == nil || g.samples < leastObserved {
		return s, false
	}
	o := observed{steps: slices.Clone(g.steps)}
	if m.kind == "strings.Builder" && len(o.steps) > 1 && o.steps[0].Bytes == tinyBlock {
		o.steps[0].Objects = o.steps[0].Objects * 2 / 3 // see observe
	}
	o.sum()
	s.n, s.note, ok = o.text()
	return s, ok && (m.kind == "strings.Builder" || s.n > smallestBuffer)
}

// makes finds the variable of a buffer, which has no other.
func (p *Line) makes(root ssa.Value) (m madeBuffer, ok bool) {
	u, fn := p.unitOf(root.Pos()), root.Parent()
	if u == nil || fn == nil || fn.Syntax() == nil || fn.Origin() != nil || generic(fn) || p.inTest(root.Pos()) || p.generated(u) {
		return m, false
	}
	around := &function{unit: u, node: fn.Syntax()}
	switch n := around.node.(type) {
	case *ast.FuncDecl:
		around.body, around.typ = n.Body, n.Type
	case *ast.FuncLit:
		around.body, around.typ = n.Body, n.Type
	default:
		return m, false
	}
	m = madeBuffer{Line: &Line{p.Program, u, p.site, around, nil}, root: root, kind: bufferKind(root.Type())}
	if m.v = m.variable(); m.v == nil || m.jumps(m.v.Pos()) {
		return m, false
	}
	if slices.ContainsFunc(m.mentions(u, m.v), func(x mention) bool { _, assigned := x.assigned(); return assigned }) {
		return m, false
	}
	m.list, ok = m.statement(m.v.Pos())
	return m, ok
}

// variable is the variable that is declared with the buffer, or its address; nil if there is none.
func (m madeBuffer) variable() (found *types.Var) {
	ast.Inspect(m.fn.body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := m.pkg.TypesInfo.Defs[id].(*types.Var)
		if !ok || v.IsField() {
			return true
		}
		if d, ok := m.define(m.unit, v); ok && !d.param && m.declares(v, d) {
			found = v
		}
		return found == nil
	})
	return found
}

// declares reports whether a variable is declared as the buffer without memory, or as its address.
func (m madeBuffer) declares(v *types.Var, d definition) bool {
	if bufferKind(v.Type()) == "" {
		lit, isLit := d.value.(*ast.CompositeLit)
		return bufferKind(types.NewPointer(v.Type())) != "" && v.Pos() == m.root.Pos() && (d.value == nil || isLit && len(lit.Elts) == 0)
	}
	if d.value == nil || m.root.Pos() < d.value.Pos() || d.value.End() <= m.root.Pos() || m.addressTaken(v) {
		return false
	}
	switch x := ast.Unparen(d.value).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return ok && x.Op == token.AND && len(lit.Elts) == 0
	case *ast.CallExpr:
		if m.builtin(x, "new") != nil {
			return m.pkg.TypesInfo.Types[x.Args[0]].IsType()
		}
		call, ok := m.root.(*ssa.Call)
		return ok && isEmptyBuffer(call)
	}
	return false
}

// grown are the edits that make room in the buffer: right behind its declaration, or else before the first statement that uses it.
// There is none unless each way from there writes to the buffer, or returns early without text where the first write is a loop that
// runs at least once.
func (m madeBuffer) grown(size sized) []Edit {
	b := m.blindTo(m.root)
	if b.told || b.grown {
		return nil
	}
	call := fmt.Sprintf("%s.Grow(%d) // %s", m.v.Name(), size.n, size.note)
	rest := m.list.list[m.list.at+1:]
	first := slices.IndexFunc(rest, m.uses)
	if first < 0 {
		return nil
	}
	if m.sureIn(rest) {
		if e, ok := m.behind(m.list.list[m.list.at], call); ok {
			return []Edit{e}
		}
	}
	if m.sureIn(rest[first:]) {
		return m.before(rest[first], call)
	}
	if loop, ok := rest[first].(*ast.RangeStmt); ok && m.sureIn(loop.Body.List) && m.pure(loop.X) && m.hasLength(loop.X) {
		text := "if len(" + types.ExprString(loop.X) + ") > 0 {\n\t" + call + "\n}"
		if m.means(loop.Pos(), text, "len") {
			return m.before(loop, text)
		}
	}
	return nil
}

// hasLength reports whether len gives the number of iterations over an expression, or none of them.
func (m madeBuffer) hasLength(e ast.Expr) bool {
	switch t := m.typeOf(e).Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// uses reports whether a statement mentions the buffer.
func (m madeBuffer) uses(s ast.Stmt) bool { return m.hasBelow(s, m.v) }

// behind puts a statement on the line after another.
func (m madeBuffer) behind(s ast.Stmt, text string) (Edit, bool) {
	file := m.fset.File(s.End())
	line := file.Line(s.End())
	if line >= file.LineCount() {
		return Edit{}, false
	}
	start := file.LineStart(m.fset.PositionFor(s.Pos(), false).Line)
	indent, end := m.textBetween(start, s.Pos()), file.LineStart(line+1)
	rest := strings.TrimSpace(m.textBetween(s.End(), end))
	if strings.TrimSpace(indent) != "" || rest != "" && !strings.HasPrefix(rest, "//") {
		return Edit{}, false
	}
	return m.edit(end, end, indent+text+"\n"), true
}

// before puts a statement before another, to which no comment above belongs.
func (m madeBuffer) before(s ast.Stmt, text string) []Edit {
	if m.commentsOn(s.Pos()) {
		return nil
	}
	pos := s.Pos()
	indent := m.textBetween(pos-token.Pos(m.fset.PositionFor(pos, false).Column-1), pos)
	e, ok := m.insert(s, strings.ReplaceAll(text, "\n", "\n"+indent))
	if !ok {
		return nil
	}
	return []Edit{e}
}

// sureIn reports whether some statements write to the buffer whenever the first of them is reached, unless one panics.
func (m madeBuffer) sureIn(list []ast.Stmt) bool {
	for _, s := range list {
		if m.sure(s) {
			return true
		}
		if exits(s) || continues(s) {
			return false
		}
	}
	return false
}

// sure reports whether a statement writes to the buffer whenever it is executed.
func (m madeBuffer) sure(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeclStmt:
		return m.writtenIn(s)
	case *ast.BlockStmt:
		return m.sureIn(s.List)
	case *ast.IfStmt:
		if s.Init != nil && m.writtenIn(s.Init) || m.writtenIn(s.Cond) {
			return true
		}
		return s.Else != nil && m.sureIn(s.Body.List) && m.sure(s.Else)
	case *ast.ForStmt:
		return s.Init != nil && m.writtenIn(s.Init) || s.Cond == nil && m.sureIn(s.Body.List)
	case *ast.SwitchStmt:
		return s.Init != nil && m.writtenIn(s.Init) || s.Tag != nil && m.writtenIn(s.Tag) || m.sureInClauses(s.Body.List)
	}
	return false
}

// sureInClauses reports whether all clauses of a switch write to the buffer, and one of them is its default.
func (m madeBuffer) sureInClauses(list []ast.Stmt) bool {
	rest := false
	for _, s := range list {
		c, ok := s.(*ast.CaseClause)
		if !ok || !m.sureIn(c.Body) {
			return false
		}
		rest = rest || c.List == nil
	}
	return rest
}

// writtenIn reports whether a call below a node, which is made whenever the node is executed, writes to the buffer.
func (m madeBuffer) writtenIn(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				found = found || m.writtenIn(n.X)
				return false
			}
		case *ast.CallExpr:
			found = found || m.writes(n)
		}
		return !found
	})
	return found
}

// writes reports whether a call is sure to write to the buffer.
func (m madeBuffer) writes(call *ast.CallExpr) bool {
	in, ok := m.callInstruction(call)
	if !ok {
		return false
	}
	return slices.ContainsFunc(in.Call.Args, func(v ssa.Value) bool { return m.madeBy(v, nil, 0) == m.root && m.mustWriteTo(in, v, 0) })
}

// callInstruction is the instruction of a call in the function that makes the buffer.
func (m madeBuffer) callInstruction(call *ast.CallExpr) (*ssa.Call, bool) {
	for _, b := range m.root.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Pos() == call.Lparen {
				return c, true
			}
		}
	}
	return nil, false
}
