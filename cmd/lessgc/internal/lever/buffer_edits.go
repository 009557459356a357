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
	p    *Line
	root ssa.Value
	v    *types.Var
	kind string
	list block // with its declaration
	some bool  // what may write nothing, such as an empty text, does not count as writing
}

// smallestBuffer is the first capacity of a bytes.Buffer, in bytes.
const smallestBuffer = 64

// estimatedBuffer is about builders and buffers to which the line writes: of the one with the most of the bytes that can be given room,
// the edits and the share. root is nil if there is none.
func (p *Line) estimatedBuffer() (root ssa.Value, share float64, edits []Edit) {
	root, share = p.grownMost(func(root ssa.Value) bool {
		m, ok := p.makes(root)
		if !ok || m.asSum() != nil {
			return false
		}
		o, ok := p.growthObserved(m)
		if ok {
			edits = m.grown(o)
		}
		return edits != nil
	})
	return root, share, edits
}

// growthObserved is growthSeen of a buffer that grows several times.
func (p *Line) growthObserved(m madeBuffer) (o observed, ok bool) {
	o, ok = p.growthSeen(m)
	return o, ok && float64(o.objects) >= leastSteps*float64(o.runs)
}

// growthSeen is what the profile shows of a buffer; ok is false if too little is known.
func (p *Line) growthSeen(m madeBuffer) (o observed, ok bool) {
	return observedIn(p.growthOf(m.root), m.kind == "strings.Builder")
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
	m = madeBuffer{p: &Line{p.Program, u, p.site, around, nil}, root: root, kind: bufferKind(root.Type())}
	if m.v = m.variable(); m.v == nil || m.p.jumps(m.v.Pos()) {
		return m, false
	}
	if slices.ContainsFunc(m.p.mentions(u, m.v), func(x mention) bool { _, assigned := x.assigned(); return assigned }) {
		return m, false
	}
	m.list, ok = m.p.statement(m.v.Pos())
	return m, ok
}

// variable is the variable that is declared with the buffer, or its address; nil if there is none.
func (m madeBuffer) variable() (found *types.Var) {
	ast.Inspect(m.p.fn.body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := m.p.pkg.TypesInfo.Defs[id].(*types.Var)
		if !ok || v.IsField() || bufferKind(v.Type()) == "" && bufferKind(types.NewPointer(v.Type())) == "" {
			return true
		}
		if d, ok := m.p.define(m.p.unit, v); ok && !d.param && m.declares(v, d) {
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
	if d.value == nil || m.root.Pos() < d.value.Pos() || d.value.End() <= m.root.Pos() || m.p.addressTaken(v) {
		return false
	}
	switch x := ast.Unparen(d.value).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return ok && x.Op == token.AND && len(lit.Elts) == 0
	case *ast.CallExpr:
		if m.p.builtin(x, "new") != nil {
			return m.p.pkg.TypesInfo.Types[x.Args[0]].IsType()
		}
		call, ok := m.root.(*ssa.Call)
		return ok && isEmptyBuffer(call) && call.Pos() == x.Lparen // and not an argument of another call
	}
	return false
}

// grown are the edits that make room in the buffer: for the length of a text each byte of which adds one or more; for the lengths that are
// known, see lengths; or else for what was observed, right behind the declaration or before the first statement that uses the buffer. There is none unless the text is wanted on each
// way from there, and each writes to the buffer, as it does in a loop that runs at least once; or unless it is known how often the buffer
// is declared, nothing is written for a tenth of those at most, and the room is cheaper than growing even so.
func (m madeBuffer) grown(o observed) []Edit {
	b := m.p.blindTo(m.root)
	rest := m.list.list[m.list.at+1:]
	first := slices.IndexFunc(rest, m.uses)
	if b.told || b.grown || first < 0 {
		return nil
	}
	wanted := m.wanted(rest[first].Pos())
	if length := m.lengthOf(rest[first:]); length != "" && wanted && m.p.means(rest[first].Pos(), length, "len") {
		return m.before(rest[first], m.v.Name()+".Grow("+length+")")
	}
	sure := m.sureIn(rest)
	if !sure && !m.sureIn(rest[first:]) && !m.oftenIn(rest[first]) {
		begun, ok := m.p.executed(m.list.list[m.list.at].Pos())
		if !ok || begun == 0 || o.oftenEmpty(begun) {
			return nil
		}
		sure = true
		o = o.withEmpty(max(0, begun-o.runs))
	}
	n, ok := o.room()
	if !ok || !wanted || m.kind == "bytes.Buffer" && n <= smallestBuffer {
		return nil
	}
	if length := m.lengths(rest[first:], n); length != "" && m.p.means(rest[first].Pos(), length, "len") {
		if edits := m.before(rest[first], m.v.Name()+".Grow("+length+")"); edits != nil {
			return edits
		}
	}
	n, note, ok := o.text()
	if !ok {
		return nil
	}
	call := strings.Join(withNote(m.p.indent(rest[first]), fmt.Sprintf("%s.Grow(%d)", m.v.Name(), n), note), "\n")
	if sure && m.wanted(m.root.Pos()) {
		if e, ok := m.behind(m.list.list[m.list.at], call); ok {
			return []Edit{e}
		}
	}
	if m.sureIn(rest[first:]) {
		return m.before(rest[first], call)
	}
	if loop, ok := rest[first].(*ast.RangeStmt); ok && m.oftenIn(loop) {
		text := "if len(" + types.ExprString(loop.X) + ") > 0 {\n\t" + strings.ReplaceAll(call, "\n", "\n\t") + "\n}"
		if m.p.means(loop.Pos(), text, "len") {
			return m.before(loop, text)
		}
	}
	return nil
}

// lengthOf is the length of the text that a loop among some statements goes over byte by byte, or rune by rune, if it writes to the
// buffer each time, or mostly; "" if there is none, or if its length is not known before the first of the statements.
func (m madeBuffer) lengthOf(list []ast.Stmt) string {
	for i, s := range list {
		if labeled, ok := s.(*ast.LabeledStmt); ok {
			s = labeled.Stmt
		}
		body, text := loopBody(s), m.goesOver(s)
		if body == nil && i < len(list)-1 && !exits(s) {
			continue
		}
		v := m.p.local(text)
		certain := m
		certain.some = true
		if body == nil || v == nil || exits(body) || !certain.sureIn(body.List) && !m.mostlyIn(body) || v.Pos() >= list[0].Pos() || m.p.addressTaken(v) || m.p.capturedAndChanged(v) ||
			slices.ContainsFunc(list[:i], func(s ast.Stmt) bool { return m.p.changes(s, v) }) {
			return ""
		}
		return "len(" + v.Name() + ")"
	}
	return ""
}

// mostlyIn reports whether the benchmarks write to the buffer in nine of ten iterations of a loop, in statements of its body outside of other loops.
func (m madeBuffer) mostlyIn(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	each, ok := m.p.executed(body.List[0].Pos())
	if !ok || each == 0 {
		return false
	}
	writes := int64(0)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.ExprStmt, *ast.AssignStmt:
			if m.writtenIn(n) {
				count, _ := m.p.executed(n.Pos())
				writes += count
			}
			return false
		}
		return true
	})
	return float64(writes) >= mostEnds*float64(each)
}

// goesOver is the text that a loop goes over; nil if it is another loop, or none.
func (m madeBuffer) goesOver(s ast.Stmt) ast.Expr {
	var over ast.Expr
	switch s := s.(type) {
	case *ast.RangeStmt:
		over = s.X
	case *ast.ForStmt:
		if bound, ok := ast.Unparen(m.p.upTo(s)).(*ast.CallExpr); ok && m.p.builtin(bound, "len") != nil {
			over = bound.Args[0]
		}
	}
	if over == nil || !isString(m.p.typeOf(over)) && !isBytes(m.p.typeOf(over)) {
		return nil
	}
	return over
}

// oftenIn reports whether a statement is a loop that writes to the buffer unless what it goes over, as can be asked, is empty.
func (m madeBuffer) oftenIn(s ast.Stmt) bool {
	loop, ok := s.(*ast.RangeStmt)
	return ok && m.sureIn(loop.Body.List) && m.p.pure(loop.X) && m.hasLength(loop.X)
}

// hasLength reports whether len gives the number of iterations over an expression, or none of them.
func (m madeBuffer) hasLength(e ast.Expr) bool {
	switch t := m.p.typeOf(e).Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// uses reports whether a statement mentions the buffer.
func (m madeBuffer) uses(s ast.Stmt) bool { return m.p.hasBelow(s, m.v) }

// behind puts a statement on the line after another.
func (m madeBuffer) behind(s ast.Stmt, text string) (Edit, bool) {
	file := m.p.fset.File(s.End())
	line := file.Line(s.End())
	if line >= file.LineCount() {
		return Edit{}, false
	}
	start := file.LineStart(m.p.fset.PositionFor(s.Pos(), false).Line)
	indent, end := m.p.textBetween(start, s.Pos()), file.LineStart(line+1)
	rest := strings.TrimSpace(m.p.textBetween(s.End(), end))
	if strings.TrimSpace(indent) != "" || rest != "" && !strings.HasPrefix(rest, "//") {
		return Edit{}, false
	}
	return m.p.edit(end, end, indent+strings.ReplaceAll(text, "\n", "\n"+indent)+"\n"), true
}

// before puts a statement before another, to which no comment above belongs.
func (m madeBuffer) before(s ast.Stmt, text string) []Edit {
	if m.p.commentsOn(s.Pos()) {
		return nil
	}
	pos := s.Pos()
	indent := m.p.textBetween(pos-token.Pos(m.p.fset.PositionFor(pos, false).Column-1), pos)
	e, ok := m.p.insert(s, strings.ReplaceAll(text, "\n", "\n"+indent))
	if !ok {
		return nil
	}
	return []Edit{e}
}
