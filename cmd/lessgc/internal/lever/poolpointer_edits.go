package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A pointerPool is a pool of slices that is to keep pointers to them, with all that the package does with it.
type pointerPool struct {
	p     *Line
	pool  *types.Var
	of    types.Type // of the slices
	made  bool       // the pool has New
	gets  []*poolCall
	puts  []*poolCall
	edits []Edit
}

// A poolCall is a call of Get or Put.
type poolCall struct {
	p     *Line // of its file and function
	call  *ast.CallExpr
	stack []ast.Node // around the call
	top   ast.Node   // the declared function
}

// slicesIn returns the pool that a call puts a slice into, with the edits that have it keep pointers: nil if these are not shown to be right.
func (p *Line) slicesIn(put *ast.CallExpr) *pointerPool {
	sel, ok := ast.Unparen(put.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := p.object(sel.X).(*types.Var)
	if !ok || v.Parent() != p.pkg.Types.Scope() || v.Exported() {
		return nil
	}
	x := &pointerPool{p: p, pool: v, of: p.typeOf(put.Args[0])}
	if hasTypeParameter(x.of) || p.builtElsewhere(v) || p.linkedElsewhere(v) || p.inTests(v) || !x.declared() || !x.uses() {
		return nil
	}
	for _, get := range x.gets {
		if !x.hand(get) {
			return nil
		}
	}
	slices.SortFunc(x.edits, byPlace)
	return x
}

// inTests reports whether a test of the package's folder has the name of a variable.
func (p *Line) inTests(v *types.Var) bool {
	return p.testNamesIn(filepath.Dir(p.fset.Position(v.Pos()).Filename))[v.Name()]
}

// editable reports whether a file is one that each build has, and a person writes.
func (p *Line) editable() bool {
	return !p.inTest(p.file.Package) && !p.generated(p.unit) && !ast.IsGenerated(p.file) && !p.forSome(p.unit)
}

// declared finds the pool's declaration, and has New return pointers.
func (x *pointerPool) declared() bool {
	var spec *ast.ValueSpec
	var q *Line
	for _, file := range x.p.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok && len(s.Names) == 1 && s.Names[0].Pos() == x.pool.Pos() {
				spec, q = s, x.p.in(&unit{x.p.pkg, file})
			}
			return spec == nil
		})
	}
	if spec == nil || !q.editable() {
		return false
	}
	typ := types.TypeString(types.Unalias(x.pool.Type()), nil)
	if len(spec.Values) == 0 {
		return typ == "sync.Pool"
	}
	value := ast.Unparen(spec.Values[0])
	if pointer, ok := value.(*ast.UnaryExpr); ok && typ == "*sync.Pool" {
		value = ast.Unparen(pointer.X)
	}
	lit, ok := value.(*ast.CompositeLit)
	if !ok || strings.TrimPrefix(typ, "*") != "sync.Pool" {
		return false
	}
	if len(lit.Elts) == 0 {
		return true
	}
	field, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	fresh, ok := field.Value.(*ast.FuncLit)
	x.made = ok
	return ok && x.returnsPointer(q, fresh)
}

// returnsPointer has New return a pointer to the slice that it made.
func (x *pointerPool) returnsPointer(q *Line, fresh *ast.FuncLit) bool {
	list := fresh.Body.List
	if len(list) == 0 || q.commentedBetween(list[len(list)-1].Pos(), list[len(list)-1].End()) {
		return false
	}
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	returns := 0
	if below(fresh.Body, func(n ast.Node) bool {
		_, is := n.(*ast.ReturnStmt)
		if is {
			returns++
		}
		_, nested := n.(*ast.FuncLit)
		return nested
	}) || !ok || returns != 1 || len(ret.Results) != 1 || !types.Identical(q.typeOf(ret.Results[0]), x.of) {
		return false
	}
	e := ret.Results[0]
	if v := q.local(e); q.isNil(e) || v != nil && q.neverSet(v) {
		return false // nil becomes an interface without memory
	} else if v != nil && fresh.Body.Pos() < v.Pos() && !below(fresh.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			return n.Op == token.AND && q.local(n.X) == v
		case *ast.SelectorExpr:
			return q.local(n.X) == v // a method may take it
		}
		return false
	}) {
		x.edits = append(x.edits, q.edit(e.Pos(), e.Pos(), "&"))
		return true
	}
	name := ""
	for i := 1; name == "" || hasName(fresh, name); i++ {
		name = numbered("b", i)
	}
	first, last := name+" := "+q.text(e), "return &"+name
	indent, alone := q.indentOf(ret)
	switch {
	case alone:
		x.edits = append(x.edits, q.edit(ret.Pos(), ret.End(), first+"\n"+indent+last))
	case len(list) == 1 && q.line(fresh.Pos()) == q.line(fresh.Body.Rbrace) && !q.commentedBetween(fresh.Pos(), fresh.End()):
		indent = q.lineIndent(fresh.Pos())
		x.edits = append(x.edits, q.edit(fresh.Body.Lbrace+1, fresh.Body.Rbrace, "\n"+indent+"\t"+first+"\n"+indent+"\t"+last+"\n"+indent))
	default:
		return false
	}
	return true
}

// neverSet reports whether a variable is declared without a value, and nothing is assigned to it.
func (p *Line) neverSet(v *types.Var) bool {
	d, ok := p.define(p.unit, v)
	return ok && !d.param && d.value == nil && !slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool {
		_, set := m.assigned()
		return set
	})
}

// lineIndent returns the white space that the line of a position begins with.
func (p *Line) lineIndent(pos token.Pos) string {
	file := p.fset.File(pos)
	line := p.textBetween(file.LineStart(file.Line(pos)), pos)
	return line[:len(line)-len(strings.TrimLeft(line, "\t "))]
}

// uses finds all calls of the pool's methods. It reports whether nothing else has the pool, and each function that has calls one Get, and at
// least one Put of a slice.
func (x *pointerPool) uses() bool {
	ok := true
	for _, file := range x.p.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if id, is := n.(*ast.Ident); is && x.p.pkg.TypesInfo.Uses[id] == x.pool {
				ok = ok && x.use(file, id, stack)
			}
			return ok
		})
	}
	return ok && !slices.ContainsFunc(x.puts, func(put *poolCall) bool { return len(callsIn(x.gets, put.top)) != 1 }) &&
		!slices.ContainsFunc(x.gets, func(get *poolCall) bool { return len(callsIn(x.puts, get.top)) == 0 })
}

// callsIn are those calls that are in a declared function.
func callsIn(calls []*poolCall, top ast.Node) (all []*poolCall) {
	for _, c := range calls {
		if c.top == top {
			all = append(all, c)
		}
	}
	return all
}

// use adds a call of a method of the pool, if that is what has the pool.
func (x *pointerPool) use(file *ast.File, id *ast.Ident, stack []ast.Node) bool {
	if len(stack) < 2 {
		return false
	}
	sel, ok := stack[len(stack)-1].(*ast.SelectorExpr)
	call, ok2 := stack[len(stack)-2].(*ast.CallExpr)
	if !ok || !ok2 || call.Fun != sel {
		return false
	}
	around := slices.Clone(stack[:len(stack)-2])
	q := x.p.in(&unit{x.p.pkg, file})
	top := q.top(q.unit, id.Pos())
	if top == nil || !q.editable() || q.jumps(id.Pos()) {
		return false
	}
	q.fn = top
	c := &poolCall{q, call, around, top.node}
	switch {
	case q.isPool(call, "Get"):
		x.gets = append(x.gets, c)
		return true
	case q.isPool(call, "Put"):
		x.puts = append(x.puts, c)
		return types.Identical(q.typeOf(call.Args[0]), x.of) && !q.commentedBetween(call.Pos(), call.End())
	}
	return false
}

// owner is the innermost function around some nodes.
func owner(stack []ast.Node) ast.Node {
	for _, n := range slices.Backward(stack) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}

// A handedPointer is the pointer that a function takes out of the pool and puts back.
type handedPointer struct {
	*poolCall
	name   string
	typ    *ast.TypeAssertExpr // of what Get returned
	into   *ast.AssignStmt     // sets a variable to the slice
	checks *ast.IfStmt         // compares what Get returned with nil; nil if there is New
	empty  *ast.BlockStmt      // where that is nil, or nil if there is no such
	list   ast.Node            // has the statements in which the pointer is declared
	from   ast.Stmt            // the one of them that has into
	puts   []*handedBack
}

// A handedBack is a Put.
type handedBack struct {
	*poolCall
	stmt  ast.Stmt      // of the call
	later *ast.CallExpr // of the function literal around it, which is deferred; nil if there is none
}

// hand has a function take a pointer out of the pool, and put it back.
func (x *pointerPool) hand(get *poolCall) bool {
	h := &handedPointer{poolCall: get}
	if !x.takes(h) {
		return false
	}
	for _, put := range callsIn(x.puts, get.top) {
		back := h.back(put)
		if back == nil {
			return false
		}
		h.puts = append(h.puts, back)
	}
	return h.place() && h.once() && x.rewrite(h)
}

// takes finds where the slice that Get returned is assigned.
func (x *pointerPool) takes(h *handedPointer) bool {
	stack := h.stack
	if assign, ok := innermost(stack).(*ast.AssignStmt); ok {
		var v *types.Var
		if h.checks, v = h.comparesNil(assign); v == nil {
			return false
		}
		for _, m := range h.p.mentions(h.p.unit, v) {
			if h.checks.Cond.Pos() <= m.id.Pos() && m.id.End() <= h.checks.Cond.End() {
				continue
			}
			if h.typ != nil || h.empty != nil && h.empty.Pos() <= m.id.Pos() && m.id.End() <= h.empty.End() {
				return false
			}
			stack = m.stack
			if h.typ, ok = innermost(stack).(*ast.TypeAssertExpr); !ok {
				return false
			}
		}
	} else if h.typ, ok = innermost(stack).(*ast.TypeAssertExpr); !ok || !x.made {
		return false
	}
	if h.typ == nil || h.typ.Type == nil || !types.Identical(h.p.typeOf(h.typ.Type), x.of) || h.p.commentedBetween(h.typ.Pos(), h.typ.End()) {
		return false
	}
	stack = stackOf(h.p.file, h.typ)
	into, ok := h.p.around(stack, h.typ).(*ast.AssignStmt)
	if !ok || len(into.Lhs) != 1 || len(into.Rhs) != 1 || into.Tok != token.DEFINE && into.Tok != token.ASSIGN || h.p.local(into.Lhs[0]) == nil {
		return false
	}
	h.into = into
	return owner(stack) == owner(h.stack)
}

// around returns the node around an expression, but for those that slice it or append to it.
func (p *Line) around(stack []ast.Node, e ast.Expr) ast.Node {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			e = n
			continue
		case *ast.SliceExpr:
			if n.X == e {
				e = n
				continue
			}
		case *ast.CallExpr:
			if p.builtin(n, "append") != nil && n.Args[0] == e {
				e = n
				continue
			}
		}
		return n
	}
	return nil
}

// comparesNil returns the statement that begins with an assignment and compares the new variable with nil, and the variable: nil if it is another one.
func (h *handedPointer) comparesNil(assign *ast.AssignStmt) (*ast.IfStmt, *types.Var) {
	s, ok := h.stack[len(h.stack)-2].(*ast.IfStmt)
	if !ok || len(assign.Lhs) != 1 {
		return nil, nil
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	v := h.p.local(assign.Lhs[0])
	if !ok || v == nil || h.p.local(cond.X) != v || !h.p.pkg.TypesInfo.Types[ast.Unparen(cond.Y)].IsNil() {
		return nil, nil
	}
	other, _ := s.Else.(*ast.BlockStmt)
	switch cond.Op {
	case token.NEQ:
		h.empty = other
		if s.Else != nil && other == nil {
			return nil, nil // another if
		}
	case token.EQL:
		h.empty = s.Body
	default:
		return nil, nil
	}
	return s, v
}

// back returns a Put of the function as one that may put the pointer back; nil if it is not in the same function, or deferred there.
func (h *handedPointer) back(put *poolCall) *handedBack {
	b := &handedBack{poolCall: put}
	stmt := innermost(put.stack)
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		if s.X != put.call {
			return nil // it is in parentheses
		}
		b.stmt = s
	case *ast.DeferStmt:
		b.stmt = s
	default:
		return nil
	}
	if around := owner(put.stack); around != owner(h.stack) {
		lit, ok := around.(*ast.FuncLit)
		if !ok {
			return nil
		}
		stack := put.stack[:slices.Index(put.stack, ast.Node(lit))]
		if len(stack) < 2 || owner(stack) != owner(h.stack) {
			return nil
		}
		call, ok := stack[len(stack)-1].(*ast.CallExpr)
		_, deferred := stack[len(stack)-2].(*ast.DeferStmt)
		if !ok || !deferred || call.Fun != lit || slices.ContainsFunc(stack[slices.Index(stack, owner(stack)):], isLoop) {
			return nil
		}
		b.later = call
	}
	return b
}

func isLoop(n ast.Node) bool { return loopBody(n) != nil }

// place finds where the pointer has to be declared: in the innermost statements that have the Get and each Put, without a loop in between.
func (h *handedPointer) place() bool {
	stack := append(stackOf(h.p.file, h.into), h.into)
	for i, n := range slices.Backward(stack) {
		if statements(n) == nil || slices.ContainsFunc(h.puts, func(b *handedBack) bool { return !slices.Contains(b.stack, n) }) {
			continue
		}
		switch stack[i+1].(type) {
		case *ast.CaseClause, *ast.CommClause:
			continue // a switch has only these
		}
		from, ok := stack[i+1].(ast.Stmt)
		if !ok || slices.ContainsFunc(stack[i:], isLoop) {
			return false
		}
		h.list, h.from = n, from
		break
	}
	if h.from == nil {
		return false
	}
	return !slices.ContainsFunc(h.puts, func(b *handedBack) bool {
		return b.call.Pos() < h.into.End() || slices.ContainsFunc(b.stack[slices.Index(b.stack, h.list):], isLoop)
	})
}

// once reports whether no way leads from a Put, or from where one is deferred, to another one without a Get.
func (h *handedPointer) once() bool {
	fn := h.p.fns[owner(h.stack)]
	if fn == nil || outermost(fn).TypeParams().Len() > 0 {
		return false
	}
	get := callAt(fn, h.call.Lparen)
	var puts, later []ssa.Instruction
	for _, b := range h.puts {
		at := b.call
		if b.later != nil {
			inner := h.p.fns[b.later.Fun]
			at = b.later
			if put := callAt(inner, b.call.Lparen); put == nil || slices.Contains(later, callAt(fn, at.Lparen)) {
				return false
			}
			later = append(later, callAt(fn, at.Lparen))
		}
		puts = append(puts, callAt(fn, at.Lparen))
	}
	return get != nil && !slices.Contains(puts, nil) && !slices.ContainsFunc(puts, func(put ssa.Instruction) bool { return leadsWithout(put, puts, get) })
}

// callAt is the instruction that makes or defers the call with a parenthesis; nil if there is none.
func callAt(fn *ssa.Function, lparen token.Pos) ssa.Instruction {
	if fn == nil {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok && call.Common().Pos() == lparen {
				return in
			}
		}
	}
	return nil
}

// leadsWithout reports whether a way leads on from an instruction to one of some, also to itself, without another one.
func leadsWithout(from ssa.Instruction, to []ssa.Instruction, without ssa.Instruction) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var leads func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool
	leads = func(b *ssa.BasicBlock, instrs []ssa.Instruction) bool {
		for _, in := range instrs {
			if in == without {
				return false
			}
			if slices.Contains(to, in) {
				return true
			}
		}
		return slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool {
			if seen[next] {
				return false
			}
			seen[next] = true
			return leads(next, next.Instrs)
		})
	}
	b := from.Block()
	return leads(b, b.Instrs[slices.Index(b.Instrs, from)+1:])
}

// rewrite adds the edits of a function.
func (x *pointerPool) rewrite(h *handedPointer) bool {
	p := h.p
	if h.name = p.freshName(h.from, "pooled"); h.name == "" {
		return false
	}
	indent, ok := p.indentOf(h.into)
	parent := innermost(stackOf(p.file, h.into))
	if !ok || !slices.Contains(statements(parent), ast.Stmt(h.into)) {
		return false
	}
	tok, guard := " := ", false
	if h.from != h.into {
		if tok = " = "; !p.sameNames(h.typ.Type, h.from.Pos()) || !x.declares(h) {
			return false
		}
		if guard = !x.makesEmpty(h, parent); guard && slices.ContainsFunc(h.puts, h.mayPutNil) {
			return false
		}
	}
	slice := "*" + h.name
	if s, ok := stackOf(p.file, h.typ)[len(stackOf(p.file, h.typ))-1].(*ast.SliceExpr); ok && s.X == h.typ {
		slice = "(" + slice + ")"
	}
	x.edits = append(x.edits,
		p.edit(h.into.Pos(), h.into.Pos(), h.name+tok+p.text(h.typ.X)+".(*"+p.text(h.typ.Type)+")\n"+indent),
		p.edit(h.typ.Pos(), h.typ.End(), slice))
	return !slices.ContainsFunc(h.puts, func(b *handedBack) bool { return !x.putsPointer(h, b, guard) })
}

// mayPutNil reports whether a Put may come without a Get, and with a slice that is nil: that is an interface without memory.
func (h *handedPointer) mayPutNil(b *handedBack) bool {
	fn := h.p.fns[owner(b.stack)]
	put, ok := callAt(fn, b.call.Lparen).(ssa.CallInstruction)
	if !ok || len(put.Common().Args) != 2 {
		return true
	}
	made, ok := put.Common().Args[1].(*ssa.MakeInterface)
	return !ok || mayBeNil(made.X, map[ssa.Value]bool{})
}

// mayBeNil reports whether a slice may be nil: on some way it is the nil of the language, or it comes from where that is not known.
func mayBeNil(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.MakeSlice:
		return false
	case *ssa.Phi:
		return slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return mayBeNil(e, seen) })
	case *ssa.Slice:
		_, array := v.X.(*ssa.Alloc)
		return !array && mayBeNil(v.X, seen)
	case *ssa.Call:
		if !callsBuiltin(v, "append") {
			return true
		}
		if listed, ok := v.Call.Args[1].(*ssa.Slice); ok {
			if _, elements := listed.X.(*ssa.Alloc); elements {
				return false // of one element at least
			}
		}
		return mayBeNil(v.Call.Args[0], seen)
	case *ssa.ChangeType:
		return mayBeNil(v.X, seen)
	case *ssa.TypeAssert:
		return false // of the pool
	}
	return true
}

// declares has the pointer declared before the statement that sets it.
func (x *pointerPool) declares(h *handedPointer) bool {
	indent, ok := h.p.indentOf(h.from)
	pos := h.from.Pos()
	if above := h.p.linesAbove(h.from); above != nil {
		pos = above.Pos()
	}
	x.edits = append(x.edits, h.p.edit(pos, pos, "var "+h.name+" *"+h.p.text(h.typ.Type)+"\n"+indent))
	return ok
}

// makesEmpty has the pointer made with the slice where the pool is empty, if the first Put always follows: it needs no test for nil, then.
func (x *pointerPool) makesEmpty(h *handedPointer, parent ast.Node) bool {
	if h.checks == nil || h.from != h.checks || h.empty == nil || len(h.empty.List) == 0 || !x.makes(h, h.empty.List[0].Pos()) {
		return false
	}
	if block, ok := parent.(*ast.BlockStmt); !ok || block != h.checks.Body && ast.Stmt(block) != h.checks.Else {
		return false
	}
	b, list := h.puts[0], statements(h.list)
	at := b.stack[slices.Index(b.stack, h.list)+1].(ast.Stmt)
	if b.later != nil {
		if b.later.Fun.(*ast.FuncLit).Body.List[0] != b.stmt {
			return false
		}
	} else if at != b.stmt {
		return false
	}
	for _, s := range list[slices.Index(list, h.from):slices.Index(list, at)] {
		if below(s, leavesStatement) {
			return false
		}
	}
	indent, ok := h.p.indentOf(h.empty.List[0])
	if !ok {
		return false
	}
	pos := h.empty.List[0].Pos()
	x.edits = append(x.edits, h.p.edit(pos, pos, h.name+" = new("+h.p.text(h.typ.Type)+")\n"+indent))
	return true
}

// leavesStatement reports whether a node leaves the statements that it is in.
func leavesStatement(n ast.Node) bool {
	switch n.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// makes reports whether a new pointer can be made at a position, by the names of the slice's type.
func (x *pointerPool) makes(h *handedPointer, pos token.Pos) bool {
	return h.p.sameNames(h.typ.Type, pos) && ofLanguage(h.p.objectAt("new", pos)) && !h.p.declaredElsewhere("new") && ofLanguage(h.p.objectAt("nil", pos))
}

// sameNames reports whether the names of a type mean the same at a position.
func (p *Line) sameNames(typ ast.Expr, pos token.Pos) bool {
	return !below(typ, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		of := p.pkg.TypesInfo.Uses[id] // of another package: it is selected
		return of != nil && (of.Pkg() == nil || of.Pkg() == p.pkg.Types && of.Parent() != nil) && p.objectAt(id.Name, pos) != of
	})
}

// putsPointer has the pointer put back, with the slice. Where guard is set, it may be nil.
func (x *pointerPool) putsPointer(h *handedPointer, b *handedBack, guard bool) bool {
	p, arg := b.p, b.call.Args[0]
	parent := b.stack[slices.Index(b.stack, ast.Node(b.stmt))-1]
	if !slices.Contains(statements(parent), b.stmt) {
		return false
	}
	indent, alone := p.indentOf(b.stmt)
	_, block := parent.(*ast.BlockStmt)
	if !alone && (guard || !block) || guard && !x.makes(h, b.stmt.Pos()) {
		return false
	}
	next, before := "; ", ""
	if alone {
		next = "\n" + indent
	}
	if guard {
		before = "if " + h.name + " == nil {" + next + "\t" + h.name + " = new(" + p.text(h.typ.Type) + ")" + next + "}" + next
	}
	if _, deferred := b.stmt.(*ast.DeferStmt); deferred {
		if !h.asTaken(b) || guard {
			x.edits = append(x.edits, p.edit(b.stmt.Pos(), b.stmt.Pos(), before+"*"+h.name+" = "+p.text(arg)+next))
		}
		x.edits = append(x.edits, p.edit(arg.Pos(), arg.End(), h.name))
		return true
	}
	x.edits = append(x.edits,
		p.edit(b.call.Pos(), arg.Pos(), before+"*"+h.name+" = "),
		p.edit(arg.End(), b.call.End(), next+x.pool.Name()+".Put("+h.name+")"))
	return true
}

// asTaken reports whether a Put is deferred right after the Get, of the slice as it was taken.
func (h *handedPointer) asTaken(b *handedBack) bool {
	list := statements(h.list)
	i := slices.Index(list, ast.Stmt(h.into))
	v := h.p.local(b.call.Args[0])
	return i >= 0 && i+1 < len(list) && list[i+1] == b.stmt && v != nil && v == h.p.local(h.into.Lhs[0]) && ast.Unparen(h.into.Rhs[0]) == h.typ
}
