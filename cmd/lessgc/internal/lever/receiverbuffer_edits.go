package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A receiverSpace is a variable of a method whose memory becomes a new field of the receiver.
type receiverSpace struct {
	*pooling
	recv  *ssa.Parameter
	named *types.Named // the receiver points to it
	field string       // the new field, of the method and the variable only

	typ   string   // of the field
	start []string // the statements in the place of the declaration
	ready []string // those after it, on lines of their own
	end   []string // those at the end of the use
	moves bool     // end takes away what the variable has: no expression may use it after that
}

// mostInField is the size in bytes of the largest array that is part of each receiver, whether the method is called or not.
const mostInField = 512

// receiverEdits makes the memory of a variable of a method a field of its receiver: nil if it cannot be shown that nothing else can
// tell. what is Finding.What.
func (p *Line) receiverEdits(o object) (edits []Edit, what string) {
	x := p.receiverVariable(o.value)
	if x == nil || x.p.fn.node != ast.Node(x.decl) || x.p.pkg.TypesSizes == nil || x.p.smallShare(true) < leastSmall {
		return nil, ""
	}
	named, _ := receiverOf(x.home)
	if named == nil || !hasUnexportedField(named) {
		return nil, ""
	}
	s := &receiverSpace{pooling: x, recv: x.home.Params[0], named: named}
	name := s.recv.Name()
	if name == "" || name == "_" || !x.p.steady(s.recv.Object(), x.stmt.Pos()) {
		return nil, ""
	}
	s.field = s.newField()
	ok := false
	switch t := x.v.Type().Underlying().(type) {
	case *types.Array:
		ok = s.array(t)
	case *types.Slice:
		ok = s.slice(t)
	case *types.Map:
		ok = s.mapping(t)
	}
	if !ok || !s.placed() || !s.dereferenced() || !p.extendable(named, s.field) || p.leadsBack(x.home) || !s.alone() {
		return nil, ""
	}
	edits = p.addField(named, s.field, s.typ, fmt.Sprintf("is the memory of %s in %s, kept for the next call.", x.v.Name(), x.decl.Name.Name))
	uses := s.uses()
	if edits == nil || uses == nil {
		return nil, ""
	}
	return append(edits, uses...), "keep " + withKind(x.v) + " in the receiver"
}

// receiverVariable is the variable whose memory the line makes, or makes larger by append. A slice may begin as nil.
func (p *Line) receiverVariable(made ssa.Value) *pooling {
	call, grows := made.(*ssa.Call)
	if !grows {
		return p.temporaryVariable(made)
	}
	v := p.sliceHere()
	if v == nil || !callsBuiltin(call, "append") {
		return nil
	}
	return p.variableAt(v.Pos(), made)
}

// hasUnexportedField reports whether a struct has a field that other packages cannot name: what looks at all fields by reflection
// meets one already.
func hasUnexportedField(named *types.Named) bool {
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}

// newField is a name for the field that nothing in the package has: of the method, and the variable if that has a word for it.
func (s *receiverSpace) newField() string {
	what := s.v.Name()
	if len(what) <= 2 {
		what = "scratch"
	}
	method := lower(s.decl.Name.Name)
	if strings.HasPrefix(strings.ToLower(what), strings.ToLower(method)) {
		return s.newName(lower(what) + "Scratch")
	}
	return s.newName(method + upper(what))
}

// at is the field as an expression.
func (s *receiverSpace) at() string { return s.recv.Name() + "." + s.field }

// anywhere reports whether a type or constant means the same in the file that declares the struct: it is of no import, or that is this file.
func (s *receiverSpace) anywhere(text string) bool {
	return !strings.Contains(text, ".") || s.p.unitOf(s.named.Obj().Pos()).file == s.p.file
}

// placed reports whether the struct is declared in a file that each build has in which the method is.
func (s *receiverSpace) placed() bool {
	u := s.p.unitOf(s.named.Obj().Pos())
	return u != nil && (u.file == s.p.file || !s.p.forSome(u) && !s.p.forSome(s.p.unit))
}

// array has the variable point to an array in the receiver.
func (s *receiverSpace) array(t *types.Array) bool {
	size := s.p.pkg.TypesSizes.Sizeof(t)
	decl, ok := s.stmt.(*ast.DeclStmt)
	if !ok || s.value != nil || size == 0 || size > mostInField || pointsInto(t) || hasTypeParameter(t) || !s.followsPointer() || !s.confinedTo(false) {
		return false
	}
	typ, ok := decl.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type.(*ast.ArrayType)
	if !ok || s.packageWide(typ.Elt) == "" {
		return false
	}
	s.typ = "[" + s.length(typ.Len, t.Len()) + "]" + s.packageWide(typ.Elt)
	v := s.v.Name()
	s.start = []string{v + " := &" + s.at()}
	if !s.writtenFirst(t.Len()) {
		if s.p.goes("1.21") && s.means("clear") {
			s.ready = []string{"clear(" + v + "[:])"}
		} else {
			s.ready = []string{"*" + v + " = " + s.p.text(typ) + "{}"}
		}
	}
	return s.anywhere(s.typ)
}

// length is the length of an array as the source has it, if that means the same where the struct is declared, or as a number.
func (s *receiverSpace) length(e ast.Expr, n int64) string {
	if e != nil && s.outsideConstant(e) && !s.p.commentedBetween(e.Pos(), e.End()) && s.anywhere(s.p.text(e)) && !below(e, func(n ast.Node) bool { _, call := n.(*ast.CallExpr); return call }) {
		return s.p.text(e)
	}
	return strconv.FormatInt(n, 10)
}

// followsPointer reports whether all that is done with an array is written the same for a pointer to one.
func (s *receiverSpace) followsPointer() bool {
	return !slices.ContainsFunc(s.p.mentions(s.p.unit, s.v), func(m mention) bool {
		switch n := m.parent().(type) {
		case *ast.SliceExpr:
			return n.X != ast.Expr(m.id)
		case *ast.IndexExpr:
			return n.X != ast.Expr(m.id)
		case *ast.CallExpr:
			return s.p.builtin(n, "len") == nil && s.p.builtin(n, "cap") == nil
		case *ast.RangeStmt:
			return n.X != ast.Expr(m.id) || n.Value != nil
		}
		return true
	})
}

// slice is the form of a slice: of a constant length, or one that begins empty and grows.
func (s *receiverSpace) slice(t *types.Slice) bool {
	size := s.p.pkg.TypesSizes.Sizeof(t.Elem())
	if size == 0 || size > mostKept || hasTypeParameter(t.Elem()) {
		return false
	}
	m := s.p.builtin(ast.Unparen(s.value), "make")
	if m != nil && len(m.Args) == 2 && s.p.constant(m.Args[1]) {
		return s.fixed(m, t, size)
	}
	return !s.loop && s.growing(m, t, size)
}

// fixed is the form of a slice that make makes with a constant length: an array in the receiver, or one that it refers to if that is large.
// Length and capacity are the same.
func (s *receiverSpace) fixed(m *ast.CallExpr, t *types.Slice, size int64) bool {
	n, ok := constant.Int64Val(constant.ToInt(s.p.pkg.TypesInfo.Types[m.Args[1]].Value))
	array, isArray := ast.Unparen(m.Args[0]).(*ast.ArrayType)
	if !ok || !isArray || n <= 0 || n > mostKept/size || pointsInto(t.Elem()) || !s.confinedTo(false) {
		return false
	}
	elem := s.packageWide(array.Elt)
	if elem == "" || !s.outsideConstant(m.Args[1]) && s.p.object(m.Args[1]) == nil {
		return false
	}
	v := s.v.Name()
	ps := &pooledSlice{pooling: s.pooling, elem: elem}
	if n*size <= mostInField {
		s.typ = "[" + s.length(m.Args[1], n) + "]" + elem
		s.start = []string{v + " := " + s.at() + "[:]"}
	} else {
		if !s.means("nil", "make") {
			return false
		}
		s.typ = "[]" + elem
		s.start = []string{"if " + s.at() + " == nil {", "\t" + s.at() + " = " + s.p.text(m), "}", v + " := " + s.at()}
	}
	if !s.writtenFirst(n) {
		if s.ready = ps.zeroed(v, v); s.ready == nil {
			return false
		}
	}
	return s.anywhere(s.typ)
}

// growing is the form of a slice that begins empty, and to which append adds: the receiver keeps what it has grown to.
func (s *receiverSpace) growing(m *ast.CallExpr, t *types.Slice, size int64) bool {
	typ := s.emptySlice(m)
	if typ == nil || typ.Len != nil || !s.means("nil", "cap", "append") {
		return false
	}
	elem := s.packageWide(typ.Elt)
	if elem == "" || !s.grown() {
		return false
	}
	pointers := pointsInto(t.Elem())
	if !s.confinedTo(pointers) || !s.growsInPlace() || s.value == nil && s.givesNil() {
		return false
	}
	ps := &pooledSlice{pooling: s.pooling, elem: elem, size: size, empty: true, pointers: pointers, memory: s.at()}
	v, indent := s.v.Name(), s.p.indent(s.stmt)
	s.typ = "[]" + elem
	if m != nil && !s.p.constant(m.Args[2]) {
		if ps.count = m.Args[2]; !s.means("make") {
			return false
		}
		_, grow, ok := ps.enough()
		if !ok {
			return false
		}
		for _, line := range grow {
			s.start = append(s.start, strings.ReplaceAll(line, "*"+s.at(), s.at()))
		}
	} else if m != nil {
		n, ok := constant.Int64Val(constant.ToInt(s.p.pkg.TypesInfo.Types[m.Args[2]].Value))
		if !ok || n > mostKept/size || !s.means("make") || !s.outsideConstant(m.Args[2]) && s.p.object(m.Args[2]) == nil {
			return false
		}
		s.start = []string{"if " + s.at() + " == nil {", "\t" + s.at() + " = " + s.p.text(m), "}"}
	}
	s.start = append(s.start, v+" := "+s.at()+"[:0]")
	if !pointers {
		dropped := indented(withNote(indent+"\t", s.at()+" = nil", dropsLarge))
		s.end = slices.Concat([]string{fmt.Sprintf("if %s = %s; cap(%[2]s) > %s {", s.at(), v, ps.bound())}, dropped, []string{"}"})
		return s.anywhere(s.typ)
	}
	used := v
	if ps.shortened() {
		used = fmt.Sprintf("%s[:cap(%[1]s)]", v)
	}
	zero := ps.zeroed(used, v)
	if zero == nil || used != v && !s.p.goes("1.21") {
		return false
	}
	s.moves = true
	s.start = append(s.start, withNote(indent, s.at()+" = nil", "until the pointers in "+v+" are cleared")...)
	s.end = slices.Concat(withNote(indent, fmt.Sprintf("if cap(%s) <= %s {", v, ps.bound()), dropsLarge), indented(append(zero, s.at()+" = "+v)), []string{"}"})
	return s.anywhere(s.typ)
}

// dropsLarge is the comment where memory of more than a call mostly needs is dropped.
const dropsLarge = "memory of a large call is not kept"

// emptySlice is the type, as it is written, of a slice that is declared without elements; nil for another.
func (s *receiverSpace) emptySlice(m *ast.CallExpr) *ast.ArrayType {
	var typ ast.Expr
	switch value := ast.Unparen(s.value).(type) {
	case nil:
		if decl, ok := s.stmt.(*ast.DeclStmt); ok {
			typ = decl.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Type
		}
	case *ast.CompositeLit:
		if len(value.Elts) == 0 {
			typ = value.Type
		}
	case *ast.CallExpr:
		if m != nil && len(m.Args) == 3 && s.p.isZero(m.Args[1]) {
			typ = m.Args[0]
		}
	}
	array, _ := typ.(*ast.ArrayType)
	return array
}

// grown finds the memory of the slice: what it is made with, and the results of append. It reports whether there is any.
func (s *receiverSpace) grown() bool {
	appends := map[token.Pos]bool{}
	for _, m := range s.p.mentions(s.p.unit, s.v) {
		if value, ok := m.assigned(); ok && value != nil {
			if call, ok := ast.Unparen(value).(*ast.CallExpr); ok {
				appends[call.Lparen] = true
			}
		}
	}
	var all []ssa.Value
	for _, b := range s.home.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Call:
				if appends[in.Pos()] {
					all = append(all, in)
				}
			case *ssa.Alloc, *ssa.MakeSlice:
				if s.value != nil && s.value.Pos() <= in.Pos() && in.Pos() < s.value.End() {
					all = append(all, in.(ssa.Value))
				}
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	s.made, s.more = all[0], all[1:]
	return true
}

// givesNil reports whether the slice, which begins as nil, is used as such otherwise than by the language: what is done with nil may differ
// from what is done with an empty slice.
func (s *receiverSpace) givesNil() bool {
	for _, b := range s.home.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Phi, *ssa.Store, *ssa.Return:
				continue
			case *ssa.Call:
				if _, builtin := in.Call.Value.(*ssa.Builtin); builtin {
					continue
				}
			}
			for _, operand := range in.Operands(nil) {
				if *operand != nil && isNilConst(*operand) && types.Identical((*operand).Type(), s.v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// lengthBeside reports whether an expression is the length of a variable that is used elsewhere, too: it can be left out.
func (s *receiverSpace) lengthBeside(e ast.Expr) bool {
	call := s.p.builtin(ast.Unparen(e), "len")
	if call == nil {
		return false
	}
	v := s.p.local(call.Args[0])
	return v != nil && len(s.p.mentions(s.p.unit, v)) > 1
}

// mapping is the form of a map. One that refers to nothing is cleared at the next call, the others at the end of this one.
func (s *receiverSpace) mapping(t *types.Map) bool {
	var of ast.Expr
	fresh := ""
	switch e := ast.Unparen(s.value).(type) {
	case *ast.CompositeLit:
		if len(e.Elts) == 0 {
			of, fresh = e.Type, s.p.text(e)
		}
	case *ast.CallExpr:
		if s.p.builtin(e, "make") == nil {
			break
		}
		switch {
		case len(e.Args) == 1 || s.outsideConstant(e.Args[1]):
			of, fresh = e.Args[0], s.p.text(e)
		case s.lengthBeside(e.Args[1]): // of this call: a map that is made for it would be slow to clear for the next
			of, fresh = e.Args[0], "make("+s.p.text(e.Args[0])+")"
		}
	}
	if of == nil || s.loop || hasTypeParameter(t) || s.setAgain(false) || !s.means("nil", "len", "make") || s.p.commentedBetween(s.value.Pos(), s.value.End()) || !s.confinedTo(false) ||
		!s.everyUse(func(v ssa.Value, in ssa.Instruction) bool { return !shrinksMap(in) }) {
		return false
	}
	v, at, indent := s.v.Name(), s.at(), s.p.indent(s.stmt)
	if s.typ = s.packageWide(of); s.typ == "" || !s.anywhere(s.typ) {
		return false
	}
	if pointsInto(t.Key()) || pointsInto(t.Elem()) {
		empty := s.emptyMap(v)
		s.start = []string{v + " := " + at, fmt.Sprintf("if %s = nil; %s == nil {", at, v), "\t" + v + " = " + fresh, "}"}
		s.end = slices.Concat(withNote(indent, fmt.Sprintf("if len(%s) <= %d {", v, s.p.keptEntries(s.made)), dropsLarge), indented(append(slices.Clone(empty), at+" = "+v)), []string{"}"})
		s.moves = true
		return empty != nil
	}
	empty := s.emptyMap(at)
	s.start = slices.Concat(withNote(indent, fmt.Sprintf("if %s == nil || len(%[1]s) > %d {", at, s.p.keptEntries(s.made)), dropsLarge),
		[]string{"\t" + at + " = " + fresh, "} else {"}, indented(empty), []string{"}", v + " := " + at})
	return empty != nil
}

// uses makes the edits in the method; nil if there is no place for them.
func (s *receiverSpace) uses() []Edit {
	f := &poolForm{get: s.start, ready: s.ready}
	var last []Edit
	if len(s.end) > 0 {
		if last = s.endEdit(); last == nil {
			f.put = s.end
		}
	}
	edits, ok := s.write(f)
	if !ok {
		return nil
	}
	return append(edits, last...)
}

// endEdit puts the statements of the end of the use where the block ends, if it does so behind its last statement only: nil if not.
func (s *receiverSpace) endEdit() []Edit {
	after := s.after()
	if len(after) == 0 {
		return nil
	}
	n := len(after) - 1
	ret, returns := after[n].(*ast.ReturnStmt)
	indent, ok := s.p.indentOf(after[n])
	if !ok {
		return nil
	}
	text := strings.Join(s.end, "\n"+indent)
	if !returns {
		at, ok := s.p.endOfLine(after[n].End())
		if s.leaves() || !ok {
			return nil
		}
		return []Edit{s.p.edit(at, at, "\n"+indent+text)}
	}
	if slices.ContainsFunc(after[:n], func(st ast.Stmt) bool { return branches(st, false, false) }) || s.moves && s.p.hasBelow(ret, s.v) {
		return nil
	}
	before := ast.Node(s.stmt)
	if n > 0 {
		before = after[n-1]
	}
	end, ok := s.p.endOfLine(before.End())
	if !ok || s.p.commentedBetween(end, ret.Pos()) {
		return nil // a comment belongs to the return
	}
	return []Edit{s.p.edit(ret.Pos(), ret.Pos(), text+"\n"+indent)}
}

// dereferenced reports whether the method would have panicked without a receiver before anything that others see.
func (s *receiverSpace) dereferenced() bool {
	if made, ok := s.made.(*ssa.Alloc); ok && dereferenced(s.recv, made) {
		return true
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := s.home.Blocks[:1:1]
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		at := slices.IndexFunc(b.Instrs, func(in ssa.Instruction) bool { return s.needsReceiver(in) || !silent(in) })
		if at < 0 {
			work = append(work, b.Succs...)
		} else if !s.needsReceiver(b.Instrs[at]) {
			return false
		}
	}
	return true
}

// needsReceiver reports whether an instruction reads or sets a field of the receiver.
func (s *receiverSpace) needsReceiver(in ssa.Instruction) bool {
	var at ssa.Value
	switch in := in.(type) {
	case *ssa.UnOp:
		at = in.X
	case *ssa.Store:
		at = in.Addr
	}
	field, ok := at.(*ssa.FieldAddr)
	return ok && field.X == ssa.Value(s.recv)
}

// silent reports whether nothing but the memory of the function shows that an instruction was executed.
func silent(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		_, local := base(in.Addr).(*ssa.Alloc)
		return local
	case *ssa.MapUpdate:
		_, local := in.Map.(*ssa.MakeMap)
		return local
	case *ssa.Call:
		return unseen(in)
	case ssa.CallInstruction, *ssa.Send, *ssa.Select, *ssa.Panic, *ssa.Return, *ssa.RunDefers:
		return false
	}
	return true
}

// unseen reports whether a call does nothing but with the memory that it is given.
func unseen(call *ssa.Call) bool {
	if _, builtin := call.Call.Value.(*ssa.Builtin); builtin {
		return true
	}
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	name := fullName(callee)
	return strings.HasPrefix(name, "encoding/binary.Put") || strings.HasPrefix(name, "(encoding/binary.") || strings.HasPrefix(name, "strconv.")
}
