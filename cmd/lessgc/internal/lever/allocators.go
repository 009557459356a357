package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// allocators returns the instructions of the line, in its function, that may ask the runtime for
// memory by themselves. Where there is more than one, a profile does not tell them apart.
func (p *Line) allocators() (all []ssa.Instruction) {
	fn := p.body()
	if fn == nil {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if mayAllocate(in) && p.onLine(in) {
				all = append(all, in)
			}
		}
	}
	return all
}

// nested matches the end of the name of a function literal: a number for each literal around.
var nested = regexp.MustCompile(`\.func\d+((?:\.\d+)*)$`)

// body is the function that the profile means: where a function literal begins on the line, its
// name tells whether it is the literal or what makes it.
func (p *Line) body() *ssa.Function {
	fn := p.fns[p.fn.node]
	depth := 0
	if m := nested.FindStringSubmatch(p.site.Func); m != nil {
		depth = 1 + strings.Count(m[1], ".")
	}
	for fn != nil && fn.Parent() != nil && p.onSite(fn.Pos()) && depthOf(fn) > depth {
		fn = fn.Parent()
	}
	return p.rangeBody(fn)
}

// rangeBody is the body of the innermost range over a function around the line, which is a function of its
// own; or the function.
func (p *Line) rangeBody(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	for _, inner := range fn.AnonFuncs {
		loop, ok := inner.Syntax().(*ast.RangeStmt)
		if ok && p.line(loop.Body.Lbrace) <= p.site.Line && p.site.Line <= p.line(loop.Body.Rbrace) {
			return p.rangeBody(inner)
		}
	}
	return fn
}

// depthOf counts the function literals that a function is in, itself included.
func depthOf(fn *ssa.Function) (n int) {
	for ; fn.Parent() != nil; fn = fn.Parent() {
		n++
	}
	return n
}

// onLine reports whether an instruction is of the site's line. A conversion to an interface that
// the source does not spell out is where its value is used.
func (p *Line) onLine(in ssa.Instruction) bool {
	if in.Pos().IsValid() {
		return p.onSite(in.Pos())
	}
	if made, ok := in.(*ssa.MakeClosure); ok {
		return p.onSite(made.Fn.Pos())
	}
	v, ok := in.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	for _, user := range *v.Referrers() {
		pos := user.Pos()
		if store, ok := user.(*ssa.Store); ok && !pos.IsValid() {
			pos = store.Addr.Pos()
		}
		if pos.IsValid() && p.onSite(pos) {
			return true
		}
	}
	return p.literalOnLine(v.X)
}

// literalOnLine reports whether a value is that of a literal on the site's line.
func (p *Line) literalOnLine(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	lit, ok := load.X.(*ssa.Alloc)
	return ok && lit.Comment == "complit" && p.line(lit.Pos()) == p.site.Line
}

// instructions yields the instructions of the function that stand on the line.
func (p *Line) instructions() iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		fn := p.body()
		if fn == nil {
			return
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if in.Pos().IsValid() && p.onSite(in.Pos()) && !yield(in) {
					return
				}
			}
		}
	}
}

func mayAllocate(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Alloc:
		return in.Heap && in.Comment != "varargs" || in.Comment == "varargs" && !appendedBy(in).IsValid()
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MapUpdate, *ssa.Go:
		return true
	case *ssa.MakeInterface:
		return !isConst(in.X) && !pointerShaped(in.X.Type())
	case *ssa.Convert:
		_, fromSlice := in.X.Type().Underlying().(*types.Slice)
		_, toSlice := in.Type().Underlying().(*types.Slice)
		ofCharacter := isString(in.Type()) && isCharacter(in.X.Type())
		return !isConst(in.X) && (fromSlice != toSlice || ofCharacter) || toSlice
	case *ssa.BinOp:
		return in.Op == token.ADD && isString(in.Type())
	case *ssa.Call:
		return callsBuiltin(in, "append")
	}
	return false
}

// callsBuiltin reports whether an instruction is a call of a builtin function.
func callsBuiltin(in ssa.Instruction, name string) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

// pointerShaped reports whether values of a type fit into an interface without memory.
func pointerShaped(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return true
	case *types.Struct:
		return u.NumFields() == 0
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// only returns the one instruction by which a line allocates itself, or nil, and its share of the bytes. An append of the
// pointer to an object that the line makes is not a second thing: the slice has room for most.
func (p *Line) only() (ssa.Instruction, float64) {
	all := p.allocators()
	switch {
	case len(all) == 1:
		return all[0], p.direct()
	case len(all) == 2 && appendsTheOther(all[0], all[1]):
		return all[0], p.direct() * p.shareOfObjects(all[0].(*ssa.Alloc))
	}
	return nil, 0
}

// appendsTheOther reports whether the second of two instructions appends a pointer to the object that the first makes, and
// nothing else.
func appendsTheOther(made, appends ssa.Instruction) bool {
	object, ok := made.(*ssa.Alloc)
	call, isCall := appends.(*ssa.Call)
	if !ok || !isCall || !callsBuiltin(call, "append") || len(call.Call.Args) < 2 || !isVarargs(call.Call.Args[1]) {
		return false
	}
	all := storesInto(call.Call.Args[1].(*ssa.Slice).X)
	if len(all) != 1 {
		return false
	}
	v := all[0].Val
	if box, ok := v.(*ssa.MakeInterface); ok {
		v = box.X
	}
	return v == ssa.Value(object)
}

// shareOfObjects is the share of the bytes that objects of a known size have, beside a slice that grows seldom.
func (p *Line) shareOfObjects(made *ssa.Alloc) float64 {
	if p.pkg.TypesSizes == nil || hasTypeParameter(elemOf(made)) {
		return 0
	}
	return min(1, float64(p.pkg.TypesSizes.Sizeof(elemOf(made)))/max(p.objectSize(), 1))
}

// repeats reports whether a block may run again in the same call of its function.
func repeats(b *ssa.BasicBlock) bool { return leadsTo(b, b) }

// leadsTo reports whether a block may be executed after the end of another.
func leadsTo(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			work = append(work, b.Succs...)
		}
	}
	return false
}
