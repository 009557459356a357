package pooluse

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A Box is a value that becomes an interface because it goes into a pool of interface values.
type Box struct {
	Type types.Type
	Pool string // the type of the pool
	Call ssa.CallInstruction
	Via  *types.Func // the function that puts it for Call, or nil
	Item ssa.Value   // the value before
}

// boxes is the fact that a function puts parameters into such a pool, which have the type
// of a type parameter or are interfaces: what their callers pass becomes an interface.
type boxes struct {
	Params []int // numbers, without the receiver
}

func (*boxes) AFact()         {}
func (*boxes) String() string { return "boxes" }

// boxed finds all boxes, and functions that make some of their callers' values.
func (u *Uses) boxed(pass *analysis.Pass) {
	facts := map[*types.Func]*boxes{}
	imported := map[*types.Func]*boxes{}
	params := func(fn *types.Func) []int {
		if b := facts[fn]; b != nil {
			return b.Params
		}
		b := imported[fn]
		if b == nil {
			b = new(boxes)
			if fn.Pkg() != nil && fn.Pkg() != pass.Pkg {
				pass.ImportObjectFact(fn, b)
			}
			imported[fn] = b
		}
		return b.Params
	}
	// note is told what becomes an interface, and adds to the facts when that is the
	// caller's.
	note := func(v ssa.Value, pool string, call ssa.CallInstruction, via *types.Func, record bool) (more bool) {
		v = u.Source(v)
		switch m := v.(type) {
		case *ssa.MakeInterface:
			v = m.X
		case *ssa.ChangeType:
			v = m.X
		}
		if p, ok := u.Source(v).(*ssa.Parameter); ok && (ssautil.IsTypeParam(p.Type()) || types.IsInterface(p.Type())) {
			return addBox(facts, p)
		}
		if _, constant := v.(*ssa.Const); record && !constant && !types.IsInterface(v.Type()) && !ssautil.IsTypeParam(v.Type()) {
			u.Boxes = append(u.Boxes, &Box{v.Type(), pool, call, via, v})
		}
		return false
	}
	for _, op := range u.Ops {
		if op.Kind.Holds == catalog.AnyPool && op.Verb == Put {
			note(op.Arg, op.Kind.Type, op.Call, nil, true)
		}
	}
	each := func(record bool) (more bool) {
		u.instructions(func(_ *ssa.Function, i ssa.Instruction) {
			call, ok := i.(ssa.CallInstruction)
			if !ok {
				return
			}
			callee, args := u.Callee(call.Common())
			if callee == nil {
				return
			}
			obj, ok := callee.Object().(*types.Func)
			if !ok {
				return
			}
			args = args[len(args)-min(len(args), callee.Signature.Params().Len()):]
			for _, p := range params(obj.Origin()) {
				if p < len(args) && note(args[p], "sync.Pool", call, obj, record) {
					more = true
				}
			}
		})
		return more
	}
	for range rounds {
		if !each(false) {
			break
		}
	}
	each(true)
	for fn, b := range facts {
		pass.ExportObjectFact(fn, b)
	}
}

// addBox notes that the function of p puts p, and says whether that is news.
func addBox(facts map[*types.Func]*boxes, p *ssa.Parameter) bool {
	fn := p.Parent()
	obj, ok := fn.Object().(*types.Func)
	i := slices.Index(fn.Params, p)
	if fn.Signature.Recv() != nil {
		i--
	}
	if !ok || i < 0 || fn.Signature.Variadic() && i == fn.Signature.Params().Len()-1 {
		return false
	}
	b := facts[obj]
	if b == nil {
		b = new(boxes)
		facts[obj] = b
	}
	if slices.Contains(b.Params, i) {
		return false
	}
	b.Params = append(b.Params, i)
	return true
}
