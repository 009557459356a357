package lever

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// sliceForm is that of a slice: of elements with pointers, none is left in it when it is put back.
func (x *pooling) sliceForm(name string, t *types.Slice) *poolForm {
	m := x.p.builtin(ast.Unparen(x.value), "make")
	pointers := pointsInto(t.Elem())
	if m == nil || hasTypeParameter(t.Elem()) || x.p.pkg.TypesSizes == nil || len(m.Args) == 3 && !x.p.isZero(m.Args[1]) {
		return nil
	}
	array, ok := ast.Unparen(m.Args[0]).(*ast.ArrayType)
	if !ok || !x.confinedTo(pointers) {
		return nil
	}
	elem := x.packageWide(array.Elt)
	size := x.p.pkg.TypesSizes.Sizeof(t.Elem())
	if elem == "" || size == 0 || size > mostKept {
		return nil
	}
	s := &pooledSlice{pooling: x, name: name, elem: elem, size: size, count: m.Args[len(m.Args)-1], empty: len(m.Args) == 3, pointers: pointers,
		memory: x.localName(x.v.Name() + "p")}
	var f *poolForm
	switch {
	case s.empty && x.growsInPlace():
		f = s.growing()
	case x.p.constant(s.count):
		f = s.array()
	default:
		f = s.exact()
	}
	if f != nil {
		f.pool = x.declare(x.declaration(name, f))
	}
	return f
}

// A pooledSlice is a slice whose memory is pooled.
type pooledSlice struct {
	*pooling
	name   string // of the pool
	memory string // the variable that keeps what is put back
	elem   string
	size   int64 // of an element
	count  ast.Expr
	empty  bool // its length is 0

	pointers bool // its elements may keep objects: they are zeroed before the memory is put back
}

// mostArray is the size in bytes of the largest array that is pooled.
const mostArray = 1 << 20

// array is the form of a slice of a constant capacity: what is pooled is an array.
func (s *pooledSlice) array() *poolForm {
	n, ok := constant.Int64Val(constant.ToInt(s.p.pkg.TypesInfo.Types[s.count].Value))
	if !ok || n > mostArray/s.size || n*s.size < leastPooled {
		return nil
	}
	length := strconv.FormatInt(n, 10)
	if s.outsideConstant(s.count) && !s.p.commentedBetween(s.count.Pos(), s.count.End()) {
		length = s.p.text(s.count)
	} else if s.p.object(s.count) == nil {
		return nil // a package may be used for nothing else
	}
	fresh := formatted(fmt.Sprintf("new([%s]%s)", length, s.elem))
	f := &poolForm{things: "the array", fresh: fresh, taken: "*" + fresh[len("new("):len(fresh)-1]}
	part := "[:]"
	if s.empty {
		part = "[:0]"
	}
	f.get = []string{fmt.Sprintf("%s := %s.Get().(%s)", s.memory, s.name, f.taken), fmt.Sprintf("%s := %s%s", s.v.Name(), s.memory, part)}
	zero := s.zeroed(s.memory+"[:]", s.memory)
	if zero == nil {
		return nil
	}
	f.put = []string{s.name + ".Put(" + s.memory + ")"}
	if s.pointers {
		f.put = append(zero, f.put...)
	} else {
		f.ready = zero
	}
	return f
}

// exact is the form of a slice whose length or capacity is a variable: it is as long as before, and has as much room.
func (s *pooledSlice) exact() *poolForm {
	n, grow, ok := s.enough()
	if !ok {
		return nil
	}
	whole, length, memory := fmt.Sprintf("(*%s)[:%s:%[2]s]", s.memory, n), s.v.Name(), s.v.Name()
	if s.empty {
		whole = fmt.Sprintf("(*%s)[:0:%s]", s.memory, n)
	}
	if s.empty || s.pointers { // the variable may have another slice by then
		memory = "(*" + s.memory + ")"
		length = fmt.Sprintf("%s[:%s]", memory, n)
	}
	f := &poolForm{things: "the slice", fresh: "new([]" + s.elem + ")", taken: "*[]" + s.elem}
	f.get = append([]string{fmt.Sprintf("%s := %s.Get().(%s)", s.memory, s.name, f.taken)}, grow...)
	f.get = append(f.get, s.v.Name()+" := "+whole)
	zero, put := s.zeroed(length, memory), []string{s.name + ".Put(" + s.memory + ")"}
	if zero == nil {
		return nil
	}
	if s.pointers {
		put = append(zero, put...)
	} else {
		f.ready = zero
	}
	f.put = unlessLarge("slice", fmt.Sprintf("cap(*%s) <= %s", s.memory, s.bound()), put...)
	return f
}

// growing is the form of an empty slice that only grows: what it has grown to is kept.
func (s *pooledSlice) growing() *poolForm {
	f := &poolForm{things: "the slice", fresh: "new([]" + s.elem + ")", taken: "*[]" + s.elem}
	f.get = []string{fmt.Sprintf("%s := %s.Get().(%s)", s.memory, s.name, f.taken)}
	if s.p.constant(s.count) {
		if !s.outsideConstant(s.count) || s.p.commentedBetween(s.count.Pos(), s.count.End()) {
			return nil
		}
		f.fresh = fmt.Sprintf("\ts := make([]%s, 0, %s)\n\treturn &s", s.elem, s.p.text(s.count))
	} else {
		_, grow, ok := s.enough()
		if !ok {
			return nil
		}
		f.get = append(f.get, grow...)
	}
	v := s.v.Name()
	f.get = append(f.get, fmt.Sprintf("%s := (*%s)[:0]", v, s.memory))
	put := []string{fmt.Sprintf("*%s = %s", s.memory, v), s.name + ".Put(" + s.memory + ")"}
	if s.pointers {
		used := v
		if s.shortened() {
			used = fmt.Sprintf("%s[:cap(%[1]s)]", v)
		}
		zero := s.zeroed("*"+s.memory, "(*"+s.memory+")")
		if zero == nil {
			return nil
		}
		put = slices.Concat([]string{fmt.Sprintf("*%s = %s", s.memory, used)}, zero, put[1:])
	}
	f.put = unlessLarge("slice", fmt.Sprintf("cap(%s) <= %s", v, s.bound()), put...)
	return f
}

// shortened reports whether the variable may get a shorter part of itself.
func (s *pooledSlice) shortened() bool {
	return slices.ContainsFunc(s.p.mentions(s.p.unit, s.v), func(m mention) bool {
		value, assigned := m.assigned()
		_, part := ast.Unparen(value).(*ast.SliceExpr)
		return assigned && value != nil && part
	})
}

// formatted is an expression as gofmt has it.
func formatted(expr string) string {
	const before = "package p\n\nvar v = "
	if out, err := format.Source([]byte(before + expr)); err == nil {
		return strings.TrimSpace(strings.TrimPrefix(string(out), before))
	}
	return expr
}

// bound is the number of elements above which a slice is not put back.
func (s *pooledSlice) bound() string {
	if s.size == 1 {
		return "64<<10"
	}
	return strconv.FormatInt(mostKept/s.size, 10)
}

// enough returns the capacity, a variable or its length, and the statements that make memory of it unless there is enough:
// make panics for a negative one.
func (s *pooledSlice) enough() (n string, grow []string, ok bool) {
	if !types.Identical(s.p.typeOf(s.count), types.Typ[types.Int]) || s.p.commentedBetween(s.count.Pos(), s.count.End()) {
		return "", nil, false
	}
	n = s.p.text(s.count)
	never := false // negative
	count := ast.Unparen(s.count)
	if s.pointers {
		count = nil // a variable may have another value when the memory is put back
	}
	switch e := count.(type) {
	case *ast.Ident:
		if s.p.local(e) == nil {
			return "", nil, false
		}
	case *ast.CallExpr:
		if s.p.builtin(e, "len") == nil || s.p.local(e.Args[0]) == nil {
			return "", nil, false
		}
		never = true
	default:
		name := s.localName("size")
		grow, n = []string{name + " := " + formatted(n)}, name
	}
	cond := fmt.Sprintf("*%s == nil || cap(*%s) < %s", s.memory, s.memory, n) // what make makes is not nil
	if !never {
		cond = n + " < 0 || " + cond
	}
	made := fmt.Sprintf("make([]%s, %s)", s.elem, n)
	return n, append(grow, "if "+cond+" {", fmt.Sprintf("\t*%s = %s", s.memory, made), "}"), true
}

// growsInPlace reports whether all that is done with the slice is to append to it, to shorten it, and to use its
// elements: nothing can tell whether it has grown within its room.
func (x *pooling) growsInPlace() bool {
	if x.setOtherwise() {
		return false
	}
	w := &view{pooling: x, grows: func(in ssa.CallInstruction) bool {
		_, plain := in.(*ssa.Call)
		return plain && in.Parent() == x.home
	}}
	for v := range x.flow.seen {
		if v.Parent() == x.home && !x.ownAppend(v) {
			return false
		}
	}
	return x.everyUse(w.same)
}

// ownAppend reports whether a value of the function is not the result of a call, or is what the slice has grown to.
func (x *pooling) ownAppend(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Extract, *ssa.FieldAddr:
		return false
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		return callsBuiltin(v, "append") || callee != nil && len(callee.Blocks) == 0 && appendsText(fullName(callee))
	}
	return true
}

// setOtherwise reports whether something is done with the variable by which two slices share memory, or the slice has
// other elements than were appended.
func (x *pooling) setOtherwise() bool {
	for _, m := range x.p.mentions(x.p.unit, x.v) {
		switch n := m.parent().(type) {
		case *ast.AssignStmt:
			if value, ok := m.assigned(); !ok || len(n.Lhs) != 1 || value == nil || !x.fromItself(value) {
				return true
			}
		case *ast.IndexExpr:
			if u, ok := innermost(stackOf(x.p.file, n)).(*ast.UnaryExpr); ok && u.Op == token.AND || n.X != m.id && n.Index != m.id {
				return true
			}
		case *ast.RangeStmt:
			if n.X != m.id || x.setIn(n.Body) {
				return true
			}
		case *ast.SliceExpr:
			if !x.argument(n) && !x.ofAssignment(n) {
				return true
			}
		case *ast.CallExpr:
			if first := x.appended(n); first == m.id && !x.ofAssignment(n) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// setIn reports whether a block assigns to the variable.
func (x *pooling) setIn(block *ast.BlockStmt) bool {
	return slices.ContainsFunc(x.p.mentions(x.p.unit, x.v), func(m mention) bool {
		_, assigned := m.assigned()
		return assigned && block.Pos() <= m.id.Pos() && m.id.Pos() < block.End()
	})
}

// argument reports whether an expression is what a call or conversion is given.
func (x *pooling) argument(e ast.Expr) bool {
	call, ok := innermost(stackOf(x.p.file, e)).(*ast.CallExpr)
	return ok && x.appended(call) != e
}

// ofAssignment reports whether an expression is all that is assigned to the variable.
func (x *pooling) ofAssignment(e ast.Expr) bool {
	assign, ok := innermost(stackOf(x.p.file, e)).(*ast.AssignStmt)
	return ok && len(assign.Lhs) == 1 && assign.Tok == token.ASSIGN && x.p.object(assign.Lhs[0]) == x.v
}

// fromItself reports whether a value is the slice with something appended to it, or a shorter part from its beginning.
func (x *pooling) fromItself(value ast.Expr) bool {
	switch e := ast.Unparen(value).(type) {
	case *ast.CallExpr:
		first := x.appended(e)
		return first != nil && x.p.object(first) == x.v
	case *ast.SliceExpr:
		return e.Low == nil && e.Max == nil && x.p.object(e.X) == x.v
	}
	return false
}

// appended is the slice that a call appends to; nil for other calls.
func (x *pooling) appended(call *ast.CallExpr) ast.Expr {
	if x.p.builtin(call, "append") != nil {
		return call.Args[0]
	}
	if callee := x.p.callee(call); callee != nil && appendsText(callee.FullName()) {
		return call.Args[0]
	}
	return nil
}
