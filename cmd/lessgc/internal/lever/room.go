package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A sliceUse is what a mention of a slice does with it, as far as its capacity matters.
type sliceUse int

const (
	readsElements  sliceUse = iota // its length and elements, where they are at that time
	asksForNil                     // it with nil
	growsIt                        // by v = append(v, ...)
	leavesFunction                 // to a caller, at the end
	keepsMemory                    // what refers to its memory remains
	seesRoom                       // its capacity, or its variable
)

// roomUnseen reports whether it is unobservable that a slice has room, from its declaration on, for what is appended
// between two positions. Until then nothing but the slice refers to its memory, and nobody asks whether it is nil; it does
// not grow while something else refers to its memory. Its capacity is at most what append would have chosen, if
// exact: then a later append that copied before copies now. If it is not, the slice has to stay in the function.
func (p *Line) roomUnseen(v *types.Var, first, last token.Pos, exact bool) bool {
	all := p.mentions(p.unit, v)
	if p.jumps(v.Pos()) {
		return false
	}
	var kept []mention
	for _, m := range all {
		use, inside := p.useOf(m, v), m.id.Pos() < last
		switch {
		case use == readsElements:
		case use == seesRoom, within(m.stack, v.Pos()) != nil:
			return false
		case use == growsIt:
			if p.rangedAround(m, v) {
				return false
			}
		case use == asksForNil && inside, use >= leavesFunction && !exact:
			return false
		case use == leavesFunction && first <= m.id.Pos() && inside:
			return false
		case use == keepsMemory && inside:
			return false
		case use == keepsMemory:
			kept = append(kept, m)
		}
	}
	return !slices.ContainsFunc(all, func(m mention) bool {
		return p.useOf(m, v) == growsIt && slices.ContainsFunc(kept, func(k mention) bool { return k.id.Pos() < m.id.Pos() || sharesLoop(k, m, v.Pos()) })
	})
}

// useOf is what a mention of a slice does with it.
func (p *Line) useOf(m mention, v *types.Var) sliceUse {
	parent := m.parent()
	up := m.stack[:slices.Index(m.stack, parent)]
	switch parent := parent.(type) {
	case *ast.AssignStmt:
		if _, assigned := m.assigned(); assigned {
			return growsIt // nothing else is assigned, see startsEmpty
		}
	case *ast.ReturnStmt:
		return leavesFunction
	case *ast.CallExpr:
		return p.useByCall(parent, m.id, up, v)
	case *ast.IndexExpr:
		if p.elementTaken(parent, up) {
			return keepsMemory
		}
		return readsElements
	case *ast.RangeStmt:
		if ast.Unparen(parent.X) == m.id {
			return readsElements
		}
		return seesRoom
	case *ast.BinaryExpr:
		return asksForNil
	case *ast.SliceExpr:
		if parent.High != nil {
			return seesRoom
		}
	case *ast.UnaryExpr:
		return seesRoom
	case *ast.SelectorExpr:
		if selection := p.pkg.TypesInfo.Selections[parent]; selection == nil || !takesValue(selection) {
			return seesRoom
		}
	}
	return keepsMemory
}

// useByCall is what a call does with a slice that it is given.
func (p *Line) useByCall(call *ast.CallExpr, id *ast.Ident, up []ast.Node, v *types.Var) sliceUse {
	switch {
	case p.builtin(call, "cap") != nil:
		return seesRoom
	case p.builtin(call, "append") != nil && ast.Unparen(call.Args[0]) == id:
		switch parent := innermost(up).(type) {
		case *ast.AssignStmt:
			if len(parent.Lhs) == 1 && p.local(parent.Lhs[0]) == v {
				return growsIt
			}
		case *ast.ReturnStmt:
			return leavesFunction
		}
		return seesRoom // another slice is made of it, in its memory if there is room
	case p.ignoresNil(call, id):
		return readsElements
	}
	return keepsMemory
}

// elementTaken reports whether an element, or part of it, has its address taken: by &, by a method of a pointer to it,
// or by slicing an array in it.
func (p *Line) elementTaken(e ast.Expr, stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			e = n
			continue
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.SliceExpr:
			_, array := p.typeOf(e).Underlying().(*types.Array)
			return array && n.X == e
		case *ast.IndexExpr:
			if _, array := p.typeOf(e).Underlying().(*types.Array); array && n.X == e {
				e = n
				continue
			}
		case *ast.SelectorExpr:
			selection := p.pkg.TypesInfo.Selections[n]
			if selection == nil || selection.Kind() != types.FieldVal {
				return selection == nil || !takesValue(selection)
			}
			if !selection.Indirect() {
				e = n
				continue
			}
		case *ast.RangeStmt: // over an array in it
			_, array := p.typeOf(e).Underlying().(*types.Array)
			return array && n.X == e
		}
		return false
	}
	return false
}

// takesValue reports whether a method takes its receiver as it is, and not its address.
func takesValue(s *types.Selection) bool {
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return false
	}
	_, pointer := sig.Recv().Type().Underlying().(*types.Pointer)
	_, given := s.Recv().Underlying().(*types.Pointer)
	return !pointer || given
}

// rangedAround reports whether a mention of a slice is in a loop over the slice itself: that goes on over the memory
// that the slice had.
func (p *Line) rangedAround(m mention, v *types.Var) bool {
	return slices.ContainsFunc(m.stack, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		return ok && p.local(loop.X) == v
	})
}

// sharesLoop reports whether two mentions are in one loop that does not hold a position.
func sharesLoop(a, b mention, declared token.Pos) bool {
	others := loopsSince(b.stack, b.id, declared)
	return slices.ContainsFunc(loopsSince(a.stack, a.id, declared), func(n ast.Node) bool { return slices.Contains(others, n) })
}

// deferredResult reports whether a variable is a result of a function that defers calls: if it panics, what is in the
// result may be seen.
func (p *Line) deferredResult(v *types.Var) bool {
	fn := p.top(p.unit, v.Pos())
	if fn == nil || fn.body.Pos() <= v.Pos() {
		return false
	}
	found := false
	ast.Inspect(fn.body, func(n ast.Node) bool {
		_, ok := n.(*ast.DeferStmt)
		found = found || ok
		return !found
	})
	return found
}

const (
	largestConstant = 1 << 16 // iterations that room is made for
	largestFactor   = 64      // times the memory that a loop goes over
)

// exactly reports whether a loop that is not left early runs as often as is known before it, and no less.
func (p *Line) exactly(loop ast.Node) bool {
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		switch t := p.typeOf(loop.X).Underlying().(type) {
		case *types.Map:
			v := p.local(loop.X)
			return v != nil && len(p.mentionsBelow(loop.Body, v)) == 0 && !p.callsBack(loop.Body)
		case *types.Basic:
			return t.Info()&types.IsInteger != 0
		}
		return true
	case *ast.ForStmt:
		bound := p.upTo(loop)
		if bound == nil {
			return false
		}
		all, plain := p.variables(bound)
		return (plain || !p.callsBack(loop.Body)) && !slices.ContainsFunc(all, func(v *types.Var) bool { return p.changes(loop, v) || p.sharedVariable(v) })
	}
	return false
}

// sharedVariable reports whether a variable may change behind a function's back: its address is taken, or a function
// literal changes it.
func (p *Line) sharedVariable(v *types.Var) bool { return p.capturedAndChanged(v) || p.addressTaken(v) }

// mentionsBelow are the uses of a variable below a node.
func (p *Line) mentionsBelow(n ast.Node, v *types.Var) []mention {
	return slices.DeleteFunc(p.mentions(p.unit, v), func(m mention) bool { return m.id.Pos() < n.Pos() || n.End() <= m.id.Pos() })
}

// callsBack reports whether something below a node may run code of the program: a call of anything but builtins,
// conversions, and functions of the standard library that are given plain values only.
func (p *Line) callsBack(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found || p.pkg.TypesInfo.Types[call.Fun].IsType() {
			return !found
		}
		if _, builtin := p.object(call.Fun).(*types.Builtin); builtin {
			return true
		}
		fn := p.callee(call)
		found = fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil || !p.isStandard(fn) ||
			slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !p.plainValue(e) })
		return !found
	})
	return found
}

// isStandard reports whether a function is of the standard library: a module may have a name without a dot, too.
func (p *Line) isStandard(fn *types.Func) bool {
	path, module := fn.Pkg().Path(), p.pkg.Module
	return standard(path) && p.unitOf(fn.Pos()) == nil && (module == nil || path != module.Path && !strings.HasPrefix(path, module.Path+"/"))
}

// plainValue reports whether an expression is a number, bool or text, without methods.
func (p *Line) plainValue(e ast.Expr) bool {
	switch types.Unalias(types.Default(p.typeOf(e))).(type) {
	case *types.Basic:
		return true
	}
	return p.isBytes(e)
}

// affordable reports whether the room for what a loop appends is a small multiple of memory that there is, so that no
// input makes it larger than what the loop may get to; or whether nothing in the loop can end it early.
func (p *Line) affordable(loop ast.Node, elem types.Type) bool {
	over := ast.Expr(nil)
	switch loop := loop.(type) {
	case *ast.RangeStmt:
		over = loop.X
	case *ast.ForStmt:
		over = p.upTo(loop)
	}
	if less, ok := over.(*ast.BinaryExpr); ok && less.Op == token.SUB && p.constantInt(less.Y) >= 0 {
		over = less.X
	}
	if call, ok := ast.Unparen(over).(*ast.CallExpr); ok && p.builtin(call, "len") != nil {
		over = call.Args[0]
	}
	if over == nil || p.pkg.TypesSizes == nil || hasTypeParameter(elem) {
		return false
	}
	size := int64(0) // of what there is in each iteration
	switch t := p.typeOf(over).Underlying().(type) {
	case *types.Slice:
		if hasTypeParameter(t.Elem()) {
			return false
		}
		size = p.pkg.TypesSizes.Sizeof(t.Elem())
	case *types.Map:
		size = 8
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			size = 1
			break
		}
		n := p.constantInt(over)
		return 0 <= n && n <= largestConstant || n < 0 && p.runsThrough(loopBody(loop))
	case *types.Array:
		return t.Len() <= largestConstant
	case *types.Pointer:
		array, ok := t.Elem().Underlying().(*types.Array)
		return ok && array.Len() <= largestConstant
	}
	return size > 0 && (p.pkg.TypesSizes.Sizeof(elem) <= largestFactor*size || p.runsThrough(loopBody(loop)))
}

// runsThrough reports whether nothing in a block can panic, block or leave: it computes with numbers and text, and
// appends.
func (p *Line) runsThrough(body *ast.BlockStmt) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Ident, *ast.BasicLit, *ast.ParenExpr, *ast.BlockStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.GenDecl, *ast.ValueSpec,
			*ast.IfStmt, *ast.ExprStmt, *ast.CompositeLit, *ast.KeyValueExpr, *ast.ArrayType, *ast.CommentGroup, *ast.Comment:
		case *ast.AssignStmt:
			ok = ok && !slices.Contains([]token.Token{token.QUO_ASSIGN, token.REM_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN}, n.Tok)
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.BinaryExpr:
			t, basic := p.typeOf(n.X).Underlying().(*types.Basic)
			ok = ok && basic && (n.Op != token.QUO && n.Op != token.REM && n.Op != token.SHL && n.Op != token.SHR || p.constantInt(n.Y) > 0 || t.Info()&types.IsFloat != 0)
		case *ast.SelectorExpr:
			selection := p.pkg.TypesInfo.Selections[n]
			ok = ok && (selection == nil || selection.Kind() == types.FieldVal && !selection.Indirect())
		case *ast.CallExpr:
			ok = ok && p.cannotPanic(n)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// cannotPanic reports whether a call is of a builtin that cannot panic, or a conversion that cannot.
func (p *Line) cannotPanic(call *ast.CallExpr) bool {
	if p.pkg.TypesInfo.Types[call.Fun].IsType() {
		_, basic := p.typeOf(call).Underlying().(*types.Basic)
		return basic || isString(p.typeOf(call.Args[0]))
	}
	return slices.ContainsFunc([]string{"append", "len", "cap", "min", "max"}, func(name string) bool { return p.builtin(call, name) != nil })
}

// objectAt returns what a name means at a position; nil if it means nothing.
func (p *Line) objectAt(name string, pos token.Pos) types.Object {
	scope := p.pkg.Types.Scope().Innermost(pos)
	if scope == nil {
		return nil
	}
	_, object := scope.LookupParent(name, pos)
	return object
}

// means reports whether names are those of the language, and not shadowed, at a position, as far as a text uses them.
func (p *Line) means(pos token.Pos, text string, names ...string) bool {
	return p.pkg.Types.Scope().Innermost(pos) != nil && !slices.ContainsFunc(names, func(name string) bool {
		return strings.Contains(text, name+"(") && (!ofLanguage(p.objectAt(name, pos)) || p.declaredElsewhere(name))
	})
}

// ofLanguage reports whether an object is declared by the language.
func ofLanguage(object types.Object) bool { return object != nil && object.Parent() == types.Universe }

// sizes are the functions of the language that sizes are written with.
var sizes = []string{"make", "len", "max", "int"}

// commentedBetween reports whether a comment stands between two positions.
func (p *Line) commentedBetween(pos, end token.Pos) bool {
	return slices.ContainsFunc(p.file.Comments, func(c *ast.CommentGroup) bool { return c.Pos() < end && pos < c.End() })
}
