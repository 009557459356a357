package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// mostByValue is the size in bytes of structs that are returned by value: one is copied where the function returns it and where the
// caller keeps it. Up to so many bytes each copy is at most eight moves of 16 bytes, less than the allocation takes.
const mostByValue = 128

// A valueReturn changes a function that returns a pointer to a new struct so that it returns the struct.
type valueReturn struct {
	p     *Line
	decl  *ast.FuncDecl
	fn    *ssa.Function
	star  *ast.StarExpr // the type of the result
	at    int           // its number
	of    types.Type    // the struct
	nils  bool          // some statements return nil instead, with a failure
	made  []ssa.Value   // the structs that it returns
	edits []Edit
}

// returnsItself is the finding of a line that makes a struct of which all callers use the fields and methods only, while they run: the
// function can return the struct itself.
func (p *Line) returnsItself() (f Finding) {
	in, share := p.only()
	made, ok := in.(*ssa.Alloc)
	if !ok || share == 0 {
		return f
	}
	r := p.valueReturn(elemOf(made))
	if r == nil || !r.returns() || !slices.Contains(r.made, ssa.Value(made)) || !r.leavesNothing() {
		return f
	}
	calls := r.calls()
	if calls == 0 {
		return f
	}
	r.edits = append(r.edits, r.p.edit(r.star.Pos(), r.star.X.Pos(), ""))
	slices.SortFunc(r.edits, byPlace)
	return Finding{Share: share, Edits: slices.Compact(r.edits), What: "return " + types.TypeString(r.of, types.RelativeTo(p.pkg.Types)) + " by value", Evidence: []Evidence{
		p.at(made.Pos(), fmt.Sprintf("a %s of %d bytes is on the heap because %s returns a pointer to it%s", short(r.of), p.pkg.TypesSizes.Sizeof(r.of), nameOf(r.fn), p.inEach())),
		p.at(r.decl.Pos(), fmt.Sprintf("%d calls use fields and methods of the struct, and none stores or returns the pointer, so the struct itself can be returned", calls)),
	}}
}

// valueReturn is the function of the line, which returns a pointer to a type, if its signature may change: nil if others may call it, or
// code that is not loaded.
func (p *Line) valueReturn(of types.Type) *valueReturn {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() || decl.Type.TypeParams != nil || p.generated(p.unit) || p.inTest(decl.Pos()) {
		return nil
	}
	object, _ := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	r := &valueReturn{p: p, decl: decl, fn: p.fns[decl], of: of}
	if object == nil || r.fn == nil || generic(r.fn) || object.Signature().RecvTypeParams().Len() > 0 || !r.oneResult() {
		return nil
	}
	if object.Signature().Recv() != nil && p.inInterface(object.Name()) || p.builtElsewhere(object) || p.namedElsewhere(object) || p.namedElsewhere(namedOf(r.of).Obj()) || p.namedInTests(object) || p.linkedElsewhere(object) {
		return nil
	}
	if below(decl.Body, func(n ast.Node) bool { _, ok := n.(*ast.DeferStmt); return ok }) {
		return nil // it may change the struct when that is copied, or recover, and nil is returned
	}
	return r
}

// oneResult finds the only result that points to the type, a small struct of the package. No result may have a name.
func (r *valueReturn) oneResult() bool {
	results := r.decl.Type.Results
	named, ok := types.Unalias(r.of).(*types.Named)
	if !ok || results == nil || named.Obj().Pkg() != r.p.pkg.Types || named.TypeArgs().Len() > 0 || r.p.pkg.TypesSizes == nil {
		return false
	}
	for i, field := range results.List {
		if len(field.Names) > 0 {
			return false
		}
		if !isPointerTo(r.p.typeOf(field.Type), r.of) {
			continue
		}
		star, ok := field.Type.(*ast.StarExpr)
		if !ok || inParentheses(star.X) || r.star != nil || r.p.object(star.X) != named.Obj() || r.p.commentedBetween(star.Pos(), star.End()) {
			return false
		}
		r.star, r.at = star, i
	}
	return r.star != nil && r.p.smallStruct(r.of, mostByValue) && r.p.pkg.TypesSizes.Sizeof(r.of) > 0 && r.p.mayBeCopied(r.of)
}

// inInterface reports whether an interface of the package has a method of a name.
func (p *Line) inInterface(name string) bool {
	dir := filepath.Dir(p.fset.Position(p.file.Package).Filename)
	return keptBy(&p.methods, dir, func(string) map[string]bool {
		names, seen := map[string]bool{}, map[*types.Info]bool{}
		for _, u := range p.filesBeside(p.unit) {
			if info := u.pkg.TypesInfo; !seen[info] {
				seen[info] = true
				addMethods(names, info)
			}
		}
		return names
	})[name]
}

// addMethods adds the names of the methods of the interfaces that a package has written.
func addMethods(names map[string]bool, info *types.Info) {
	for e, tv := range info.Types {
		it, ok := tv.Type.(*types.Interface)
		if _, written := e.(*ast.InterfaceType); !ok || !written {
			continue
		}
		for m := range it.Methods() {
			names[m.Name()] = true
		}
	}
}

// copiedLibrary are structs of the standard library that mean the same when a copy is used in their place.
var copiedLibrary = map[string]bool{"time.Time": true, "bytes.Buffer": true, "bytes.Reader": true, "strings.Reader": true, "net/netip.Addr": true, "reflect.Value": true}

// mayBeCopied reports whether a value of a type means the same elsewhere in memory: it has no lock, nothing of other packages that might
// know its own address, and no types that other systems may declare otherwise.
func (p *Line) mayBeCopied(t types.Type) bool {
	library := false
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		lock, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), "Lock")
		if _, ok := lock.(*types.Func); ok || p.builtElsewhere(named.Obj()) {
			return false
		}
		library = p.unitOf(named.Obj().Pos()) == nil
		if library && copiedLibrary[named.Obj().Pkg().Path()+"."+named.Obj().Name()] {
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			basic, plain := field.Type().Underlying().(*types.Basic)
			if library && (!plain || basic.Kind() == types.UnsafePointer || basic.Kind() == types.Uintptr) || !p.mayBeCopied(field.Type()) {
				return false
			}
		}
	case *types.Array:
		return p.mayBeCopied(u.Elem())
	}
	return true
}

// returns makes the edits of all statements that return the struct. It reports false if one returns something else than a new one, or nil
// and no failure.
func (r *valueReturn) returns() bool {
	ok := true
	var all []*ast.ReturnStmt
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if _, literal := n.(*ast.FuncLit); literal {
			return false
		}
		if ret, is := n.(*ast.ReturnStmt); is {
			all = append(all, ret)
		}
		return true
	})
	for _, ret := range all {
		ok = ok && len(ret.Results) == r.fn.Signature.Results().Len() && r.returned(ret)
	}
	return ok && len(r.made) > 0
}

func (r *valueReturn) returned(ret *ast.ReturnStmt) bool {
	e := ret.Results[r.at]
	others := slices.Concat(ret.Results[:r.at], ret.Results[r.at+1:])
	if r.p.isNil(e) {
		_, plain := e.(*ast.Ident)
		if !plain || !r.fails(ret) || r.p.renamesAt(ret.Pos(), r.star.X) {
			return false
		}
		r.nils = true
		r.edits = append(r.edits, r.p.edit(e.Pos(), e.End(), r.p.text(r.star.X)+"{}"))
		return true
	}
	if freshType(r.p.unit, e) != nil {
		return r.inOrder(e, others) && r.fresh(e)
	}
	if slices.ContainsFunc(others, func(e ast.Expr) bool { return below(e, r.p.isCall) }) {
		return false // which may change the struct after it is copied
	}
	if and, ok := e.(*ast.UnaryExpr); ok && and.Op == token.AND {
		v := r.p.local(and.X)
		if _, plain := and.X.(*ast.Ident); v == nil || !plain || r.p.commentedBetween(and.Pos(), and.X.Pos()) {
			return false
		}
		r.edits = append(r.edits, r.p.edit(and.Pos(), and.X.Pos(), ""))
		return r.allocated(v.Pos())
	}
	id, ok := e.(*ast.Ident)
	return ok && r.p.local(id) != nil && r.variable(r.p.local(id))
}

// inOrder reports whether a literal and other results of a statement are the same, whichever of them is evaluated first.
func (r *valueReturn) inOrder(e ast.Expr, others []ast.Expr) bool {
	settled := func(e ast.Expr) bool { return r.p.isNil(e) || r.p.settled(e) }
	called := slices.ContainsFunc(others, func(e ast.Expr) bool { return below(e, r.p.isCall) })
	if below(e, r.p.isCall) {
		called = called || slices.ContainsFunc(others, func(e ast.Expr) bool { return !settled(e) })
	}
	if !called || r.p.builtin(e, "new") != nil {
		return true
	}
	return !slices.ContainsFunc(e.(*ast.UnaryExpr).X.(*ast.CompositeLit).Elts, func(e ast.Expr) bool {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		return !settled(e)
	})
}

// fresh makes an expression that makes a new struct the struct.
func (r *valueReturn) fresh(e ast.Expr) bool {
	typ := freshType(r.p.unit, e)
	if !types.Identical(r.p.typeOf(typ), r.of) {
		return false
	}
	if and, ok := e.(*ast.UnaryExpr); ok {
		r.edits = append(r.edits, r.p.edit(and.Pos(), and.X.Pos(), ""))
		return !r.p.commentedBetween(and.Pos(), and.X.Pos()) && r.allocated(and.X.(*ast.CompositeLit).Lbrace)
	}
	r.edits = append(r.edits, r.p.edit(e.Pos(), typ.Pos(), ""), r.p.edit(typ.End(), e.End(), "{}"))
	return !inParentheses(typ) && !r.p.commentedBetween(e.Pos(), e.End()) && r.allocated(e.(*ast.CallExpr).Lparen)
}

// inParentheses reports whether a type is written in parentheses, which a literal of it must not have.
func inParentheses(typ ast.Expr) bool {
	_, ok := typ.(*ast.ParenExpr)
	return ok
}

// allocated notes the struct that is allocated at a position.
func (r *valueReturn) allocated(pos token.Pos) bool {
	for _, b := range r.fn.Blocks {
		for _, in := range b.Instrs {
			if made, ok := in.(*ssa.Alloc); ok && made.Pos() == pos && types.Identical(elemOf(made), r.of) {
				if !slices.Contains(r.made, ssa.Value(made)) {
					r.made = append(r.made, made)
				}
				return true
			}
		}
	}
	return false
}

// variable makes a variable that points to a new struct one of the struct.
func (r *valueReturn) variable(v *types.Var) bool {
	d, ok := r.p.define(r.p.unit, v)
	if !ok || d.param || d.value == nil || freshType(r.p.unit, d.value) == nil || !r.p.neverSetAgain(v) {
		return false
	}
	stack := stackOf(r.p.file, d.value)
	assign, ok := innermost(stack).(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(stack) < 2 || statements(stack[len(stack)-2]) == nil {
		return false
	}
	if r.p.builtin(d.value, "new") != nil {
		typ := freshType(r.p.unit, d.value)
		r.edits = append(r.edits, r.p.edit(assign.Pos(), assign.End(), fmt.Sprintf("var %s %s", v.Name(), r.p.text(typ))))
		if r.p.commentedBetween(assign.Pos(), assign.End()) || !types.Identical(r.p.typeOf(typ), r.of) || !r.allocated(d.value.(*ast.CallExpr).Lparen) {
			return false
		}
	} else if !r.fresh(d.value) {
		return false
	}
	return r.uses(r.p, v, true)
}

// uses adapts the uses of a variable that gets the struct instead of the pointer. It reports false for one that does more than to select
// something of it, to take its value, or to give its address to a function, and for a variable that is only set then, which does not build.
func (r *valueReturn) uses(p *Line, v *types.Var, returned bool) bool {
	used := false
	for _, m := range p.mentions(p.unit, v) {
		if p.captured(m, v) {
			return false
		}
		used = used || !m.setsPointee()
		around := m.stack[:len(m.stack)-1]
		switch n := m.stack[len(m.stack)-1].(type) {
		case *ast.SelectorExpr:
		case *ast.StarExpr:
			if !r.followed(p, n, m.id, around) {
				return false
			}
		case *ast.CallExpr:
			to := p.parameter(n, slices.Index(n.Args, ast.Expr(m.id)))
			if _, builtin := p.object(n.Fun).(*types.Builtin); builtin || to == nil || !types.Identical(to, v.Type()) {
				return false
			}
			r.edits = append(r.edits, p.edit(m.id.Pos(), m.id.Pos(), "&"))
		case *ast.ReturnStmt:
			if !returned || n.Results[r.at] != ast.Expr(m.id) {
				return false
			}
		default:
			return false
		}
	}
	return used
}

// setsPointee reports whether a mention of a pointer sets all that it points to.
func (m mention) setsPointee() bool {
	i := len(m.stack) - 1
	e, ok := m.stack[i].(*ast.StarExpr)
	if !ok {
		return false
	}
	is := func(to ast.Expr) bool { return to != nil && ast.Unparen(to) == ast.Expr(e) }
	switch n := innermost(m.stack[:i]).(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, is)
	case *ast.RangeStmt:
		return is(n.Key) || is(n.Value)
	}
	return false
}

// followed makes what a pointer points to the variable itself.
func (r *valueReturn) followed(p *Line, star *ast.StarExpr, id *ast.Ident, around []ast.Node) bool {
	pos, end := star.Pos(), star.End()
	if paren, ok := around[len(around)-1].(*ast.ParenExpr); ok {
		if _, selects := around[len(around)-2].(*ast.SelectorExpr); selects {
			pos, end = paren.Pos(), paren.End()
		}
	}
	r.edits = append(r.edits, p.edit(pos, id.Pos(), ""))
	if end > id.End() {
		r.edits = append(r.edits, p.edit(id.End(), end, ""))
	}
	return !p.commentedBetween(pos, end)
}

// leavesNothing reports whether nothing points to the structs, or into them, when the function returns: not even a field of theirs.
func (r *valueReturn) leavesNothing() bool {
	f := r.p.follower([]types.Type{types.NewPointer(r.of)}, r.made...)
	f.zeroed = true // what its fields refer to is other memory
	fate := f.all(refers)
	if len(fate.kept) > 0 || fate.lends() || len(fate.toValues) > 0 {
		return false
	}
	for v, how := range f.seen {
		if how != refers || slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return r.remembers(v, in) }) {
			return false
		}
	}
	return true
}

// remembers reports whether an instruction puts a pointer somewhere, compares it, or returns it otherwise than as the result.
func (r *valueReturn) remembers(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice, *ssa.Call, *ssa.Phi, *ssa.Field, *ssa.Extract, *ssa.If, *ssa.Jump:
		return false
	case *ssa.Store:
		return in.Val == v
	case *ssa.BinOp:
		return !isNilConst(in.X) && !isNilConst(in.Y)
	case *ssa.Return:
		if in.Parent() != r.fn {
			return false // followed to the calls
		}
		for i, result := range in.Results {
			if result == v && (i != r.at || !slices.Contains(r.made, v)) {
				return true
			}
		}
		return false
	}
	return true
}
