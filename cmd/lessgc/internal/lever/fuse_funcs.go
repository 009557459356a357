package lever

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A conduct is what calling functions does besides returning a value.
type conduct struct {
	quiet bool // they change no memory but their own, and do nothing that others see
	fails bool // they may panic, or not end
	null  bool // there may be no function to call
}

// A callees holds the functions that a value may be, from all places that it comes from.
type callees struct {
	*Program
	all   []*ssa.Function
	seen  map[ssa.Value]bool
	reads map[ssa.Value]bool // slices of which it is known that their elements are only read
	null  bool               // it may be nil
}

// mostOrigins bounds the values that are looked at to find a function.
const mostOrigins = 500

// conductOf is that of all functions that a value may be; none is quiet if these are not known.
func (p *Program) conductOf(v ssa.Value) (c conduct) {
	r := &callees{Program: p, seen: map[ssa.Value]bool{}, reads: map[ssa.Value]bool{}}
	if !r.value(v) || len(r.all) == 0 {
		return c
	}
	c.quiet, c.null = true, r.null
	for _, fn := range r.all {
		one := p.conductOfFunc(fn)
		c.quiet, c.fails = c.quiet && one.quiet, c.fails || one.fails
	}
	return c
}

// value reports whether all functions are known that a value may be.
func (r *callees) value(v ssa.Value) bool {
	if r.seen[v] {
		return true
	}
	r.seen[v] = true
	if len(r.seen) > mostOrigins {
		return false
	}
	switch v := v.(type) {
	case *ssa.Function:
		r.all = append(r.all, v)
		return true
	case *ssa.MakeClosure:
		r.all = append(r.all, v.Fn.(*ssa.Function))
		return true
	case *ssa.Const:
		r.null = true
		return v.IsNil()
	case *ssa.ChangeType:
		return r.value(v.X)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !r.value(e) })
	case *ssa.Parameter:
		return r.argument(v, r.value)
	case *ssa.Call:
		return r.returned(v, r.value)
	case *ssa.Index:
		r.null = true
		return r.container(v.X)
	case *ssa.UnOp:
		return v.Op == token.MUL && r.loaded(v.X)
	}
	return false
}

// loaded reports whether all functions are known that are stored at an address.
func (r *callees) loaded(address ssa.Value) bool {
	switch a := address.(type) {
	case *ssa.Alloc:
		return r.cell(a)
	case *ssa.FreeVar:
		return boundTo(a, r.loaded)
	case *ssa.IndexAddr:
		r.null = true
		return r.container(a.X)
	}
	return false
}

// container reports whether all functions are known that are elements of an array or slice.
func (r *callees) container(v ssa.Value) bool {
	if r.seen[v] {
		return true
	}
	r.seen[v] = true
	if _, slice := v.Type().Underlying().(*types.Slice); len(r.seen) > mostOrigins || slice && !r.onlyRead(v) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		delete(r.seen, v)
		return r.cell(v)
	case *ssa.UnOp:
		return v.Op == token.MUL && r.loaded(v.X)
	case *ssa.Slice:
		return r.container(v.X)
	case *ssa.ChangeType:
		return r.container(v.X)
	case *ssa.Const:
		return true
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !r.container(e) })
	case *ssa.Parameter:
		return r.argument(v, r.container)
	case *ssa.Call:
		if callsBuiltin(v, "append") {
			return r.container(v.Call.Args[0]) && r.container(v.Call.Args[1])
		}
		return r.returned(v, r.container)
	}
	return false
}

// argument reports whether something holds of all that a parameter is given: all callers of the function are known.
func (r *callees) argument(v *ssa.Parameter, holds func(ssa.Value) bool) bool {
	fn := v.Parent()
	calls := r.callsOf(fn)
	i := slices.Index(fn.Params, v)
	if !r.knowsCalls(fn) || i < 0 || len(calls) == 0 {
		return false
	}
	return !slices.ContainsFunc(calls, func(in ssa.CallInstruction) bool { return !holds(in.Common().Args[i]) })
}

// knowsCalls reports whether all calls of a function outside of tests are known.
func (p *Program) knowsCalls(fn *ssa.Function) bool {
	object := fn.Object()
	return object != nil && !p.values[fn] && fn.Signature.Recv() == nil && !generic(fn) && fn.Origin() == nil &&
		(!object.Exported() || object.Pkg().Name() == "main")
}

// returned reports whether something holds of all that a call of a known function returns.
func (r *callees) returned(call *ssa.Call, holds func(ssa.Value) bool) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || callee.Signature.Results().Len() != 1 || callee.Recover != nil {
		return false
	}
	for _, b := range callee.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !holds(ret.Results[0]) {
			return false
		}
	}
	return true
}

// cell reports whether all is known that is stored in a variable, or in its elements.
func (r *callees) cell(address ssa.Value) bool {
	if r.seen[address] {
		return true
	}
	r.seen[address] = true
	made, local := address.(*ssa.Alloc)
	r.null = r.null || local && !setWhereMade(made)
	return !slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.Store:
			return in.Addr != address || !r.stored(in.Val)
		case *ssa.IndexAddr:
			return in.X != address || !r.elementStored(in)
		case *ssa.Slice:
			return !r.onlyRead(in)
		case *ssa.MakeClosure:
			i := slices.Index(in.Bindings, address)
			return i < 0 || !r.cell(in.Fn.(*ssa.Function).FreeVars[i])
		}
		return true
	})
}

// setWhereMade reports whether a variable gets its first value in the block that declares it.
func setWhereMade(made *ssa.Alloc) bool {
	return slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		return ok && store.Addr == made && store.Block() == made.Block()
	})
}

func (r *callees) stored(v ssa.Value) bool {
	if _, function := v.Type().Underlying().(*types.Signature); function {
		return r.value(v)
	}
	return r.container(v)
}

func (r *callees) elementStored(at *ssa.IndexAddr) bool {
	return !slices.ContainsFunc(*at.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.Store:
			return in.Addr != at || !r.value(in.Val)
		}
		return true
	})
}

// onlyRead reports whether the elements of a slice are only read, and what is appended to it is known.
func (r *callees) onlyRead(v ssa.Value) bool {
	if r.reads[v] {
		return true
	}
	r.reads[v] = true
	return v.Referrers() != nil && !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.IndexAddr:
			return slices.ContainsFunc(*in.Referrers(), func(in ssa.Instruction) bool { _, load := in.(*ssa.UnOp); return !load })
		case *ssa.Slice:
			return !r.onlyRead(in)
		case *ssa.Phi:
			return !r.onlyRead(in)
		case *ssa.ChangeType:
			return !r.onlyRead(in)
		case *ssa.Store:
			return in.Val != v || !r.readFrom(in.Addr)
		case *ssa.Return:
			return slices.ContainsFunc(r.callsOf(in.Parent()), func(c ssa.CallInstruction) bool { return c.Value() == nil || !r.onlyRead(c.Value()) })
		case *ssa.Call:
			return !r.readIn(v, in)
		}
		return true
	})
}

// readFrom reports whether what a local variable holds is only read.
func (r *callees) readFrom(address ssa.Value) bool {
	made, ok := address.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return in.Addr != made
		case *ssa.UnOp:
			return !r.onlyRead(in)
		}
		return true
	})
}

// readIn reports whether a call only reads the elements of a slice that it is given.
func (r *callees) readIn(v ssa.Value, call *ssa.Call) bool {
	switch {
	case callsBuiltin(call, "len"), callsBuiltin(call, "cap"):
		return true
	case callsBuiltin(call, "append"):
		return call.Call.Args[0] != v || r.container(call.Call.Args[1]) && r.onlyRead(call)
	}
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || len(callee.Params) != len(call.Call.Args) {
		return false
	}
	for i, arg := range call.Call.Args {
		if arg == v && !r.onlyRead(callee.Params[i]) {
			return false
		}
	}
	return true
}

// ssaCall is the call of a function in the source; nil if there are several, as in generic functions.
func (p *Line) ssaCall(call *ast.CallExpr) *ssa.Call {
	for _, n := range slices.Backward(stackOf(p.file, call)) {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
		default:
			continue
		}
		fn := p.fns[n]
		if fn == nil || fn.Origin() != nil || generic(fn) {
			return nil
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && c.Pos() == call.Lparen {
					return c
				}
			}
		}
		return nil
	}
	return nil
}

// neverZero reports whether a number is not 0: a constant, or a variable or parameter of a function all of whose calls are
// known that only gets such numbers.
func (p *Program) neverZero(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	each := func(v ssa.Value) bool { return p.neverZero(v, depth+1) }
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && constant.Sign(v.Value) != 0
	case *ssa.Parameter:
		r := callees{Program: p}
		return r.argument(v, each)
	case *ssa.UnOp:
		return v.Op == token.MUL && p.storesOnly(v.X, each, depth)
	}
	return false
}

// storesOnly reports whether something holds of all that is stored in a local variable.
func (p *Program) storesOnly(address ssa.Value, holds func(ssa.Value) bool, depth int) bool {
	if depth > 5 {
		return false
	}
	if free, ok := address.(*ssa.FreeVar); ok {
		return boundTo(free, func(v ssa.Value) bool { return p.storesOnly(v, holds, depth+1) })
	}
	made, ok := address.(*ssa.Alloc)
	stored := false
	return ok && !slices.ContainsFunc(*made.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.Store:
			stored = true
			return in.Addr != made || !holds(in.Val)
		case *ssa.MakeClosure:
			i := slices.Index(in.Bindings, ssa.Value(made))
			return i < 0 || !onlyLoads(in.Fn.(*ssa.Function).FreeVars[i])
		}
		return true
	}) && stored
}

// onlyLoads reports whether a captured variable is only read.
func onlyLoads(v *ssa.FreeVar) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		}
		return true
	})
}
