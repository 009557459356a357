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

// boxed finds all boxes, and functions that make some of their callers' values. The facts of functions
// that call each other need rounds; boxes are noted when those are complete.
func (u *Uses) boxed(pass *analysis.Pass) {
	s := &boxSearch{uses: u, pass: pass, facts: map[*types.Func]*boxes{}, imported: map[*types.Func]*boxes{}}
	for _, op := range u.Ops {
		if op.Kind.Holds == catalog.AnyPool && op.Verb == Put {
			s.note(op.Arg, op.Kind.Type, op.Call, nil, true)
		}
	}
	for range rounds {
		if !s.each(false) {
			break
		}
	}
	s.each(true)
	for fn, b := range s.facts {
		pass.ExportObjectFact(fn, b)
	}
}

// A boxSearch looks for values that become interfaces on their way into a pool.
type boxSearch struct {
	uses     *Uses
	pass     *analysis.Pass
	facts    map[*types.Func]*boxes // of this package
	imported map[*types.Func]*boxes // of others; one without parameters where there is no fact
}

// params returns the parameters that fn puts into a pool of interface values.
func (s *boxSearch) params(fn *types.Func) []int {
	if b := s.facts[fn]; b != nil {
		return b.Params
	}
	b := s.imported[fn]
	if b == nil {
		b = new(boxes)
		if fn.Pkg() != nil && fn.Pkg() != s.pass.Pkg {
			s.pass.ImportObjectFact(fn, b)
		}
		s.imported[fn] = b
	}
	return b.Params
}

// note takes v, which becomes an interface, as a box if record is set, or adds to the facts when v is
// the caller's: it reports whether it added to them.
func (s *boxSearch) note(v ssa.Value, pool string, call ssa.CallInstruction, via *types.Func, record bool) (more bool) {
	u := s.uses
	v = u.Source(v)
	switch m := v.(type) {
	case *ssa.MakeInterface:
		v = m.X
	case *ssa.ChangeType:
		v = m.X
	}
	if p, ok := u.Source(v).(*ssa.Parameter); ok && (ssautil.IsTypeParam(p.Type()) || types.IsInterface(p.Type())) {
		return addBox(s.facts, p)
	}
	if _, constant := v.(*ssa.Const); record && !constant && !types.IsInterface(v.Type()) && !ssautil.IsTypeParam(v.Type()) {
		u.Boxes = append(u.Boxes, &Box{v.Type(), pool, call, via, v})
	}
	return false
}

// each notes what the calls of the package pass to functions that put it into a pool, and reports
// whether that added to the facts.
func (s *boxSearch) each(record bool) (more bool) {
	s.uses.instructions(func(_ *ssa.Function, i ssa.Instruction) {
		call, ok := i.(ssa.CallInstruction)
		if !ok {
			return
		}
		callee, args := s.uses.Callee(call.Common())
		if callee == nil {
			return
		}
		obj, ok := callee.Object().(*types.Func)
		if !ok {
			return
		}
		args = args[len(args)-min(len(args), callee.Signature.Params().Len()):]
		for _, p := range s.params(obj.Origin()) {
			if p < len(args) && s.note(args[p], "sync.Pool", call, obj, record) {
				more = true
			}
		}
	})
	return more
}

// addBox notes that the function of p puts p, and reports whether that is new.
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
