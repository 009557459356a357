package lever

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

// A stackedSlice is a local slice of computed size that can be made on the stack where it is small.
type stackedSlice struct {
	*pooling
	call  *ast.CallExpr // the make
	size  ast.Expr      // the computed length or capacity
	empty bool          // the length is 0
	room  sliceRoom
}

// slicedOnStack finds the slice of computed size that the line makes, if most of those in the profile can be on the stack.
func (p *Line) slicedOnStack() Finding {
	f, _ := p.smallSlice(nil)
	return f
}

// smallSlice is slicedOnStack, or about a slice of the same type as another one, with as much room. s is nil if nothing is found.
func (p *Line) smallSlice(like *stackedSlice) (f Finding, s *stackedSlice) {
	in, share := p.only()
	made, ok := in.(*ssa.MakeSlice)
	if !ok || !p.madeAgain() {
		return f, nil
	}
	room := p.sliceRoom(made)
	if like != nil {
		if !types.Identical(like.v.Type(), made.Type()) {
			return f, nil
		}
		room = like.room
	}
	if s = p.stackedSlice(made, room); s == nil {
		return f, nil
	}
	edits := s.edits()
	if edits == nil {
		return f, nil
	}
	return Finding{
		Share: share * s.room.saved,
		What:  "keep small " + s.v.Name() + " on the stack",
		Evidence: []Evidence{
			p.at(made.Pos(), p.onHeapBecause("a "+short(made.Type()), "its size is not constant")),
			p.at(made.Pos(), fmt.Sprintf("the slice does not leave %s, so those with at most %d elements, %.0f %% of them in the benchmarks, can be on the stack", nameOf(s.home), s.room.elems, 100*s.room.fit)),
		},
		Edits: edits,
	}, s
}

// sliceAlike are the edits that make the slice of a statement on the stack where it is small, with as much room as another one.
func (p *Line) sliceAlike(s ast.Stmt, like *stackedSlice) []Edit {
	f, found := p.lineAt(s.Pos()).smallSlice(like)
	if found == nil || found.stmt != s {
		return nil
	}
	return f.Edits
}

// stackedSlice is the slice that a statement of its own makes; nil if not all small ones could be on the stack, or few are small.
func (p *Line) stackedSlice(made *ssa.MakeSlice, room sliceRoom) *stackedSlice {
	if room.elems == 0 {
		return nil
	}
	x := p.temporaryVariable(made)
	if x == nil || x.value == nil || hasTypeParameter(made.Type()) || x.p.pkg.TypesSizes == nil || x.p.addressTaken(x.v) {
		return nil
	}
	s := &stackedSlice{pooling: x, room: room}
	if s.call = x.p.builtin(ast.Unparen(x.value), "make"); s.call == nil || !s.sized() {
		return nil
	}
	if !p.onlyOnStack(made) || p.leadsBack(s.home) {
		return nil // each depth of a recursion would have the memory in its frame
	}
	if !x.p.notNegative(s.size) {
		return nil // make panics for a negative size, in words of its own
	}
	if s.becomesText() {
		return nil // a strings.Builder with the room saves the copy, however long it is
	}
	if !s.empty && s.isAppended() {
		return nil // it was full, so that what append makes of it was another slice
	}
	if s.seen(made) {
		return nil // the one on the stack has more room, and what hides it is hard to read
	}
	return s
}

// becomesText reports whether the slice, or what append makes of it, is made a string, and text-twice can have a strings.Builder in its place.
func (s *stackedSlice) becomesText() bool {
	return slices.ContainsFunc(s.p.mentions(s.p.unit, s.v), func(m mention) bool {
		for _, n := range slices.Backward(m.stack) {
			call, ok := n.(*ast.CallExpr)
			switch {
			case !ok:
				return false
			case s.p.copiesText(call):
				line := s.p.lineAt(call.Pos())
				return line != nil && len(textTwice.find(line).Edits) > 0
			case s.p.builtin(call, "append") == nil || ast.Unparen(call.Args[0]) != m.id:
				return false
			}
		}
		return false
	})
}

// isAppended reports whether something is appended to the slice.
func (s *stackedSlice) isAppended() bool {
	return slices.ContainsFunc(s.p.mentions(s.p.unit, s.v), func(m mention) bool {
		call, ok := m.parent().(*ast.CallExpr)
		return ok && s.p.appendCallOf(call) != nil && ast.Unparen(call.Args[0]) == m.id
	})
}

// sized finds the size, a computed int, which is the length, the capacity of an empty slice, or both.
func (s *stackedSlice) sized() bool {
	args := s.call.Args[1:]
	s.size = args[len(args)-1]
	if len(args) > 1 {
		s.empty = s.p.isZero(args[0])
		if !s.empty && (s.p.local(args[0]) == nil || s.p.local(args[0]) != s.p.local(args[1])) {
			return false
		}
	}
	return !s.p.constant(s.size) && types.Identical(s.p.typeOf(s.size), types.Typ[types.Int])
}

// seen reports whether somebody may see the capacity of the slice: by cap, by slicing beyond the length, or by an append that would have
// copied what another slice has, as one to which the variable is set back.
func (s *stackedSlice) seen(made ssa.Value) bool {
	var own []token.Pos
	for _, m := range s.p.mentions(s.p.unit, s.v) {
		value, ok := m.assigned()
		if !ok {
			continue
		}
		call := s.p.appendCallOf(value)
		if call == nil || s.p.local(call.Args[0]) != s.v || s.p.useOf(m, s.v) != growsIt {
			return true
		}
		own = append(own, call.Pos(), call.Lparen)
	}
	u := s.p.unaskedValues(own, made)
	return u.asked || len(u.grows) > 0 && u.wrote && !s.p.roomUnseen(s.v, s.v.Pos(), s.v.Pos(), true)
}

// appendCallOf returns an expression as a call of append, or of a function of the standard library that appends to its first operand; nil if it is neither.
func (p *Line) appendCallOf(e ast.Expr) *ast.CallExpr {
	if call := p.builtin(e, "append"); call != nil || e == nil {
		return call
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	if fn := p.callee(call); fn == nil || !appends(fn.FullName()) || !p.isStandard(fn) {
		return nil
	}
	return call
}

// A sliceRoom is a number of elements on the stack, and what it saves.
type sliceRoom struct {
	elems int64
	fit   float64 // share of the slices that need no more
	saved float64 // share of the bytes that these have
}

// Bounds of arrays on the stack. The compiler has slices of a computed size on the stack up to alreadyOnStack bytes, since Go 1.25. An
// array is zeroed in each call, 64 bytes in about a nanosecond, and the smallest allocation takes twenty: so what is zeroed for nothing
// is small beside what is saved if the array is at most mostZeroed times the mean size of the slices in it. One of fewer than leastArray
// bytes would not be cheaper, and would be too small for the slices of other inputs.
const (
	alreadyOnStack = 32
	leastArray     = 128
	mostZeroed     = 4
)

// sliceRoom returns the room, a power of two of elements, of 128 to 512 bytes, that nine tenths of the slices which are made there need no
// more than; its elems are 0 if there is none, or if too few were sampled.
func (p *Line) sliceRoom(made *ssa.MakeSlice) (room sliceRoom) {
	o, ok := p.observe(map[prof.Frame]bool{{File: p.site.File, Line: p.site.Line}: true}, false, directly)
	each := p.elemBytes(made.Type())
	if !ok {
		return room
	}
	for elems := int64(2); elems*each <= mostOnStack; elems *= 2 {
		var fit, below, all int64
		for _, step := range o.steps {
			all += step.Bytes * step.Objects
			if step.Bytes/each <= elems && step.Bytes > alreadyOnStack {
				fit += step.Objects
				below += step.Bytes * step.Objects
			}
		}
		if elems*each < leastArray || float64(fit) < mostEnds*float64(o.objects) {
			continue
		}
		saved := float64(below) / float64(all)
		if saved < leastOnStack || elems*each*fit > mostZeroed*below {
			return room
		}
		return sliceRoom{elems: elems, fit: float64(fit) / float64(o.objects), saved: saved}
	}
	return room
}

// onlyOnStack reports whether the compiler would put a slice on the stack if its size were constant: the slice does not leave its function,
// and no function that gets it keeps it, as far as the compiler can tell. Where the compiler was asked, it has no reason for the heap.
func (p *Line) onlyOnStack(made *ssa.MakeSlice) bool {
	if at := p.fset.Position(made.Pos()); p.Reasons != nil && len(p.Reasons(at.Filename, at.Line)) > 0 {
		return false
	}
	f := p.follower(nil, made)
	fate := f.all(refers)
	if !fate.stays() || fate.lends() || len(fate.toValues) > 0 {
		return false
	}
	for v, how := range f.seen {
		if _, joined := v.(*ssa.Phi); how != refers || joined && repeats(made.Block()) {
			return false // a variable may have it in the next iteration
		}
		if slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool { return !p.usedInPlace(v, in) }) {
			return false
		}
	}
	return true
}

// usedInPlace reports whether an instruction uses a slice, or the address of an element, and leaves it where it is, as the compiler sees it.
func (p *Line) usedInPlace(v ssa.Value, in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.MakeInterface, *ssa.MakeClosure, *ssa.Defer, *ssa.Go, *ssa.SliceToArrayPointer:
		return false
	case *ssa.Store:
		return in.Val != v
	case *ssa.Phi:
		return types.Identical(in.Type(), v.Type()) && !isPointer(v)
	case *ssa.Slice: // of an array in an element, too
		return !isPointer(v)
	case *ssa.Call:
		if isPointer(v) {
			return false // the address of an element
		}
		if _, ok := in.Call.Value.(*ssa.Builtin); ok {
			return true
		}
		callee := in.Call.StaticCallee()
		switch {
		case callee == nil:
			return false
		case len(callee.Blocks) > 0:
			return !p.leadsBack(callee) // the compiler does not tell the calls of a recursion apart
		}
		return p.isOfStandard(callee) && keepsNoSlice(callee)
	}
	return true
}

func isPointer(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok
}

// keepsNoSlice reports whether the compiler knows that a function of the standard library keeps no slice which it is given, but in what it
// returns.
func keepsNoSlice(fn *ssa.Function) bool {
	name := fullName(fn)
	switch {
	case lendsOn[name], wraps[name], strings.HasPrefix(name, "hash/crc32."), strings.Contains(name, "testing"), strings.Contains(name, "log."):
		return false // crc32 calls a function value
	case appends(name), onlyCopies(name), ofElements[name], sortsElements[name], slices.Contains(looksAtElements, name):
		return true
	}
	for result := range fn.Signature.Results().Variables() {
		if elementsPoint(result.Type()) {
			return false // parts of the slice are elements of another, which is on the heap
		}
	}
	return givesParts(name)
}

// edits are the change: nil if it cannot be written.
func (s *stackedSlice) edits() []Edit {
	p := s.p
	indent := p.indent(s.stmt)
	before := p.textBetween(p.fset.File(s.stmt.Pos()).LineStart(p.line(s.stmt.Pos())), s.stmt.Pos())
	after, _, _ := strings.Cut(p.textBetween(s.stmt.End(), s.decl.End()), "\n")
	if before != indent || slices.Contains([]string{"len", "cap", "min"}, s.v.Name()) || hasShift(s.size) || strings.TrimSpace(after) != "" || p.commentedBetween(s.stmt.Pos(), s.stmt.End()) ||
		strings.Contains(p.text(s.stmt), "\n") || hasLiteral(s.size) {
		return nil
	}
	if p.directed(s.stmt) {
		return nil
	}
	first, lines := s.lines(indent)
	text := strings.Join(lines, "\n"+indent)
	if !p.means(s.stmt.Pos(), text, "make", "len", "cap") {
		return nil
	}
	e := p.edit(s.stmt.Pos(), s.stmt.End(), text)
	e.Stack = first
	return []Edit{e}
}

// lines are the statements in the place of the declaration, at an indentation, and the one of them that makes the slice on the stack. A slice with a
// length is cut to it: all of the memory is zero.
func (s *stackedSlice) lines(indent string) (first string, lines []string) {
	v, of, begin, n := s.v.Name(), s.p.text(s.call.Args[0]), "", s.p.text(ast.Unparen(s.size))
	large := ""
	if s.empty {
		large = "0, "
	}
	switch {
	case s.empty && !s.repeatable():
		name := s.freshName("n", "size")
		begin, n = name+" := "+formatted(n)+"; ", name
	case !s.empty && !s.isShort(s.size):
		name := s.freshName("size", "n")
		lines, n = []string{name + " := " + formatted(n)}, name
	}
	first = fmt.Sprintf("%s := make(%s, 0, %d)", v, of, s.room.elems)
	lines = append(append(lines, withNote(indent, first, stackNote(s.room.elems, s.made.Type()))...),
		fmt.Sprintf("if %s%s > cap(%s) {", begin, n, v),
		fmt.Sprintf("\t%s = make(%s, %s%s)", v, of, large, n),
		"}")
	if !s.empty {
		lines = append(lines, formatted(fmt.Sprintf("%s = %[1]s[:%s]", v, n)))
	}
	return first, lines
}

// freshName is the first of two names that nothing in the function has, or the second with a number.
func (s *stackedSlice) freshName(first, second string) string {
	if name := s.localName(first); name == first {
		return name
	}
	return s.localName(second)
}

// isShort reports whether a size may be written three times: it is a variable that nothing else changes, the length of one, or the sum or
// difference of two of these or of one and a constant.
func (s *stackedSlice) isShort(size ast.Expr) bool {
	if sum, ok := ast.Unparen(size).(*ast.BinaryExpr); ok && (sum.Op == token.ADD || sum.Op == token.SUB) {
		return s.isSteady(sum.X) && s.isSteady(sum.Y)
	}
	return s.isSteady(size)
}

// isSteady reports whether a number is a constant, a variable that nothing else changes, or the length of one.
func (s *stackedSlice) isSteady(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call := s.p.builtin(e, "len"); call != nil {
		if _, varies := s.p.typeOf(call.Args[0]).Underlying().(*types.Chan); varies {
			return false
		}
		e = call.Args[0]
	}
	v := s.p.local(e)
	return s.p.constant(e) || v != nil && !s.p.sharedVariable(v)
}

// repeatable reports whether the size needs no name: it is a local variable that nothing else changes, or the length of one.
func (s *stackedSlice) repeatable() bool {
	call := s.p.builtin(ast.Unparen(s.size), "len")
	v := s.p.local(s.size)
	return call != nil && s.isSteady(s.size) || v != nil && !s.p.sharedVariable(v)
}

// hasShift reports whether an expression has a shift: a constant that it shifts has the type int in make, and another one elsewhere.
func hasShift(e ast.Expr) bool {
	return below(e, func(n ast.Node) bool {
		shift, ok := n.(*ast.BinaryExpr)
		return ok && (shift.Op == token.SHL || shift.Op == token.SHR)
	})
}

// hasLiteral reports whether an expression has a literal with braces, which the header of an if statement may not begin with.
func hasLiteral(e ast.Expr) bool {
	return below(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CompositeLit, *ast.FuncLit:
			return true
		}
		return false
	})
}
