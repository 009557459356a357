package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var growOnce = &Lever{
	Name:    "grow-once",
	Title:   "grow it once, by all that is added",
	Subject: "grow the buffer once",
	Looks:   "a local slice, a strings.Builder or bytes.Buffer that starts empty, or a slice in a field of a new object, to which several statements or a loop add what can be added up before: constants, the lengths of strings and slices, a number for each iteration of a loop.",
	Wrong:   "when what is added is mostly so short that the first memory has room for it, or when the function mostly returns in between.",
	Before: `var b strings.Builder
b.WriteString(name)
b.WriteByte('=')
b.WriteString(value)`,
	After: `var b strings.Builder
b.Grow(len(name) + 1 + len(value))
b.WriteString(name)
b.WriteByte('=')
b.WriteString(value)`,
	Model:   "What doubles until it is full allocates about twice what it holds in the end, and copies as much; grown once it allocates that once, up to the next size class.",
	Risk:    NoRisk,
	Saves:   Saves{Alloc: Range{0.3, 0.8}, Collect: Range{0.3, 0.7}},
	Rewrite: "Each statement between the first that adds and the last adds what is known before the first, and nothing leaves in between; or it adds less, and the room that is left is unobservable. A slice is grown as preallocate does it, and stays nil if nothing is added. Of a builder or buffer only methods are called that write or read the text: it is not copied, its capacity not asked for, and the Bytes of a buffer are taken behind the last write.",
	find:    findGrowOnce,
}

// writes are the methods that add to a builder or buffer, with the number of bytes that they add
// for one call, 0 for the length of their argument.
var writes = map[string]int64{"WriteString": 0, "Write": 0, "WriteByte": 1, "WriteRune": 1}

// A target is a slice, builder or buffer that grows.
type target struct {
	v     *types.Var // the local variable
	field *types.Var // the field of it that is the slice; nil for the variable itself
	kind  string     // "", "strings.Builder" or "bytes.Buffer"
	start token.Pos  // of its declaration
}

func (t target) name() string {
	if t.field != nil {
		return t.v.Name() + "." + t.field.Name()
	}
	return t.v.Name()
}

// withKind is withKind of what grows.
func (t target) withKind() string {
	if t.field != nil {
		return withKindAs(t.name(), t.field.Type())
	}
	return withKind(t.v)
}

func findGrowOnce(p *Line) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok {
			continue
		}
		t, share := p.grownBy(s, call)
		if t.v == nil || share == 0 {
			continue
		}
		run, ok := p.added(t, call)
		if !ok || !p.sameUntil(run) || run.adds < 2 || run.loop == nil && call == run.calls[0] || t.kind == "" && p.isPreallocate(run) {
			continue
		}
		f = Finding{Share: share, Edits: p.grownOnce(t, run), What: "grow " + t.withKind() + " once", Evidence: []Evidence{p.at(t.start, t.name()+" starts without capacity")}}
		switch {
		case run.each != nil:
			f.Evidence = append(f.Evidence, p.at(run.each.Pos(), "what the iterations of the loop add can be summed up before it, in a loop over the same elements"))
		case run.loop != nil:
			f.Evidence = append(f.Evidence, p.at(run.loop.Pos(), fmt.Sprintf("the loop and the calls around it add %s, which is known before the first", run.size())))
		default:
			f.Evidence = append(f.Evidence, p.at(run.calls[0].Pos(), fmt.Sprintf("%d calls in a row add %s, which is known before the first", run.adds, run.size())))
		}
		return f
	}
	return f
}

// grownBy returns the target that a call adds to, and the share of the line's bytes that it grows by.
func (p *Line) grownBy(s spot, call *ast.CallExpr) (t target, share float64) {
	if p.builtin(call, "append") != nil {
		if t = p.appendTarget(s, call); t.v == nil || p.others() || p.objectSize() < 1.4*float64(p.elemSize(call)) {
			return target{}, 0
		}
		return t, p.direct()
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return t, 0
	}
	t.v = p.local(sel.X)
	if _, ok := writes[sel.Sel.Name]; !ok || t.v == nil {
		return target{}, 0
	}
	t.start = t.v.Pos()
	for _, kind := range []string{"strings.Builder", "bytes.Buffer"} {
		if short(t.v.Type()) == kind && p.startsAsZero(t.v) {
			t.kind = kind
		}
	}
	if t.kind == "" {
		return target{}, 0
	}
	return t, p.leaves(func(l site.Leaf) bool {
		return slices.ContainsFunc(l.Path, func(f prof.Frame) bool {
			return f.Func == "strings.(*Builder)."+sel.Sel.Name && t.kind == "strings.Builder" || f.Func == "bytes.(*Buffer)."+sel.Sel.Name && t.kind == "bytes.Buffer"
		})
	})
}

func (p *Line) elemSize(call *ast.CallExpr) int64 {
	slice, ok := p.typeOf(call).Underlying().(*types.Slice)
	if !ok || p.pkg.TypesSizes == nil || hasTypeParameter(slice.Elem()) {
		return 0
	}
	return max(p.pkg.TypesSizes.Sizeof(slice.Elem()), 8)
}

// appendTarget is the slice that an append is assigned to and is about.
func (p *Line) appendTarget(s spot, call *ast.CallExpr) (t target) {
	if v, _ := p.appendsTo(s, call); v != nil {
		if start, ok := p.startsEmpty(v); ok {
			return target{v: v, start: start}
		}
		return t
	}
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || len(call.Args) < 2 {
		return t
	}
	left, ok := ast.Unparen(assign.Lhs[0]).(*ast.SelectorExpr)
	if !ok || types.ExprString(left) != types.ExprString(call.Args[0]) {
		return t
	}
	v := p.local(left.X)
	field, ok := p.pkg.TypesInfo.ObjectOf(left.Sel).(*types.Var)
	if v == nil || !ok || !field.IsField() {
		return t
	}
	if d, ok := p.define(p.unit, v); !ok || d.param || !p.isNew(v, d, field) {
		return t
	}
	return target{v: v, field: field, start: v.Pos()}
}

// isNew reports whether a variable is an object that is made where it is declared, without
// anything in a field.
func (p *Line) isNew(v *types.Var, d definition, field *types.Var) bool {
	if slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, ok := m.assigned(); return ok }) {
		return false
	}
	if d.value == nil {
		_, ok := v.Type().Underlying().(*types.Struct)
		return ok
	}
	e := ast.Unparen(d.value)
	if p.builtin(e, "new") != nil {
		return p.pkg.TypesInfo.Types[e.(*ast.CallExpr).Args[0]].IsType()
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	return !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		return !ok || p.object(pair.Key) == field
	})
}

// startsAsZero reports whether a variable has its zero value at first, and no other later.
func (p *Line) startsAsZero(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	if !ok || d.param {
		return false
	}
	if lit, is := d.value.(*ast.CompositeLit); d.value != nil && (!is || len(lit.Elts) > 0) {
		return false
	}
	return !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, ok := m.assigned(); return ok })
}

// A run sums up what consecutive statements add to a target.
type run struct {
	calls    []*ast.CallExpr
	adds     int // number of times that it may grow
	constant int64
	terms    []string
	of       []ast.Expr
	first    ast.Stmt // that adds
	last     ast.Stmt // that adds
	loop     ast.Node // of which each iteration adds
	each     ast.Node // of which each iteration adds according to its element
	nested   bool     // there are loops in loops
	inexact  bool     // it may add less
	unbound  bool     // it may end before it has added what is far more than the memory that it goes over
	exits    bool     // it is not sure that all of it comes about, and can be asked for before
}

func (r *run) size() string { return sum(r.constant, r.terms) }

// added adds up all that is added to a target, a call among it. ok is false if some of it is not known.
func (p *Line) added(t target, call *ast.CallExpr) (r run, ok bool) {
	b, ok := p.statement(t.start)
	if !ok {
		return r, false
	}
	leaves := false
	for _, s := range b.list[b.at+1:] {
		if !p.adds(t, s) {
			leaves = leaves || r.first != nil && exits(s)
			continue
		}
		r.exits = r.exits || leaves
		if r.first == nil {
			r.first = s
		}
		if r.last = s; !p.addStatement(t, s, &r) {
			return r, false
		}
	}
	return r, slices.Contains(r.calls, call)
}

// adds reports whether something is added to a target below a node.
func (p *Line) adds(t target, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && p.object(id) == t.v {
			found = found || p.isAddition(t, id)
		}
		return true
	})
	return found
}

// isAddition reports whether a mention of a target may add to it.
func (p *Line) isAddition(t target, id *ast.Ident) bool {
	stack := stackOf(p.file, id)
	switch parent := innermost(stack).(type) {
	case *ast.SelectorExpr:
		if t.field != nil {
			return parent.Sel.Name == t.field.Name() && !p.readsOnly(stack[:len(stack)-1], parent)
		}
		if t.kind != "" {
			switch parent.Sel.Name {
			case "String", "Bytes", "Len", "Cap":
				return false
			}
		}
	case *ast.ReturnStmt, *ast.RangeStmt, *ast.IndexExpr:
		return false
	case *ast.CallExpr:
		return t.field == nil && p.builtin(parent, "append") != nil && ast.Unparen(parent.Args[0]) == id || t.kind != ""
	case *ast.UnaryExpr:
		return t.field == nil
	case *ast.AssignStmt:
		return t.field == nil && slices.ContainsFunc(parent.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == id })
	}
	return t.kind != ""
}

// readsOnly reports whether a field is neither set nor given to append.
func (p *Line) readsOnly(stack []ast.Node, field *ast.SelectorExpr) bool {
	switch parent := innermost(stack).(type) {
	case *ast.AssignStmt:
		return !slices.ContainsFunc(parent.Lhs, func(e ast.Expr) bool { return ast.Unparen(e) == field })
	case *ast.CallExpr:
		return p.builtin(parent, "append") == nil || ast.Unparen(parent.Args[0]) != field
	case *ast.UnaryExpr:
		return parent.Op != token.AND
	}
	return true
}

// addStatement adds what a statement does to a target; false if that is not known.
func (p *Line) addStatement(t target, s ast.Stmt, r *run) bool {
	if l, ok := s.(*ast.LabeledStmt); ok {
		s = l.Stmt
	}
	if body := loopBody(s); body != nil {
		return p.addLoop(t, s, r)
	}
	call := p.addition(t, s)
	if call == nil {
		return t.kind != "" && p.addSometimes(t, s, r)
	}
	r.calls = append(r.calls, call)
	r.adds++
	if p.builtin(call, "append") != nil && !call.Ellipsis.IsValid() {
		r.constant += int64(len(call.Args) - 1)
		return !p.inArguments(t, call)
	}
	arg := call.Args[len(call.Args)-1]
	if n, ok := p.constantLength(call); ok {
		r.constant += n
		return true
	}
	if p.isNumber(arg) {
		r.constant += 10
		r.inexact = true
		return true
	}
	if !p.pure(arg) || p.inArguments(t, call) {
		return false
	}
	r.terms = append(r.terms, "len("+types.ExprString(arg)+")")
	r.of = append(r.of, arg)
	return true
}

// isNumber reports whether an expression is an integer as text, which mostly has at most 10 digits.
func (p *Line) isNumber(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || p.callee(call) == nil {
		return false
	}
	switch p.callee(call).FullName() {
	case "strconv.Itoa":
		return true
	case "strconv.FormatInt", "strconv.FormatUint":
		v := p.pkg.TypesInfo.Types[call.Args[1]].Value
		return v != nil && v.ExactString() == "10"
	}
	return false
}

// addSometimes is about an if that adds a few bytes, or all of a string if it is not empty: they are
// counted as if it always did.
func (p *Line) addSometimes(t target, s ast.Stmt, r *run) bool {
	const few = 4
	cond, ok := s.(*ast.IfStmt)
	if !ok || cond.Init != nil || cond.Else != nil || p.adds(t, cond.Cond) || !p.addsBeside(t, s) {
		return false
	}
	var inner run
	for _, s := range cond.Body.List {
		if p.adds(t, s) && (p.addition(t, s) == nil || !p.addStatement(t, s, &inner)) {
			return false
		}
	}
	r.constant += inner.constant
	r.adds += inner.adds
	r.inexact = true
	r.calls, r.terms, r.of = append(r.calls, inner.calls...), append(r.terms, inner.terms...), append(r.of, inner.of...)
	for _, e := range inner.of {
		if _, plain := p.variables(e); !plain { // the condition may be there to guard a nil pointer
			r.exits = true
		}
	}
	tested := types.ExprString(cond.Cond)
	return inner.constant <= few && !slices.ContainsFunc(inner.of, func(e ast.Expr) bool { return !notEmpty(tested, types.ExprString(e)) })
}

// addsBeside reports whether a loop, if there is one around a statement, adds in each iteration, too: its
// condition may hold but rarely.
func (p *Line) addsBeside(t target, s ast.Stmt) bool {
	stack := stackOf(p.file, s)
	block, ok := innermost(stack).(*ast.BlockStmt)
	return len(loopsSince(stack, s, t.start)) == 0 || ok && slices.ContainsFunc(block.List, func(other ast.Stmt) bool { return other != s && p.addition(t, other) != nil })
}

// notEmpty reports whether a condition is that a text is not empty.
func notEmpty(condition, text string) bool {
	length := "len(" + text + ")"
	return slices.Contains([]string{text + ` != ""`, length + " > 0", length + " != 0", "0 < " + length}, condition)
}

// inArguments reports whether what is added has to do with the target.
func (p *Line) inArguments(t target, call *ast.CallExpr) bool {
	from := 0
	if p.builtin(call, "append") != nil {
		from = 1
	}
	return slices.ContainsFunc(call.Args[from:], func(e ast.Expr) bool { return p.adds(t, e) })
}

// addition is the call by which a statement adds to a target, and does nothing else; or nil.
func (p *Line) addition(t target, s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := ast.Unparen(s.X).(*ast.CallExpr)
		if !ok || t.kind == "" {
			return nil
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.local(sel.X) == t.v && len(call.Args) == 1 {
			if _, ok := writes[sel.Sel.Name]; ok {
				return call
			}
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || t.kind != "" {
			return nil
		}
		call := p.builtin(ast.Unparen(s.Rhs[0]), "append")
		if call != nil && len(call.Args) > 1 && p.isTarget(t, s.Lhs[0]) && p.isTarget(t, call.Args[0]) {
			return call
		}
	}
	return nil
}

func (p *Line) isTarget(t target, e ast.Expr) bool {
	if t.field == nil {
		return p.local(e) == t.v
	}
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && p.local(sel.X) == t.v && p.pkg.TypesInfo.ObjectOf(sel.Sel) == t.field
}

// constantLength returns the number of bytes that a call adds, if that is known: of a rune that is not, the
// smallest.
func (p *Line) constantLength(call *ast.CallExpr) (int64, bool) {
	arg := call.Args[len(call.Args)-1]
	value := p.pkg.TypesInfo.Types[arg].Value
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if isMethod && sel.Sel.Name == "WriteRune" && value != nil {
		r, _ := constant.Int64Val(constant.ToInt(value))
		return int64(max(utf8.RuneLen(rune(r)), 1)), true
	}
	if isMethod && writes[sel.Sel.Name] == 1 {
		return 1, true
	}
	if value != nil && value.Kind() == constant.String {
		return int64(len(constant.StringVal(value))), true
	}
	return 0, false
}

// addLoop is about a loop of which each iteration adds the same, or an element of what it goes over.
func (p *Line) addLoop(t target, loop ast.Stmt, r *run) bool {
	count, of, ok := p.iterations(loop)
	if !ok || p.capturedIn(t, loop) || p.stopsEarly(loop, t.v) {
		return false
	}
	if p.copiesRunes(t, loop) {
		ast.Inspect(loop, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && p.adds(t, call.Fun) {
				r.calls = append(r.calls, call)
			}
			return true
		})
		r.loop, r.adds, r.terms, r.of, r.inexact = loop, r.adds+2, append(r.terms, count), append(r.of, of), true
		return true
	}
	var inner run
	for _, s := range loopBody(loop).List {
		if continues(s) || exits(s) && t.kind != "" {
			return false
		}
		if p.adds(t, s) && !p.addStatement(t, s, &inner) {
			return false
		}
	}
	r.nested = r.nested || inner.loop != nil
	r.inexact = r.inexact || inner.inexact || !p.exactly(loop)
	r.unbound = r.unbound || inner.unbound || inner.loop != nil || !p.bounded(t, loop, inner)
	for _, e := range inner.of {
		if _, plain := p.variables(e); !plain { // it need not come to that
			r.exits = true
		}
	}
	r.calls, r.loop, r.adds = append(r.calls, inner.calls...), loop, r.adds+2
	if slices.ContainsFunc(inner.of, func(e ast.Expr) bool { return p.changesIn(loop, e) }) || inner.each != nil {
		r.each = loop
		return (inner.each == nil || len(inner.terms) == 0) && !slices.ContainsFunc(inner.of, func(e ast.Expr) bool { return !p.saidBy(loop, e) })
	}
	if inner.constant > 0 || len(inner.terms) > 0 {
		r.terms, r.of = append(r.terms, times(inner, count)), append(append(r.of, of), inner.of...)
	}
	return true
}

// times is so often what a run adds.
func times(r run, count string) string {
	switch size := r.size(); {
	case size == "1":
		return count
	case strings.Contains(size, "+"):
		return "(" + size + ")*" + count
	default:
		return size + "*" + count
	}
}

// saidBy reports whether an iteration of a loop knows an expression from the start: it is made of the key and
// element, and of what the loop does not change.
func (p *Line) saidBy(loop ast.Stmt, e ast.Expr) bool {
	all, _ := p.variables(e)
	each, ok := loop.(*ast.RangeStmt)
	return !slices.ContainsFunc(all, func(v *types.Var) bool {
		if ok && (each.Key != nil && p.local(each.Key) == v || each.Value != nil && p.local(each.Value) == v) {
			return p.changes(each.Body, v)
		}
		return loop.Pos() <= v.Pos() && v.Pos() < loop.End() || p.changes(loop, v)
	})
}

// changesIn reports whether an expression is made of what a loop declares or changes.
func (p *Line) changesIn(loop ast.Stmt, e ast.Expr) bool {
	all, _ := p.variables(e)
	return slices.ContainsFunc(all, func(v *types.Var) bool { return loop.Pos() <= v.Pos() && v.Pos() < loop.End() || p.changes(loop, v) })
}

// copiesRunes reports whether a loop over a string adds single bytes and runes only, that of the iteration
// among them.
func (p *Line) copiesRunes(t target, loop ast.Stmt) bool {
	each, ok := loop.(*ast.RangeStmt)
	if !ok || t.kind == "" || each.Value == nil || !isString(p.typeOf(each.X)) {
		return false
	}
	copies, others := false, false
	if !p.addsAlways(t, each.Body) || p.mostAdds(t, each.Body) > 1 {
		return false // few of them may be copied, or none; or the text may become longer than what is copied
	}
	ast.Inspect(each.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			others = others || p.adds(t, n)
		case *ast.ExprStmt:
			call := p.addition(t, n)
			if call == nil {
				others = others || p.adds(t, n)
				return !others
			}
			others = others || writes[p.methodName(call)] != 1
			copies = copies || p.local(call.Args[0]) != nil && p.local(call.Args[0]) == p.local(each.Value)
			return false
		case *ast.Ident:
			others = others || p.object(n) == t.v && p.isAddition(t, n)
		}
		return !others
	})
	return copies && !others
}

// mostAdds is the largest number of additions on a way through a statement.
func (p *Line) mostAdds(t target, s ast.Stmt) (n int) {
	longest := func(body *ast.BlockStmt) (n int) {
		for _, clause := range body.List {
			of := 0
			for _, s := range statements(clause) {
				of += p.mostAdds(t, s)
			}
			n = max(n, of)
		}
		return n
	}
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		most := 0
		for _, s := range s.List {
			of := p.mostAdds(t, s)
			if cond, ok := s.(*ast.IfStmt); ok && cond.Else == nil && leaves(cond.Body) {
				most = max(most, n+of) // nothing behind it is added then
				continue
			}
			n += of
		}
		n = max(n, most)
	case *ast.IfStmt:
		n = p.mostAdds(t, s.Body)
		if s.Else != nil {
			n = max(n, p.mostAdds(t, s.Else))
		}
	case *ast.SwitchStmt:
		n = longest(s.Body)
	case *ast.TypeSwitchStmt:
		n = longest(s.Body)
	case *ast.SelectStmt:
		n = longest(s.Body)
	case *ast.LabeledStmt:
		n = p.mostAdds(t, s.Stmt)
	default:
		if p.addition(t, s) != nil {
			n = 1
		}
	}
	return n
}

// addsAlways reports whether a statement adds a byte or rune whatever its conditions are, if nothing ends it before.
func (p *Line) addsAlways(t target, s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return p.addsAlways(t, s) })
	case *ast.IfStmt:
		return s.Else != nil && p.addsAlways(t, s.Body) && p.addsAlways(t, s.Else)
	case *ast.SwitchStmt:
		other := false // there is a default
		for _, clause := range s.Body.List {
			c := clause.(*ast.CaseClause)
			other = other || c.List == nil
			if !p.addsAlways(t, &ast.BlockStmt{List: c.Body}) {
				return false
			}
		}
		return other
	}
	return p.addition(t, s) != nil
}

// capturedIn reports whether a function literal below a node mentions a target.
func (p *Line) capturedIn(t target, n ast.Node) bool {
	return slices.ContainsFunc(p.mentions(p.unit, t.v), func(m mention) bool {
		return n.Pos() <= m.id.Pos() && m.id.End() <= n.End() && within(m.stack, t.start) != nil
	})
}
