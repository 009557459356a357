package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A heapSlice is where a heap has its elements: the slice that it is, or one in a field of the struct that it is.
type heapSlice struct {
	field int // -1 if the heap is the slice
}

// sortSlices are types of package sort that heaps embed.
var sortSlices = map[string]bool{"sort.IntSlice": true, "sort.StringSlice": true, "sort.Float64Slice": true}

// elem is the type of the elements of a heap; nil if there is no such slice.
func (s heapSlice) elem(named *types.Named) types.Type {
	t := named.Underlying()
	if s.field >= 0 {
		of, ok := t.(*types.Struct)
		if !ok || s.field >= of.NumFields() {
			return nil
		}
		t = of.Field(s.field).Type().Underlying()
	}
	if slice, ok := t.(*types.Slice); ok {
		return slice.Elem()
	}
	return nil
}

// sliceOf is the slice whose length a heap's method Len returns, if it does nothing else.
func (p *Line) sliceOf(named *types.Named) (s heapSlice, ok bool) {
	object, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), "Len")
	fn, ok := object.(*types.Func)
	if !ok {
		return s, false
	}
	if embedded := p.sortSlice(named, fn, path); embedded >= 0 {
		return heapSlice{embedded}, true
	}
	body := p.heapMethodBody(fn, path)
	if body == nil || len(body.Blocks) != 1 {
		return s, false
	}
	s.field = -1
	of, ok := named.Underlying().(*types.Struct)
	if !ok {
		s.field = -1
		return s, s.isLength(body)
	}
	for s.field = range of.NumFields() {
		if s.elem(named) != nil && s.isLength(body) {
			return s, true
		}
	}
	return s, false
}

// sortSlice is the field of a heap that promotes a method of a slice of package sort; -1 if it is none.
func (p *Line) sortSlice(named *types.Named, fn *types.Func, path []int) int {
	of, ok := named.Underlying().(*types.Struct)
	if !ok || len(path) != 2 || fn.Pkg() == nil || fn.Pkg().Path() != "sort" || !sortSlices[types.TypeString(of.Field(path[0]).Type(), nil)] {
		return -1
	}
	return path[0]
}

// heapMethodBody is a method of a heap that is declared for it, and for no other system in another way; of a generic type, as it is for all. It
// is nil if there is none.
func (p *Line) heapMethodBody(fn *types.Func, path []int) *ssa.Function {
	known := p.declared(fn)
	if len(path) != 1 || known == nil || p.builtElsewhere(fn) {
		return nil
	}
	body := p.fns[known.node]
	if body != nil && body.Origin() != nil {
		body = body.Origin()
	}
	if body == nil || len(body.Blocks) == 0 || body.Recover != nil {
		return nil
	}
	return body
}

// isLength reports whether a method returns the length of the slice, and does nothing else.
func (s heapSlice) isLength(fn *ssa.Function) bool {
	for _, in := range fn.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.Alloc, *ssa.Store, *ssa.FieldAddr, *ssa.Field, *ssa.UnOp, *ssa.ChangeType:
			if !s.loads(in, fn) {
				return false
			}
		case *ssa.Call:
			if !s.isLen(in, fn) {
				return false
			}
		case *ssa.Return:
			return len(in.Results) == 1 && s.isLen(in.Results[0], fn)
		default:
			return false
		}
	}
	return false
}

// loads reports whether an instruction is one of those that the slice is loaded by, or that spill a receiver.
func (s heapSlice) loads(in ssa.Instruction, fn *ssa.Function) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Alloc:
		return spills(in, fn)
	case *ssa.Store:
		alloc, ok := in.Addr.(*ssa.Alloc)
		return ok && spills(alloc, fn)
	case *ssa.FieldAddr:
		return s.isAddress(in, fn)
	case ssa.Value:
		return s.is(in, fn)
	}
	return false
}

// spills reports whether memory on the stack holds the receiver, and nothing else.
func spills(alloc *ssa.Alloc, fn *ssa.Function) bool {
	stored := false
	for _, in := range *alloc.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if !onlyLoaded(in) {
				return false
			}
		case *ssa.Store:
			if stored || in.Val != fn.Params[0] {
				return false
			}
			stored = true
		default:
			return false
		}
	}
	return stored
}

// isRoot reports whether a value is the address of a method's receiver, or of its copy.
func isRoot(v ssa.Value, fn *ssa.Function) bool {
	alloc, ok := v.(*ssa.Alloc)
	return v == fn.Params[0] || ok && spills(alloc, fn)
}

// isAddress reports whether a value is where the slice of a method's receiver is.
func (s heapSlice) isAddress(v ssa.Value, fn *ssa.Function) bool {
	if s.field < 0 {
		_, pointer := v.Type().Underlying().(*types.Pointer)
		return v == fn.Params[0] && pointer
	}
	field, ok := v.(*ssa.FieldAddr)
	return ok && field.Field == s.field && isRoot(field.X, fn)
}

// is reports whether a value is the slice of a method's receiver.
func (s heapSlice) is(v ssa.Value, fn *ssa.Function) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		_, slice := v.Type().Underlying().(*types.Slice)
		return s.field < 0 && v == fn.Params[0] && slice
	case *ssa.ChangeType:
		return s.is(v.X, fn)
	case *ssa.UnOp:
		return v.Op == token.MUL && s.isAddress(v.X, fn)
	case *ssa.Field:
		return v.Field == s.field && v.X == fn.Params[0]
	}
	return false
}

// isLen reports whether a value is the length of the slice.
func (s heapSlice) isLen(v ssa.Value, fn *ssa.Function) bool {
	call, ok := v.(*ssa.Call)
	return ok && callsBuiltin(call, "len") && s.is(call.Call.Args[0], fn)
}

// isLast reports whether a value is the index of the slice's last element.
func (s heapSlice) isLast(v ssa.Value, fn *ssa.Function) bool {
	less, ok := v.(*ssa.BinOp)
	return ok && less.Op == token.SUB && s.isLen(less.X, fn) && isInt(less.Y, 1)
}

// cutsLast reports whether a method takes the last element off the slice, once, and touches nothing but that element, the
// slice itself and variables of its own.
func (s heapSlice) cutsLast(fn *ssa.Function) bool {
	if len(fn.Blocks) != 1 {
		return false
	}
	cut := false
	var last func(v ssa.Value) bool // the address of the last element or of part of it, or of a variable
	last = func(v ssa.Value) bool {
		switch v := v.(type) {
		case *ssa.Alloc:
			return !v.Heap
		case *ssa.IndexAddr:
			return s.is(v.X, fn) && s.isLast(v.Index, fn)
		case *ssa.FieldAddr:
			return last(v.X)
		}
		return false
	}
	for _, in := range fn.Blocks[0].Instrs {
		ok := true
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.Field, *ssa.ChangeType, *ssa.MakeInterface, *ssa.Return:
		case *ssa.Alloc:
			ok = last(in)
		case *ssa.UnOp:
			ok = last(in.X) || s.isAddress(in.X, fn) && !cut
		case *ssa.BinOp:
			ok = s.isLast(in, fn)
		case *ssa.Call:
			ok = s.isLen(in, fn)
		case *ssa.IndexAddr:
			ok = last(in)
		case *ssa.FieldAddr:
			ok = last(in) || s.isAddress(in, fn)
		case *ssa.Slice:
			ok = s.is(in.X, fn) && (in.Low == nil || isInt(in.Low, 0)) && in.High != nil && s.isLast(in.High, fn) && in.Max == nil
		case *ssa.Store:
			if s.isAddress(in.Addr, fn) {
				_, part := in.Val.(*ssa.Slice)
				ok, cut = part && !cut, true
			} else {
				ok = last(in.Addr)
			}
		default:
			ok = false
		}
		if !ok {
			return false
		}
	}
	return cut
}

// An elementwise is a method Less or Swap of a heap, or a function that it calls with elements.
type elementwise struct {
	p     *Line
	elem  types.Type
	slice *heapSlice // nil in a function that has no heap
	fn    *ssa.Function
	sets  bool // it may set elements, as Swap does
	depth int
}

// elementwise reports whether a heap's method Less or Swap only looks at the elements that it is given, and at other fields of the heap, and
// cannot panic where there are such elements; Swap sets those elements, and entries of maps.
func (p *Line) elementwise(named *types.Named, name string, s heapSlice) bool {
	object, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), name)
	fn, ok := object.(*types.Func)
	if !ok {
		return false
	}
	if embedded := p.sortSlice(named, fn, path); embedded >= 0 {
		return embedded == s.field
	}
	body := p.heapMethodBody(fn, path)
	return body != nil && elementwise{p, s.elem(named), &s, body, name == "Swap", 0}.plain()
}

// deepestCompare bounds the calls below Less.
const deepestCompare = 3

func (e elementwise) plain() bool {
	if e.depth > deepestCompare || e.fn.Recover != nil {
		return false
	}
	for _, b := range e.fn.Blocks {
		for _, in := range b.Instrs {
			if !e.instruction(in) {
				return false
			}
		}
	}
	return true
}

func (e elementwise) instruction(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Phi, *ssa.Field, *ssa.ChangeType, *ssa.Extract:
		return true
	case *ssa.Alloc:
		return !in.Heap
	case *ssa.UnOp:
		return in.Op == token.NOT || in.Op == token.SUB || in.Op == token.XOR || in.Op == token.MUL && e.reads(in.X)
	case *ssa.FieldAddr:
		return e.reads(in)
	case *ssa.IndexAddr:
		return e.reads(in)
	case *ssa.Index:
		_, array := in.X.Type().Underlying().(*types.Array)
		return array && isConst(in.Index)
	case *ssa.BinOp:
		return neverFails(in)
	case *ssa.Convert:
		_, from := in.X.Type().Underlying().(*types.Basic)
		_, to := in.Type().Underlying().(*types.Basic)
		return from && to
	case *ssa.Lookup:
		_, isMap := in.X.Type().Underlying().(*types.Map)
		return isMap && e.otherField(in.X) && isBasic(in.Index.Type())
	case *ssa.Store:
		return e.memory(in.Addr)
	case *ssa.MapUpdate: // a nil map panics in the call of Swap with which heap.Pop begins
		return e.sets && e.otherField(in.Map) && isBasic(in.Key.Type()) && len(e.fn.Blocks) == 1
	case *ssa.Call:
		return e.call(in)
	}
	return false
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// reads reports whether memory at an address is that of an element, a variable or a field of the heap.
func (e elementwise) reads(v ssa.Value) bool {
	if e.memory(v) {
		return true
	}
	if e.slice == nil {
		return false
	}
	field, ok := v.(*ssa.FieldAddr)
	return e.slice.isAddress(v, e.fn) || ok && isRoot(field.X, e.fn)
}

// memory reports whether an address is that of a variable, or of one of the elements, or part of it; these may be set by Swap.
func (e elementwise) memory(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return !v.Heap
	case *ssa.FieldAddr:
		return e.memory(v.X)
	case *ssa.IndexAddr:
		if pointer, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			_, array := pointer.Elem().Underlying().(*types.Array)
			return array && isConst(v.Index) && e.memory(v.X)
		}
		return e.isSlice(v.X) && e.isIndex(v.Index) && (e.sets || !e.stored(v))
	}
	return false
}

func (e elementwise) isSlice(v ssa.Value) bool { return e.slice != nil && e.slice.is(v, e.fn) }

// isIndex reports whether a value is one of the indexes that the method is given.
func (e elementwise) isIndex(v ssa.Value) bool {
	param, ok := v.(*ssa.Parameter)
	return ok && slices.Index(e.fn.Params, param) > 0
}

// stored reports whether something is stored at an address, or part of it.
func (e elementwise) stored(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			return in.Addr == v
		case *ssa.FieldAddr:
			return e.stored(in)
		case *ssa.IndexAddr:
			return in.X == v && e.stored(in)
		}
		return false
	})
}

// otherField reports whether a value is loaded from a field of the heap.
func (e elementwise) otherField(v ssa.Value) bool {
	if e.slice == nil {
		return false
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		field, ok := v.X.(*ssa.FieldAddr)
		return ok && isRoot(field.X, e.fn)
	case *ssa.Field:
		return v.X == e.fn.Params[0]
	}
	return false
}

// neverFails reports whether an operation on two values never panics.
func neverFails(in *ssa.BinOp) bool {
	switch in.Op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	case token.QUO:
		t, basic := in.X.Type().Underlying().(*types.Basic)
		return basic && t.Info()&types.IsFloat != 0
	case token.EQL, token.NEQ:
		_, pointer := in.X.Type().Underlying().(*types.Pointer)
		return isBasic(in.X.Type()) || pointer
	}
	return false
}

// comparers are functions of the standard library that only look at values, and never panic.
var comparers = map[string]bool{
	"cmp.Compare": true, "cmp.Less": true, "strings.Compare": true, "strings.EqualFold": true, "strings.ToLower": true, "strings.ToUpper": true, "bytes.Compare": true, "bytes.Equal": true,
	"(time.Time).Before": true, "(time.Time).After": true, "(time.Time).Equal": true, "(time.Time).Compare": true, "(time.Time).Sub": true, "(time.Time).Unix": true, "(time.Time).UnixNano": true,
	"(time.Time).UnixMilli": true, "(time.Time).IsZero": true, "(time.Duration).Seconds": true, "math.Abs": true, "math.IsNaN": true, "math.Float64bits": true,
}

// call reports whether a call only looks at values.
func (e elementwise) call(c *ssa.Call) bool {
	if builtin, ok := c.Call.Value.(*ssa.Builtin); ok {
		return builtin.Name() == "min" || builtin.Name() == "max" || builtin.Name() == "len" && e.otherLength(c.Call.Args[0].Type())
	}
	callee := c.Call.StaticCallee()
	if callee == nil {
		return false
	}
	fn, ok := callee.Object().(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	if !e.p.isStandard(fn) {
		return len(callee.Blocks) > 0 && !e.p.builtElsewhere(fn) && elementwise{e.p, e.elem, nil, callee, false, e.depth + 1}.plain()
	}
	of, method, _ := strings.Cut(strings.TrimPrefix(fn.FullName(), "("), ").")
	if sortSlices[of] && e.isSlice(c.Call.Args[0]) && (method == "Less" || method == "Swap" && e.sets) {
		return e.isIndex(c.Call.Args[1]) && e.isIndex(c.Call.Args[2])
	}
	return comparers[fn.Origin().FullName()]
}

// otherLength reports whether the length of a value of a type is not that of the heap.
func (e elementwise) otherLength(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return isString(t) || ok && !hasTypeParameter(e.elem) && !hasTypeParameter(slice.Elem()) && !types.Identical(slice.Elem(), e.elem)
}
