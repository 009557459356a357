package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/site"
)

var mergeMap = &Lever{
	Name:    "merge-map",
	Title:   "make the map with room for the maps that are copied into it",
	Subject: "presize the map",
	way:     size,
	Looks:   "a map that is made without a size, and that gets all entries of other maps next, by maps.Copy, by a loop, or by a function that has such a loop.",
	Wrong:   "when most keys come from several of the maps: the room is that of all of them. A map of up to 8 elements needs no room.",
	Before: `all := make(map[string]any)
maps.Copy(all, defaults)
maps.Copy(all, own)`,
	After: `all := make(map[string]any, len(defaults)+len(own))
maps.Copy(all, defaults)
maps.Copy(all, own)`,
	Model: "A map that grows allocates its tables again at each doubling, about twice the last ones in sum; made with its size it allocates them once.",
	Risk:  NoRisk,
	Asks:  "Are most keys in one of the maps only, so that the sum of their lengths is about the size of the new one?",
	Saves: Saves{Alloc: Range{0, 0.7}, Collect: Range{0, 0.6}},
	Rewrite: "A size shows in nothing but memory: the map is made all the same, and not nil, and the order of its entries is random before and after. The maps that it gets the entries of are named by variables and fields only, and are the same where it is made: " +
		"what is between does nothing but put entries into the new map, and set fields of a new object that has it. Where a name leads through a nil pointer, the program panics right after the map is made, or where it is made: nothing that anybody sees is between.",
	find: findMergeMap,
}

// whatMerged is Finding.What of a map.
const whatMerged = "presize %"

func findMergeMap(p *Line) (f Finding) {
	for _, in := range p.allocators() {
		if set, ok := in.(*ssa.MapUpdate); ok {
			if m := mergerOf(set.Parent()); m != nil && p.growsBeyondGroup(mapType(set.Map)) {
				return p.mergedBy(m)
			}
		}
	}
	for _, c := range p.called() {
		if c.name != "maps.Copy" || len(c.call.Args) != 2 {
			continue
		}
		if m, _ := p.typeOf(c.call.Args[0]).Underlying().(*types.Map); !p.growsBeyondGroup(m) {
			continue
		}
		share := p.below(c.fn)
		if g := p.mergesNew(c.call.Lparen); g != nil && share > 0 {
			return Finding{Evidence: p.mergingAt(g), Edits: g.edit(p), Share: share, What: g.u.subject(whatMerged, g.made)}
		}
	}
	return f
}

// growsBeyondGroup reports whether the objects of the line are larger than the first group of a map, which it gets whatever
// its size.
func (p *Line) growsBeyondGroup(m *types.Map) bool {
	return m != nil && !hasTypeParameter(m.Key()) && !hasTypeParameter(m.Elem()) && p.objectSize() >= pastGroup*float64(p.groupSize(m))
}

// A merger is a function that does nothing but put all entries of a map, a parameter, into another.
type merger struct {
	fn         *ssa.Function
	into, from int // numbers of the parameters
}

// mergerOf is a function as a merger; nil if it is not one.
func mergerOf(fn *ssa.Function) *merger {
	if fn == nil || len(fn.FreeVars) > 0 || fn.Recover != nil {
		return nil
	}
	m := &merger{fn, -1, -1}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.DebugRef, *ssa.Range, *ssa.Next, *ssa.Extract, *ssa.If, *ssa.Jump:
			case *ssa.Return:
				if slices.ContainsFunc(in.Results, func(v ssa.Value) bool { _, param := v.(*ssa.Parameter); return !param }) {
					return nil
				}
			case *ssa.MapUpdate:
				m.into, m.from = parameterNumber(in.Map), parameterNumber(copiesEntry(in))
			default:
				return nil
			}
		}
	}
	if m.into < 0 || m.from < 0 || m.into == m.from {
		return nil
	}
	return m
}

// parameterNumber is the number of a parameter among those of its function; -1 of another value.
func parameterNumber(v ssa.Value) int {
	param, ok := v.(*ssa.Parameter)
	if !ok {
		return -1
	}
	return slices.Index(param.Parent().Params, param)
}

// mergedBy is about the maps that are made for a merger to fill, wherever that is in this module.
func (p *Line) mergedBy(m *merger) (f Finding) {
	fits := map[*ssa.Call]bool{}
	edited := map[token.Pos]bool{}
	calls := p.callsOf(m.fn)
	for _, in := range calls {
		call, ok := in.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil {
			continue
		}
		g := p.mergesNew(call.Pos())
		if g == nil {
			continue
		}
		fits[call] = true
		if !edited[g.made.Pos()] {
			edited[g.made.Pos()] = true
			f.Evidence = append(f.Evidence, p.mergingAt(g)...)
			f.Edits = append(f.Edits, g.edit(p)...)
			f.What = g.u.subject(whatMerged, g.made)
			if len(edited) > 1 {
				f.What = "" // of several
			}
		}
	}
	if len(fits) == 0 {
		return f
	}
	if f.Share = p.callersThat(m.fn, func(c *ssa.Call) bool { return fits[c] }).share; !slices.ContainsFunc(p.site.Leaves, func(l site.Leaf) bool { return len(l.Callers) > 0 }) { // a profile that does not tell
		f.Share = p.direct() * float64(len(fits)) / float64(len(calls))
	}
	if f.Share == 0 {
		return Finding{}
	}
	return f
}

func (p *Line) mergingAt(g *merging) []Evidence {
	return []Evidence{p.at(g.made.Pos(), fmt.Sprintf("the map is made without a size and then gets all entries of %s; with room for these it need not grow", strings.Join(g.names, " and ")))}
}

// A merging is a map that is made empty, and what is put into it next.
type merging struct {
	u     *unit
	made  ast.Expr
	names []string // of the maps whose entries it gets
	more  int      // entries of their own
}

// edit makes the map with room.
func (g *merging) edit(p *Line) []Edit {
	var sum []string
	for _, name := range g.names {
		sum = append(sum, "len("+name+")")
	}
	if g.more > 0 {
		sum = append(sum, fmt.Sprint(g.more))
	}
	typ := ast.Expr(nil)
	switch x := ast.Unparen(g.made).(type) {
	case *ast.CompositeLit:
		typ = x.Type
	case *ast.CallExpr:
		typ = x.Args[0]
	}
	if typ == nil {
		return nil
	}
	text := "make(" + p.text(typ) + ", " + strings.Join(sum, "+") + ")"
	if g.u.hasComment(g.made) || !p.in(g.u).means(g.made.Pos(), text, "make", "len") {
		return nil
	}
	return []Edit{p.edit(g.made.Pos(), g.made.End(), text)}
}

// mergesNew is the merging that a call is part of; nil if the map is not new, or more may happen before.
func (p *Line) mergesNew(call token.Pos) *merging {
	u := p.unitOf(call)
	if u == nil || p.inTest(call) || p.generated(u) {
		return nil
	}
	var g *merging
	ast.PreorderStack(u.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if n.Pos() > call || call >= n.End() {
			return false
		}
		if body, ok := n.(*ast.BlockStmt); ok {
			if found := p.mergesIn(u, body.List, call); found != nil {
				g = found
			}
		}
		return true
	})
	return g
}

// mergesIn looks for the statement that makes the map which a call fills, in a list of statements with the call.
func (p *Line) mergesIn(u *unit, list []ast.Stmt, call token.Pos) *merging {
	for i, s := range list {
		assign, ok := s.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || assign.End() > call {
			continue
		}
		v := u.local(assign.Lhs[0])
		if v == nil {
			continue
		}
		if _, isMap := v.Type().Underlying().(*types.Map); isMap && u.empty(assign.Rhs[0]) {
			g := &merging{u: u, made: assign.Rhs[0]}
			if p.fills(g, list[i+1:], v, v.Name(), call) {
				return g
			}
			continue
		}
		for name, value := range emptyMaps(u, assign.Rhs[0]) {
			g := &merging{u: u, made: value}
			if p.fills(g, list[i+1:], v, v.Name()+"."+name, call) {
				return g
			}
		}
	}
	return nil
}

// emptyMaps are the fields of a literal whose values are maps made without a size.
func emptyMaps(u *unit, e ast.Expr) map[string]ast.Expr {
	if address, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && address.Op == token.AND {
		e = address.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	all := map[string]ast.Expr{}
	for _, e := range lit.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := pair.Key.(*ast.Ident)
		if _, isMap := u.typeOf(pair.Value).Underlying().(*types.Map); isMap && isName && u.empty(pair.Value) {
			all[key.Name] = pair.Value
		}
	}
	return all
}

// fills goes through the statements after a map is made, as long as they do nothing but fill it, or set fields of the
// new variable that has it, and reports whether a call is one that does.
func (p *Line) fills(g *merging, list []ast.Stmt, v *types.Var, m string, call token.Pos) bool {
	found := false
	for _, s := range list {
		at := s
		if cond, ok := s.(*ast.IfStmt); ok && len(cond.Body.List) > 0 {
			s = cond.Body.List[0]
			if from, _ := p.merges(g.u, s, m); from == nil || !notNil(g.u, cond, from) {
				return found
			}
		}
		from, own := p.merges(g.u, s, m)
		switch {
		case from != nil && !p.in(g.u).hasBelow(from, v):
			found = found || s.Pos() <= call && call < s.End()
			g.names = append(g.names, types.ExprString(from))
		case own:
			g.more++
		case !p.setsField(g.u, s, v, m):
			return found
		}
		if at != s {
			return found // the rest of the body may do something else
		}
	}
	return found
}

// merges is the map, by variables and fields, of which a statement puts all entries into another; own is set if it puts
// one entry in.
func (p *Line) merges(u *unit, s ast.Stmt, m string) (from ast.Expr, own bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return nil, false
		}
		into, from := p.mergeArguments(u, call)
		if into != nil && types.ExprString(into) == m && isPath(from) {
			return from, false
		}
	case *ast.RangeStmt:
		if len(s.Body.List) != 1 || s.Key == nil || s.Value == nil || s.Tok != token.DEFINE || !isPath(s.X) {
			return nil, false
		}
		assign, ok := s.Body.List[0].(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
			return nil, false
		}
		index, ok := assign.Lhs[0].(*ast.IndexExpr)
		_, isMap := u.typeOf(s.X).Underlying().(*types.Map)
		if ok && isMap && types.ExprString(index.X) == m && u.object(index.Index) != nil && u.object(index.Index) == u.object(s.Key) && u.object(assign.Rhs[0]) == u.object(s.Value) {
			return s.X, false
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || s.Tok != token.ASSIGN {
			return nil, false
		}
		index, ok := s.Lhs[0].(*ast.IndexExpr)
		return nil, ok && types.ExprString(index.X) == m && u.constant(index.Index) && (isPath(s.Rhs[0]) || u.constant(s.Rhs[0]))
	}
	return nil, false
}

// mergeArguments are the maps of a call that puts all entries of one into another; nil if it does something else.
func (p *Line) mergeArguments(u *unit, call *ast.CallExpr) (into, from ast.Expr) {
	fn := u.callee(call)
	if fn == nil || call.Ellipsis.IsValid() {
		return nil, nil
	}
	if fn.FullName() == "maps.Copy" && len(call.Args) == 2 {
		return call.Args[0], call.Args[1]
	}
	args := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		args = slices.Concat([]ast.Expr{sel.X}, args)
	}
	if m := mergerOf(p.ssa.FuncValue(fn.Origin())); m != nil && max(m.into, m.from) < len(args) {
		return args[m.into], args[m.from]
	}
	return nil, nil
}

// notNil reports whether a condition asks whether a map is not nil, or has entries.
func notNil(u *unit, cond *ast.IfStmt, m ast.Expr) bool {
	b, ok := ast.Unparen(cond.Cond).(*ast.BinaryExpr)
	if !ok || cond.Init != nil {
		return false
	}
	x := ast.Unparen(b.X)
	if call := u.builtin(x, "len"); call != nil && (b.Op == token.GTR || b.Op == token.NEQ) && types.ExprString(b.Y) == "0" {
		x = call.Args[0]
	} else if b.Op != token.NEQ || !u.isNil(b.Y) {
		return false
	}
	return types.ExprString(x) == types.ExprString(m)
}

// setsField reports whether a statement sets a field of a variable, other than the one with a map, to what is named by variables
// and fields, or to a constant.
func (p *Line) setsField(u *unit, s ast.Stmt, v *types.Var, m string) bool {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return false
	}
	sel, ok := assign.Lhs[0].(*ast.SelectorExpr)
	if !ok || u.local(sel.X) != v || types.ExprString(sel) == m {
		return false
	}
	selection := u.pkg.TypesInfo.Selections[sel]
	return selection != nil && len(selection.Index()) == 1 && (isPath(assign.Rhs[0]) || u.constant(assign.Rhs[0])) && !p.in(u).hasBelow(assign.Rhs[0], v)
}
