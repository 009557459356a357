package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// movable reports whether an expression can as well be evaluated where its value is needed: it has no
// effects, and what it reads stays the same until then.
func (p *Line) movable(m making, d *demands) bool {
	e := evaluation{program: p.Program, from: m.expr.Pos(), to: m.expr.End(), read: map[string]bool{}}
	return e.operand(m.in.(ssa.Value), 0) && (len(e.read) == 0 || p.unchanged(m.in, d, e.read))
}

// evaluation finds out what evaluating an expression does besides making its value.
type evaluation struct {
	program  *Program
	from, to token.Pos // of the expression: what is computed before it stays where it is

	read map[string]bool // memory that others may change, by where: see where
}

// deepestEffect bounds operands and calls.
const deepestEffect = 12

// operand reports whether a value is computed without effects.
func (e *evaluation) operand(v ssa.Value, depth int) bool {
	in, ok := v.(ssa.Instruction)
	if !ok || depth > 0 && in.Pos().IsValid() && (in.Pos() < e.from || e.to <= in.Pos()) {
		return true
	}
	if depth > deepestEffect || !e.instruction(in, depth) {
		return false
	}
	e.noteRead(in)
	for _, operand := range in.Operands(nil) {
		if *operand != nil && !e.operand(*operand, depth+1) {
			return false
		}
	}
	made, ok := v.(*ssa.Alloc)
	return !ok || e.filled(made, depth)
}

// filled reports whether what is stored into a new object or array by the expression is computed without effects.
func (e *evaluation) filled(address ssa.Value, depth int) bool {
	for _, in := range *address.Referrers() {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Addr == address && !e.operand(in.Val, depth+1) {
				return false
			}
		case *ssa.FieldAddr:
			if !e.filled(in, depth) {
				return false
			}
		case *ssa.IndexAddr:
			if !e.filled(in, depth) {
				return false
			}
		}
	}
	return true
}

// instruction reports whether an instruction has no effects but on new memory.
func (e *evaluation) instruction(in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.UnOp:
		return in.Op != token.ARROW
	case *ssa.BinOp:
		return in.Op != token.QUO && in.Op != token.REM
	case *ssa.Convert:
		if s, ok := in.X.Type().Underlying().(*types.Slice); ok {
			e.read[typeKey(s.Elem())] = true
		}
		return true
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.Extract, *ssa.Phi, *ssa.Lookup, *ssa.TypeAssert:
		return true
	case *ssa.Call:
		return e.call(in, depth)
	}
	return false
}

// call reports whether a call has no effects.
func (e *evaluation) call(in *ssa.Call, depth int) bool {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max":
			return true
		case "append", "copy":
			e.readElements(c.Args[len(c.Args)-1].Type())
			return ownMemory(c.Args[0], in.Parent(), map[ssa.Value]bool{})
		}
		return false
	}
	callee := c.StaticCallee()
	if callee == nil {
		return false
	}
	if len(callee.Blocks) > 0 {
		return e.function(callee, depth+1)
	}
	name := fullName(callee)
	if looksUp[name] {
		e.read[name[:strings.LastIndexByte(name, '.')]] = true
		return !slices.ContainsFunc(c.Args[1:], func(v ssa.Value) bool { return !e.callback(v, depth) })
	}
	if !onlyComputes(name) {
		return false
	}
	for _, arg := range c.Args {
		if !e.given(arg) {
			return false
		}
	}
	return true
}

// looksUp holds methods that change nothing, of what others may change.
var looksUp = map[string]bool{"(*sync.Map).Load": true, "(*sync.Map).Range": true}

// callback reports whether a function that is given to another has no effects but on memory of the one that makes it.
func (e *evaluation) callback(v ssa.Value, depth int) bool {
	switch fn := v.(type) {
	case *ssa.MakeClosure:
		return e.function(fn.Fn.(*ssa.Function), depth+1)
	case *ssa.Function:
		return len(fn.Blocks) > 0 && e.function(fn, depth+1)
	}
	return immutable(v.Type()) || types.IsInterface(v.Type())
}

// readElements notes that elements of a slice are read.
func (e *evaluation) readElements(t types.Type) {
	if s, ok := t.Underlying().(*types.Slice); ok {
		e.read[typeKey(s.Elem())] = true
	}
}

// given reports whether what a function of the standard library is given has no methods that it
// would call, and notes whether it can change.
func (e *evaluation) given(arg ssa.Value) bool {
	if immutable(arg.Type()) {
		return true
	}
	s, ok := arg.(*ssa.Slice)
	if !ok {
		c, ok := arg.(*ssa.Const)
		t, isSlice := arg.Type().Underlying().(*types.Slice)
		e.readElements(arg.Type())
		return ok && c.IsNil() || isSlice && immutable(t.Elem())
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok || array.Comment != "varargs" {
		t := arg.Type().Underlying().(*types.Slice)
		e.readElements(t)
		return immutable(t.Elem())
	}
	for _, user := range *array.Referrers() {
		element, ok := user.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, in := range *element.Referrers() {
			if store, ok := in.(*ssa.Store); ok && !plainInside(store.Val) {
				return false
			}
		}
	}
	return true
}

// plainInside reports whether a value is of a basic type without methods, or an interface that has one of these.
func plainInside(v ssa.Value) bool {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	named, ok := types.Unalias(v.Type()).(*types.Named)
	return immutable(v.Type()) && (!ok || named.NumMethods() == 0)
}

// immutable reports whether values of a type cannot change: numbers, strings, and the like.
func immutable(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// onlyComputes reports whether a function of the standard library has no effects, if what it is given has no
// methods.
func onlyComputes(name string) bool {
	for _, prefix := range []string{"fmt.Sprint", "fmt.Errorf", "errors.New", "strings.", "strconv.", "path.", "path/filepath.Join", "path/filepath.Base", "path/filepath.Dir",
		"path/filepath.Ext", "path/filepath.Clean", "encoding/hex.", "net/url.QueryEscape", "net/url.PathEscape", "html.EscapeString", "unicode/utf8.", "math."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// function reports whether a function has no effects.
func (e *evaluation) function(fn *ssa.Function, depth int) bool {
	if depth > deepestEffect/3 || fn.Recover != nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if !e.inFunction(fn, in, depth) {
				return false
			}
		}
	}
	return true
}

func (e *evaluation) inFunction(fn *ssa.Function, in ssa.Instruction, depth int) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Jump, *ssa.If, *ssa.Return, *ssa.Next:
		return true
	case *ssa.Range:
		e.noteMap(in.X, fn)
		return true
	case *ssa.Store:
		return ownMemory(in.Addr, fn, map[ssa.Value]bool{})
	case *ssa.MapUpdate:
		return ownMemory(in.Map, fn, map[ssa.Value]bool{})
	case *ssa.UnOp:
		if in.Op == token.MUL && !ownMemory(in.X, fn, map[ssa.Value]bool{}) {
			e.noteWhere(in.X)
		}
	case *ssa.Lookup:
		e.noteMap(in.X, fn)
	}
	return e.instruction(in, depth)
}

// noteRead notes what an instruction of the expression itself reads: the function may change its own memory, too.
func (e *evaluation) noteRead(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			e.noteWhere(in.X)
		}
	case *ssa.Lookup:
		if isMap(in.X) {
			e.read[typeKey(in.X.Type())] = true
		}
	}
}

func (e *evaluation) noteMap(m ssa.Value, fn *ssa.Function) {
	if isMap(m) && !ownMemory(m, fn, map[ssa.Value]bool{}) {
		e.read[typeKey(m.Type())] = true
	}
}

func (e *evaluation) noteWhere(address ssa.Value) {
	for _, key := range where(address) {
		e.read[key] = true
	}
}

// ownMemory reports whether memory is made by a function itself, or by the one that it is a literal in: that is
// given nobody else meanwhile.
func ownMemory(v ssa.Value, fn *ssa.Function, seen map[ssa.Value]bool) bool {
	v = base(v)
	if seen[v] {
		return true
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return x.(ssa.Instruction).Parent() == fn
	case *ssa.Const:
		return x.IsNil()
	case *ssa.FreeVar:
		return boundTo(x, func(v ssa.Value) bool { return ownMemory(v, v.Parent(), seen) })
	case *ssa.UnOp:
		return x.Op == token.MUL && storesOwn(x.X, fn, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(x.Edges, func(v ssa.Value) bool { return !ownMemory(v, fn, seen) })
	case *ssa.Call:
		return callsBuiltin(x, "append") && ownMemory(x.Call.Args[0], fn, seen)
	}
	return false
}

// unchanged reports whether nothing that may be executed between an instruction and those that need
// its value changes what was read.
func (p *Line) unchanged(made ssa.Instruction, d *demands, read map[string]bool) bool {
	w := rewrites{program: p.Program, read: read, seen: map[*ssa.Function]bool{}}
	for _, x := range d.needs {
		way := append(slices.Clone(x.way), x.in)
		if way[0].Parent() != made.Parent() {
			return false
		}
		for i, to := range way {
			if !w.leaves(to, func(in ssa.Instruction) bool { return i > 0 || after(made, in) }) {
				return false
			}
		}
	}
	return true
}

// leaves reports whether nothing that may be executed before an instruction of its function changes what was read.
func (w *rewrites) leaves(to ssa.Instruction, counts func(ssa.Instruction) bool) bool {
	for _, b := range to.Parent().Blocks {
		for _, in := range b.Instrs {
			if in != to && after(in, to) && counts(in) && w.changes(in) {
				return false
			}
		}
	}
	return true
}

// after reports whether an instruction may be executed after another of the same function.
func after(first, in ssa.Instruction) bool {
	from, to := first.Block(), in.Block()
	return from == to && slices.Index(from.Instrs, first) < slices.Index(to.Instrs, in) || leadsTo(from, to)
}

// boundTo reports whether something holds of all that a function literal captures as a variable.
func boundTo(v *ssa.FreeVar, holds func(ssa.Value) bool) bool {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Referrers() == nil || i < 0 || len(*fn.Referrers()) == 0 {
		return false
	}
	return !slices.ContainsFunc(*fn.Referrers(), func(in ssa.Instruction) bool {
		made, ok := in.(*ssa.MakeClosure)
		return !ok || !holds(made.Bindings[i])
	})
}

// storesOwn reports whether all that is stored in a local variable is a function's own memory.
func storesOwn(cell ssa.Value, fn *ssa.Function, seen map[ssa.Value]bool) bool {
	if free, ok := cell.(*ssa.FreeVar); ok {
		return boundTo(free, func(v ssa.Value) bool { return v.Parent() != nil && storesOwn(v, v.Parent(), seen) })
	}
	a, ok := cell.(*ssa.Alloc)
	if !ok || a.Parent() != fn {
		return false
	}
	stored := false
	for _, in := range *a.Referrers() {
		switch in := in.(type) {
		case *ssa.Store:
			if in.Addr != cell || !ownMemory(in.Val, fn, seen) {
				return false
			}
			stored = true
		case *ssa.UnOp, *ssa.DebugRef, *ssa.MakeClosure:
		default:
			return false
		}
	}
	return stored
}
