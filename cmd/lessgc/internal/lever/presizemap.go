package lever

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var presizeMap = &Lever{
	Name:    "presize-map",
	Title:   "make the map with its size, or clear it and use it again",
	Subject: "presize the map",
	Looks:   "an element set in each iteration of a loop whose number of iterations is known, or in a function literal that is called for each of many, in a map that is made without a size; or in a map that is made anew in a field of an object that lives on.",
	Wrong:   "when few of the iterations add a new key. A size does not help a map of up to 8 elements: they take one group, which is made with the first of them; clearing helps it, too.",
	Before: `m := make(map[string]int)
for _, w := range words {
	m[w]++
}`,
	After: `m := make(map[string]int, len(words))
for _, w := range words {
	m[w]++
}`,
	Model: "A map that grows allocates its tables again at each doubling, about twice the last ones in sum; made with its size it allocates them once, and copies nothing. A map that is cleared allocates nothing.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.4, 0.9}, Copy: Range{0.8, 1}, Collect: Range{0.4, 0.7}},
	Rewrite: "A size shows in nothing but memory: the map is made all the same, and not nil. What stays to be shown is that the size may be asked for where the map is made: between there and the loop nothing is assigned that it is made of, and nothing returns. The room is bounded by what the loop goes over, or the loop cannot end early; and each iteration sets another key, or an element of what it goes over under a key of its own. " +
		"A map that leaves the function, and is filled by a loop right behind that only copies another map of the same type, is made by maps.Clone from Go 1.21 on, which sets the entries as assignments do: the other map is not nil, as it is made in the function and never assigned, or as it, or its length, was compared on the way there, and nothing since then calls a function or sets anything.",
	find: findPresizeMap,
}

func findPresizeMap(p *Line) (f Finding) {
	if p.direct() == 0 {
		return f
	}
	for _, s := range p.spots() {
		index := p.setsElement(s)
		if index == nil || p.others() && p.belowGroup(index) {
			continue
		}
		if v := p.local(index.X); v != nil {
			f = p.localMap(s, index, v)
			f.What = cmp.Or(f.What, "presize "+withKind(v))
		} else if sel, ok := ast.Unparen(index.X).(*ast.SelectorExpr); ok {
			f = p.fieldMap(index, sel)
		}
		if len(f.Evidence) > 0 {
			f.Share = p.direct()
			if small := p.small(index); small != nil {
				f.Evidence, f.Edits = append(f.Evidence, small...), nil
			}
			return f
		}
	}
	return f
}

// small is a warning about a map that needs no more than its first group of elements, which
// is made with the first of them, whatever size the map is made with.
func (p *Line) small(index *ast.IndexExpr) []Evidence {
	if group := p.groupOf(index); p.objectSize() < 1.25*float64(group) { // sizes are rounded up to classes
		return []Evidence{p.at(index.Pos(), fmt.Sprintf("most maps have no more than 8 elements, which take one group of %d bytes whatever the size: a map that is cleared and used again, or a slice, saves it", group))}
	}
	return nil
}

// belowGroup reports whether the objects of the line are smaller, on average, than anything that a
// map allocates: then they are mostly something else.
func (p *Line) belowGroup(index *ast.IndexExpr) bool {
	group := p.groupOf(index)
	return group == 0 || p.objectSize() < float64(group)
}

// groupOf is the size in bytes of a group of the map that is indexed; 0 if it is not known.
func (p *Line) groupOf(index *ast.IndexExpr) int64 {
	m := p.typeOf(index.X).Underlying().(*types.Map)
	if p.pkg.TypesSizes == nil || hasTypeParameter(m.Key()) || hasTypeParameter(m.Elem()) {
		return 0
	}
	return p.groupSize(m)
}

// groupSize returns the number of bytes that the runtime allocates for 8 elements of a map: a word of control
// bytes and as many slots (internal/runtime/maps). Keys and values larger than 128 bytes are stored behind a
// pointer.
func (p *Line) groupSize(m *types.Map) int64 {
	const slots, largest = 8, 128
	inline := func(t types.Type) types.Type {
		if p.pkg.TypesSizes.Sizeof(t) > largest {
			return types.NewPointer(t)
		}
		return t
	}
	slot := types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, nil, "key", inline(m.Key()), false),
		types.NewField(token.NoPos, nil, "elem", inline(m.Elem()), false),
	}, nil)
	return 8 + slots*p.pkg.TypesSizes.Sizeof(slot)
}

// hasTypeParameter reports whether the size of a type depends on one.
func hasTypeParameter(t types.Type) bool {
	found := false
	var walk func(t types.Type, depth int)
	walk = func(t types.Type, depth int) {
		if depth > 8 {
			return
		}
		switch t := types.Unalias(t).(type) {
		case *types.TypeParam:
			found = true
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				walk(a, depth+1)
			}
			if o := t.Obj(); o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
				walk(t.Underlying(), depth+1) // it may be of a generic function
			}
		case *types.Array:
			walk(t.Elem(), depth+1)
		case *types.Struct:
			for f := range t.Fields() {
				walk(f.Type(), depth+1)
			}
		}
	}
	walk(t, 0)
	return found
}

// setsElement is the element of a map that a statement sets, or nil.
func (p *Line) setsElement(s spot) *ast.IndexExpr {
	var left []ast.Expr
	switch n := s.node.(type) {
	case *ast.AssignStmt:
		left = n.Lhs
	case *ast.IncDecStmt:
		left = []ast.Expr{n.X}
	}
	for _, e := range left {
		if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			if _, ok := p.typeOf(index.X).Underlying().(*types.Map); ok {
				return index
			}
		}
	}
	return nil
}

func (p *Line) localMap(s spot, index *ast.IndexExpr, v *types.Var) (f Finding) {
	d, ok := p.define(p.unit, v)
	if !ok || d.param || d.value == nil || p.isNil(d.value) {
		return f
	}
	if !p.empty(d.value) || len(loopsSince(s.stack, index, d.pos)) > 1 {
		return p.indexMap(s, index, v, d)
	}
	made := p.at(d.pos, v.Name()+" is made without a size")
	// In loops within loops, and in iterations that may not set it, no count of iterations is its size.
	if loops := loopsSince(s.stack, index, d.pos); len(loops) > 0 {
		if count := p.count(loops[0]); len(loops) == 1 && count != "" && always(loops[0], s.node) && !p.stopsEarly(loops[0], v) {
			f.Evidence = []Evidence{made, p.at(loops[0].Pos(), fmt.Sprintf("the loop runs %s times and sets an element of %s in each iteration, so room for that many is enough", count, v.Name()))}
			if assign, ok := s.node.(*ast.AssignStmt); ok && assign.Tok == token.ASSIGN && !mentions(assign.Rhs, index) && p.distinct(index, assign, loops[0]) { // else few keys may come again
				f.Edits = p.sizedMap(v, d, loops[0])
				if cloned := p.clonedMap(v, d, loops[0]); f.Edits != nil && cloned != nil {
					f.Edits, f.What = cloned, "make "+withKind(v)+" with maps.Clone"
					f.Evidence[1].Text = fmt.Sprintf("the loop only copies %s, which is not nil there, and maps.Clone makes the copy with room for all of it", types.ExprString(loops[0].(*ast.RangeStmt).X))
				}
			}
		}
	} else if lit := within(s.stack, d.pos); lit != nil {
		f.Evidence = []Evidence{made, p.at(lit.Pos(), "a function literal, which is called for each element, sets the elements of "+v.Name())}
	}
	return f
}

// indexMap is about a map that is made empty or with a few elements, and to which loops add a new object for each
// key: the profile has to show that it grows to far more than a group.
func (p *Line) indexMap(s spot, index *ast.IndexExpr, v *types.Var, d definition) (f Finding) {
	const groups = 4
	lit, literal := ast.Unparen(d.value).(*ast.CompositeLit)
	group := p.groupOf(index)
	if !p.empty(d.value) && (!literal || len(lit.Elts) > 8) || group == 0 || p.objectSize() < groups*float64(group) {
		return f
	}
	loops := loopsSince(s.stack, index, d.pos)
	assign, ok := s.node.(*ast.AssignStmt)
	if !ok || len(loops) == 0 || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 || !p.isNewObject(assign.Rhs[0], loops[len(loops)-1]) || p.stopsEarly(loops[0], v) {
		return f
	}
	if count := p.count(loops[0]); count != "" {
		f.Evidence = []Evidence{
			p.at(d.pos, v.Name()+" is made without a size"),
			p.at(loops[0].Pos(), fmt.Sprintf("the loop runs %s times and adds new objects to %s, which grows through tables of %s bytes on average", count, v.Name(), few(p.objectSize()))),
		}
	}
	return f
}

// isNewObject reports whether an expression is an object that is made in a loop.
func (p *Line) isNewObject(e ast.Expr, loop ast.Node) bool {
	if v := p.local(e); v != nil && loop.Pos() <= v.Pos() && v.Pos() < loop.End() {
		d, ok := p.define(p.unit, v)
		if !ok || d.value == nil {
			return false
		}
		e = d.value
	}
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		call := p.builtin(ast.Unparen(e), "new")
		return call != nil
	}
	_, ok = ast.Unparen(u.X).(*ast.CompositeLit)
	return ok
}

// distinct reports whether an index is another one in each iteration: the key of the loop's map, or its number. So it is
// taken to be when what the loop goes over is put under a key of its own, such as a field.
func (p *Line) distinct(index *ast.IndexExpr, assign *ast.AssignStmt, loop ast.Node) bool {
	each, ok := loop.(*ast.RangeStmt)
	if !ok || each.Key == nil {
		return false
	}
	key := p.local(each.Key)
	if key != nil && p.local(index.Index) == key {
		return true
	}
	value := (*types.Var)(nil)
	if each.Value != nil {
		value = p.local(each.Value)
	}
	return value != nil && isPath(index.Index) && p.hasBelow(index.Index, value) && len(assign.Rhs) == 1 &&
		(p.hasBelow(assign.Rhs[0], value) || key != nil && p.hasBelow(assign.Rhs[0], key))
}

// mentions reports whether one of some expressions has another in it, word for word.
func mentions(in []ast.Expr, e ast.Expr) bool {
	text := types.ExprString(e)
	return slices.ContainsFunc(in, func(x ast.Expr) bool { return strings.Contains(types.ExprString(x), text) })
}

// sizedMap are the edits that make a map with room for what a loop sets.
func (p *Line) sizedMap(v *types.Var, d definition, loop ast.Node) []Edit {
	size, of, ok := p.iterations(loop)
	if !ok || !p.affordable(loop, slotOf(v.Type().Underlying().(*types.Map))) || !p.early(d.pos, loop, of) || p.hasComment(d.value) || !p.means(d.pos, "make("+size, sizes...) ||
		slices.ContainsFunc(p.mentions(p.unit, v), func(m mention) bool { _, ok := m.assigned(); return ok }) {
		return nil
	}
	switch x := ast.Unparen(d.value).(type) {
	case *ast.CompositeLit:
		return []Edit{p.edit(x.Pos(), x.End(), "make("+p.text(x.Type)+", "+size+")")}
	case *ast.CallExpr:
		return []Edit{p.edit(x.Pos(), x.End(), "make("+p.text(x.Args[0])+", "+size+")")}
	}
	return nil
}

// fieldMap is about a map in a field that is made anew, without a size, in a function to which
// what has the field is given: it lives on.
func (p *Line) fieldMap(index *ast.IndexExpr, sel *ast.SelectorExpr) (f Finding) {
	field := p.pkg.TypesInfo.ObjectOf(sel.Sel)
	if v, ok := field.(*types.Var); !ok || !v.IsField() || !p.goes("1.21") { // clear
		return f
	}
	here := false // the value that has the field is as new as the map
	for _, file := range p.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != len(assign.Rhs) {
				return true
			}
			for i, left := range assign.Lhs {
				to, ok := ast.Unparen(left).(*ast.SelectorExpr)
				if ok && p.pkg.TypesInfo.ObjectOf(to.Sel) == field && !p.isNil(assign.Rhs[i]) && p.empty(assign.Rhs[i]) && !p.lazily(file, assign) {
					if !p.isGiven(to.X) {
						here = here || p.fn.node.Pos() <= assign.Pos() && assign.End() <= p.fn.node.End()
						continue
					}
					f.Evidence = append(f.Evidence, p.at(assign.Pos(), fmt.Sprintf("%[1]s is replaced by a new map: clear(%[1]s) would keep the memory", types.ExprString(left))))
				}
			}
			return true
		})
	}
	if here || len(f.Evidence) == 0 || p.givesAway(field.(*types.Var)) {
		return Finding{}
	}
	f.Evidence = append(f.Evidence, p.at(index.Pos(), "the new map grows again here"))
	return f
}

// givesAway reports whether a function of the package returns what a field refers to, or puts it into something
// else: then who gets it may keep it.
func (p *Line) givesAway(field *types.Var) bool {
	found := false
	for _, file := range p.pkg.Syntax {
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || p.pkg.TypesInfo.ObjectOf(sel.Sel) != field {
				return !found
			}
			switch parent := innermost(stack).(type) {
			case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit, *ast.SendStmt:
				found = true
			case *ast.CallExpr:
				found = found || p.builtin(parent, "len") == nil && p.builtin(parent, "delete") == nil && p.builtin(parent, "clear") == nil
			case *ast.AssignStmt:
				found = found || slices.ContainsFunc(parent.Rhs, func(e ast.Expr) bool { return ast.Unparen(e) == sel })
			}
			return !found
		})
	}
	return found
}

// lazily reports whether an assignment happens once, if the map is nil.
func (p *Line) lazily(file *ast.File, assign *ast.AssignStmt) bool {
	found := false
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		if n == assign {
			for _, around := range stack {
				if cond, ok := around.(*ast.IfStmt); ok && comparesNil(cond.Cond) {
					found = true
				}
			}
		}
		return n.Pos() <= assign.Pos() && assign.End() <= n.End()
	})
	return found
}

func comparesNil(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL {
		return false
	}
	x, _ := b.X.(*ast.Ident)
	y, _ := b.Y.(*ast.Ident)
	return x != nil && x.Name == "nil" || y != nil && y.Name == "nil"
}

// isGiven reports whether an expression is a parameter of the function, or part of one.
func (p *Line) isGiven(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
			continue
		case *ast.StarExpr:
			e = x.X
			continue
		}
		break
	}
	v := p.local(e)
	if v == nil {
		return false
	}
	u := p.unitOf(v.Pos())
	if u == nil {
		return false
	}
	d, ok := p.define(u, v)
	return ok && d.param
}
