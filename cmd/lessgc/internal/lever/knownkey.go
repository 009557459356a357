package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

var knownKey = &Lever{
	Name:  "known-key",
	Title: "look the key up by its bytes, and take the string that is there",
	Looks: "a string made of bytes that is looked up in a map which was there before the call, or which keeps the string only when it is new: m[string(b)] looks up without a copy.",
	Wrong: "when most keys are new to the map.",
	Before: `name := string(b)
if f, ok := fields[name]; ok {
	return f.set(v)
}
return fmt.Errorf("no field %s", name)`,
	After: `if f, ok := fields[string(b)]; ok { // makes no string
	return f.set(v)
}
return fmt.Errorf("no field %s", b)`,
	Model: "The string goes for each key that the map has. Where the string itself is kept, the map has to have its own: map[string]entry with a field name.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.6, 1}},
	find:  findKnownKey,
}

func findKnownKey(p *Line) (f Finding) {
	for _, s := range p.spots() {
		call, ok := s.node.(*ast.CallExpr)
		if !ok || !p.copiesText(call) || !isString(p.typeOf(call)) || p.constant(call.Args[0]) || !p.isBytes(call.Args[0]) {
			continue
		}
		if f = p.keyHere(s, call); len(f.Evidence) == 0 {
			f = p.keyOfCaller(s, call)
		}
		if f.Share > 0 && len(f.Evidence) > 0 {
			return f
		}
	}
	for _, s := range p.spots() {
		if f = p.grownKey(s); f.Share > 0 && len(f.Evidence) > 0 {
			return f
		}
	}
	return Finding{}
}

// keyHere is about a string that the function itself looks up.
func (p *Line) keyHere(s spot, call *ast.CallExpr) (f Finding) {
	assign, ok := s.parent().(*ast.AssignStmt)
	if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return f
	}
	v := p.local(assign.Lhs[0])
	if v == nil {
		return f
	}
	f.Share = p.alone(func(n ast.Node) bool { return n == call })
	f.Evidence = p.lookedUp(p.unit, p.fn, v, call.Args[0])
	return f
}

// lookedUp returns the evidence that a string is looked up in a map. It is nil if the string is also used otherwise
// where the map has it, unless the map was there before the call.
func (p *Line) lookedUp(u *unit, fn *function, v *types.Var, bytes ast.Expr) []Evidence {
	k := &keyUse{u: u, v: v}
	for _, m := range p.mentions(u, v) {
		k.add(m)
	}
	if k.lookup == nil {
		return nil
	}
	m := types.ExprString(k.lookup.X)
	seen := p.at(k.lookup.Pos(), fmt.Sprintf("%s is looked up in %s: %s[string(b)] of the bytes makes no string", v.Name(), m, m))
	switch {
	case k.onlyMisses():
		return []Evidence{seen}
	case p.givenMap(u, fn, k.lookup.X):
		return []Evidence{seen, p.at(k.lookup.Pos(), m+" was there before: its keys are strings already, which a second value of it may hold")}
	}
	return nil
}

// givenMap reports whether a map was there before a function was called: it is a parameter, or of a variable of the
// package or a parameter.
func (p *Line) givenMap(u *unit, fn *function, e ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			break
		}
		if v, ok := u.pkg.TypesInfo.Uses[sel.Sel].(*types.Var); ok && !v.IsField() {
			return true
		}
		e = sel.X
	}
	v, ok := u.object(e).(*types.Var)
	if !ok {
		return false
	}
	if v.Parent() == v.Pkg().Scope() {
		return true
	}
	if results := fn.typ.Results; results != nil && results.Pos() <= v.Pos() && v.Pos() < results.End() {
		return false
	}
	d, ok := p.define(u, v)
	return ok && d.param || v.Pos() < fn.body.Pos() // of the function around a literal
}

// A keyUse describes the uses of a string in a function.
type keyUse struct {
	u      *unit
	v      *types.Var
	lookup *ast.IndexExpr // the first in a map
	stack  []ast.Node     // around it
	kept   []*ast.Ident   // mentions that may keep it
}

// add takes a mention of the string.
func (k *keyUse) add(m mention) {
	switch n := m.parent().(type) {
	case *ast.IndexExpr:
		_, isMap := k.u.typeOf(n.X).Underlying().(*types.Map)
		around := m.stack[:slices.Index(m.stack, ast.Node(n))]
		if isMap && n.Index == m.id && !stores(innermost(around), n) {
			if k.lookup == nil {
				k.lookup, k.stack = n, around
			}
			return
		}
		if n.X == m.id {
			return
		}
	case *ast.BinaryExpr:
		if n.Op != token.ADD {
			return
		}
	case *ast.SwitchStmt:
		return
	case *ast.CallExpr:
		if k.u.builtin(n, "len") != nil {
			return
		}
	}
	k.kept = append(k.kept, m.id)
}

// onlyMisses reports whether the string is kept only where the map did not have it.
func (k *keyUse) onlyMisses() bool {
	if len(k.kept) == 0 {
		return true
	}
	branch, hit := k.asked()
	if branch == nil {
		return false
	}
	return !slices.ContainsFunc(k.kept, func(id *ast.Ident) bool { return !missed(branch, hit, id) })
}

// missed reports whether a node is run only if what was looked up is not there.
func missed(branch *ast.IfStmt, hit bool, n ast.Node) bool {
	in := func(b ast.Node) bool { return b != nil && b.Pos() <= n.Pos() && n.End() <= b.End() }
	switch {
	case !hit:
		return in(branch.Body)
	case branch.Else != nil && in(branch.Else):
		return true
	}
	return n.Pos() > branch.End() && leaves(branch.Body)
}

// leaves reports whether a block ends by leaving what is around it.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// asked is the statement that asks whether the map has the string, and whether its body is for when it has.
func (k *keyUse) asked() (branch *ast.IfStmt, hit bool) {
	assign, ok := innermost(k.stack).(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return nil, false
	}
	for i, n := range slices.Backward(k.stack) {
		switch n := n.(type) {
		case *ast.IfStmt:
			branch = n
		case *ast.BlockStmt:
			for j, s := range n.List {
				if s == assign && j+1 < len(n.List) {
					branch, _ = n.List[j+1].(*ast.IfStmt)
				}
			}
		}
		if _, block := n.(*ast.BlockStmt); block || branch != nil || i == 0 {
			break
		}
	}
	if branch == nil {
		return nil, false
	}
	found := k.u.local(assign.Lhs[len(assign.Lhs)-1])
	switch cond := ast.Unparen(branch.Cond).(type) {
	case *ast.Ident:
		return k.ofFound(branch, cond, found), true
	case *ast.UnaryExpr:
		return k.ofFound(branch, cond.X, found), false
	case *ast.BinaryExpr:
		if k.u.isNil(cond.Y) && (cond.Op == token.EQL || cond.Op == token.NEQ) {
			return k.ofFound(branch, cond.X, k.u.local(assign.Lhs[0])), cond.Op == token.NEQ
		}
	}
	return nil, false
}

// ofFound is a statement if an expression is a variable.
func (k *keyUse) ofFound(branch *ast.IfStmt, e ast.Expr, v *types.Var) *ast.IfStmt {
	if v == nil || k.u.local(e) != v {
		return nil
	}
	return branch
}

// keyOfCaller is about a string that the function returns to one that looks it up.
func (p *Line) keyOfCaller(s spot, call *ast.CallExpr) (f Finding) {
	ret, ok := s.parent().(*ast.ReturnStmt)
	if !ok {
		return f
	}
	if p.alone(func(n ast.Node) bool { return n == call || n == ret }) == 0 {
		return f
	}
	return p.byCallers(slices.Index(ret.Results, ast.Expr(call)))
}

// grownKey is about bytes that a function puts together for a string which it returns to one that looks it up.
func (p *Line) grownKey(s spot) (f Finding) {
	call := p.builtin(s.node, "append")
	if call == nil || !p.isBytes(call) || p.alone(func(n ast.Node) bool { return n == call }) == 0 {
		return f
	}
	v := p.local(call.Args[0])
	if v == nil {
		return f
	}
	at := -1
	for _, m := range p.mentions(p.unit, v) {
		if conversion, ok := m.parent().(*ast.CallExpr); ok && p.copiesText(conversion) {
			if ret, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(conversion))]).(*ast.ReturnStmt); ok {
				at = slices.Index(ret.Results, ast.Expr(conversion))
			}
		}
	}
	return p.byCallers(at)
}

// byCallers is about the callers of the function that look up what it returns.
func (p *Line) byCallers(result int) (f Finding) {
	decl, ok := p.fn.node.(*ast.FuncDecl)
	if !ok || result < 0 {
		return f
	}
	object := p.pkg.TypesInfo.Defs[decl.Name]
	known := map[prof.Frame][]Evidence{}
	f.Share = p.leaves(func(l site.Leaf) bool {
		caller := l.Caller()
		evidence, ok := known[caller]
		if !ok && len(l.Path) > 0 && l.Path[0].Package() != "runtime" {
			return false
		}
		if !ok {
			evidence = p.lookedUpBy(caller, object, result)
			known[caller] = evidence
			if f.Evidence == nil {
				f.Evidence = evidence
			}
		}
		return evidence != nil
	})
	return f
}

// lookedUpBy returns the evidence that a caller looks up a result of a function, or nil.
func (p *Line) lookedUpBy(caller prof.Frame, fn types.Object, result int) []Evidence {
	at := p.function(caller)
	if at == nil {
		return nil
	}
	var v *types.Var
	var from ast.Expr
	ast.Inspect(at.body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || p.line(assign.Pos()) != caller.Line || len(assign.Rhs) != 1 || result >= len(assign.Lhs) {
			return true
		}
		if call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr); ok && fn != nil && at.callee(call) == fn {
			v, from = at.local(assign.Lhs[result]), call
		}
		return true
	})
	if v == nil {
		return nil
	}
	if isString(v.Type()) {
		return p.lookedUp(at.unit, at, v, from)
	}
	for _, m := range p.mentions(at.unit, v) {
		assert, ok := m.parent().(*ast.TypeAssertExpr)
		if !ok {
			continue
		}
		assign, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(assert))]).(*ast.AssignStmt)
		if ok && p.line(assign.Pos()) > caller.Line && p.line(assign.Pos()) < caller.Line+8 {
			if key := at.local(assign.Lhs[0]); key != nil && isString(key.Type()) {
				return p.givenOnly(at, key)
			}
		}
	}
	return nil
}

// givenOnly returns the evidence that a key is looked up in a map that was there before, or nil.
func (p *Line) givenOnly(at *function, key *types.Var) []Evidence {
	for _, m := range p.mentions(at.unit, key) {
		index, ok := m.parent().(*ast.IndexExpr)
		if !ok || index.Index != m.id {
			continue
		}
		if _, isMap := at.typeOf(index.X).Underlying().(*types.Map); !isMap || !p.givenMap(at.unit, at, index.X) {
			continue
		}
		if stores(innermost(m.stack[:slices.Index(m.stack, ast.Node(index))]), index) {
			continue
		}
		text := types.ExprString(index.X)
		return []Evidence{p.at(index.Pos(), fmt.Sprintf("%s is looked up in %s, which was there before: by the bytes, as [string(b)], that makes no string, and the map has one", key.Name(), text))}
	}
	return nil
}
