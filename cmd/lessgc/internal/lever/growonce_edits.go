package lever

import (
	"go/ast"
	"go/types"
	"slices"
)

// grownOnce are the edits that grow a target before anything is added to it.
func (p *Line) grownOnce(t target, r run) []Edit {
	if r.each != nil || r.exits || r.nested || r.unbound || t.field != nil || !p.plainRun(t, r) {
		return nil
	}
	if t.kind == "" {
		return p.presized(t.v, t.start, r.first, r.last.End(), !r.inexact, r.size(), r.of...)
	}
	if !p.grownUnseen(t, r) || !p.means(r.first.Pos(), r.size(), sizes...) {
		return nil
	}
	if e, ok := p.insert(r.first, t.name()+".Grow("+r.size()+")"); ok {
		return []Edit{e}
	}
	return nil
}

// bounded reports whether what a loop adds, a run in each iteration, is a small multiple of the memory that it goes
// over, or sure to be added.
func (p *Line) bounded(t target, loop ast.Stmt, each run) bool {
	elem := types.Type(types.Typ[types.Byte])
	if slice, ok := t.v.Type().Underlying().(*types.Slice); ok && t.kind == "" {
		elem = slice.Elem()
	}
	if len(each.terms) == 0 {
		return !hasTypeParameter(elem) && p.affordable(loop, types.NewArray(elem, max(each.constant, 1)))
	}
	// A product is large soon: nothing but what is added may be in the loop.
	return !slices.ContainsFunc(loopBody(loop).List, func(s ast.Stmt) bool { return p.addition(t, s) == nil })
}

// plainRun reports whether what is added may as well be asked for before the run: it is made of local variables that
// nothing points to, or of fields, and the run does nothing but add.
func (p *Line) plainRun(t target, r run) bool {
	b, ok := p.blockOf(r.first)
	if !ok {
		return false
	}
	for _, e := range r.of {
		all, plain := p.variables(e)
		if slices.ContainsFunc(all, p.addressTaken) {
			return false
		}
		for _, s := range b.list[b.at:] {
			if !plain && s.Pos() < r.last.Pos() && p.addition(t, s) == nil && loopBody(s) == nil {
				return false
			}
		}
	}
	return true
}

// grownUnseen reports whether it is unobservable that a builder or buffer was grown before a run: methods that write or
// read the text are called, in the function itself.
func (p *Line) grownUnseen(t target, r run) bool {
	return !p.jumps(t.v.Pos()) && !slices.ContainsFunc(p.mentions(p.unit, t.v), func(m mention) bool {
		sel, ok := m.parent().(*ast.SelectorExpr)
		if !ok || within(m.stack, t.start) != nil {
			return true
		}
		call, ok := innermost(m.stack[:slices.Index(m.stack, ast.Node(sel))]).(*ast.CallExpr)
		if !ok || ast.Unparen(call.Fun) != sel {
			return true
		}
		_, write := writes[sel.Sel.Name]
		switch sel.Sel.Name {
		case "String", "Len":
			return false
		case "Bytes": // share the memory, have the room, and are nil if there is nothing
			return r.inexact || m.id.Pos() < r.last.End()
		}
		return !write
	})
}

// isPreallocate reports whether a run is what preallocate is about: a loop that appends to a local slice.
func (p *Line) isPreallocate(r run) bool {
	return r.loop != nil && len(r.calls) == 1 && r.each == nil && !r.nested
}

// sameUntil reports whether what a run is made of is known before it, and nothing in between changes it.
func (p *Line) sameUntil(r run) bool {
	if r.first == nil {
		return false
	}
	last := r.calls[len(r.calls)-1]
	b, ok := p.blockOf(r.first)
	if !ok {
		return false
	}
	for _, e := range r.of {
		all, plain := p.variables(e)
		for _, v := range all {
			for _, s := range b.list[b.at:] {
				if s.Pos() < last.End() && (v.Pos() >= r.first.Pos() || p.changes(s, v)) {
					return false
				}
			}
			if p.capturedAndChanged(v) {
				return false
			}
		}
		if !plain && p.callsBetween(b, last) {
			return false
		}
	}
	return true
}

// callsBetween reports whether a statement from one on, up to a call, does more than add: it may change
// a field.
func (p *Line) callsBetween(b block, last *ast.CallExpr) bool {
	found := false
	for _, s := range b.list[b.at:] {
		if s.Pos() >= last.End() {
			break
		}
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				_, method := writes[p.methodName(n)]
				found = found || !method && p.builtin(n, "append") == nil && p.builtin(n, "len") == nil && !p.pkg.TypesInfo.Types[n.Fun].IsType()
			case *ast.IfStmt, *ast.SelectStmt, *ast.SwitchStmt:
				found = true
			}
			return !found
		})
	}
	return found
}

func (p *Line) methodName(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}
