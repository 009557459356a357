package poolunbounded

import (
	_ "embed"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolunbounded", doc, true, run, pooluse.Analyzer)

func run(pass *rule.Pass) error {
	uses := pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses)
	views := uses.Views()
	for _, p := range uses.Pools() {
		v := views[p]
		if v == nil || p.Kind.Holds == catalog.BufferPool || p.Kind.Holds == catalog.ArenaPool {
			continue
		}
		l := newLooker(uses, v, p)
		v.Instructions(l.look)
		if len(l.grows) == 0 || l.limited {
			continue
		}
		grows := l.kept()
		if grows == nil {
			continue
		}
		sites := l.sites(grows)
		var all []rule.Finding
		for _, s := range sites {
			all = append(all, found(pass, uses, v, s))
		}
		pass.ReportGroup(all, func(i int) bool { return l.alone(sites[i].op) != nil })
	}
	return nil
}

// found returns the finding of a site.
func found(pass *rule.Pass, uses *pooluse.Uses, v *pooluse.View, s site) rule.Finding {
	name := types.TypeString(v.Item, types.RelativeTo(pass.Pkg))
	op := s.op
	pos, end := uses.Range(op.Call)
	f := rule.Finding{Pos: pos, End: end, Category: rule.Performance,
		Message: "a " + name + " is put into " + op.Pool.String() + " whatever its capacity: one large use keeps its memory through all later small ones; do not put back values above a size limit"}
	if s.grows.Pos().IsValid() {
		f.Related = []analysis.RelatedInformation{rule.Related(s.grows.Pos(), "it grows here")}
	}
	f.Fixes = fix(pass, uses, v, op)
	return f
}

// A looker looks for instructions that make a value grow, and for those that keep it small.
type looker struct {
	uses    *pooluse.Uses
	view    *pooluse.View
	pool    *pooluse.Pool
	grows   []grown
	limited bool                   // what is read into values is limited
	guards  map[*ssa.Function]bool // functions that keep large values from being put
	scanned map[*ssa.Function]bool
}

func newLooker(uses *pooluse.Uses, v *pooluse.View, p *pooluse.Pool) *looker {
	return &looker{uses: uses, view: v, pool: p, guards: map[*ssa.Function]bool{}, scanned: map[*ssa.Function]bool{}}
}

func (l *looker) look(fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		l.store(i)
	case *ssa.MapUpdate:
		if _, constant := i.Key.(*ssa.Const); !constant && l.view.Part(i.Map) {
			l.grown(i, i.Map)
		}
	}
	if call, ok := i.(ssa.CallInstruction); ok {
		l.call(fn, call)
		l.put(call)
	}
}

// store looks at an assignment to a value or part of it.
func (l *looker) store(s *ssa.Store) {
	if l.keepsBack(s) {
		l.guards[s.Parent()] = true
	}
	if l.view.Part(s.Addr) && l.grew(s.Val) {
		l.grown(s, s.Addr)
	}
}

// put looks at the slice that call puts, if it puts slices.
func (l *looker) put(call ssa.CallInstruction) {
	for _, op := range l.pool.Ops {
		if op.Call != call || op.Verb != pooluse.Put || op.Item == nil {
			continue
		}
		if _, ok := op.Item.Type().Underlying().(*types.Slice); ok && l.grew(op.Item) {
			l.grown(call, nil)
		}
	}
}

// call looks at what a call does with a value, and whether it looks at its size.
func (l *looker) call(fn *ssa.Function, call ssa.CallInstruction) {
	c := call.Common()
	if l.view.Putting[fn] && l.measures(fn, call) {
		l.guards[fn] = true
	}
	l.limited = l.limited || catalog.Callee(c).Limits
	l.enter(call)
	if c.IsInvoke() {
		l.passed(call, c.Args, nil)
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		l.passed(call, c.Args, nil)
		return
	}
	obj, _ := callee.Object().(*types.Func)
	if obj != nil && len(c.Args) > 0 && isBuffer(c.Args[0].Type()) && obj.Signature().Recv() != nil {
		if l.view.Part(c.Args[0]) && writes(call, obj.Name(), c.Args[1:]) {
			l.grown(call, c.Args[0])
		}
		return
	}
	l.passed(call, c.Args, obj)
}

// passed looks for values that are passed as something to write to.
func (l *looker) passed(call ssa.CallInstruction, args []ssa.Value, fn *types.Func) {
	for _, a := range args {
		m, ok := a.(*ssa.MakeInterface)
		if !ok || !l.view.Part(m.X) || prints(call, args, fn) {
			continue
		}
		if hasWrite(m.Type()) {
			l.written(call, m.X)
		}
	}
}

// enter looks at a function of the package that gets part of a value: what grows there has grown in
// the value.
func (l *looker) enter(call ssa.CallInstruction) {
	callee, args := l.uses.Callee(call.Common())
	if callee == nil || callee.Pkg != l.uses.SSA.Pkg || len(args) != len(callee.Params) {
		return
	}
	for i, a := range args {
		if !ssautil.IsPointer(a.Type()) || l.view.Is(a.Type()) || isBuffer(a.Type()) && l.view.Funcs[callee] || !l.view.Part(a) || !l.owns(a) || !l.view.AddPart(callee.Params[i]) {
			continue
		}
		for i := range ssautil.Instructions(callee) {
			l.look(callee, i)
		}
	}
}

// owns reports whether what a points to belongs to a value of the pool alone, as far as pointers in fields
// lead there: all that the package assigns to such a field is new.
func (l *looker) owns(a ssa.Value) bool {
	for range maxDepth {
		from := ssautil.LoadedFrom(l.uses.Source(ssautil.Root(a)))
		if from == nil {
			return true
		}
		if ssautil.IsPointer(ssautil.Deref(from.Type())) && !l.alwaysNew(ssautil.Field(from)) {
			return false
		}
		a = from.X
	}
	return false
}

// alwaysNew reports whether the package only assigns new values to a field.
func (l *looker) alwaysNew(field *types.Var) bool {
	if field == nil || field.Exported() {
		return false
	}
	any := false
	for _, fn := range l.uses.Funcs {
		for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok || ssautil.Field(fa) != field || ssautil.IsNil(s.Val) {
				continue
			}
			if _, fresh := l.uses.Source(s.Val).(*ssa.Alloc); !fresh {
				return false
			}
			any = true
		}
	}
	return any
}

// written looks at what Write of part of a value does.
func (l *looker) written(call ssa.CallInstruction, to ssa.Value) {
	o, _, _ := types.LookupFieldOrMethod(to.Type(), true, nil, "Write")
	m, ok := o.(*types.Func)
	if !ok {
		return
	}
	if isBuffer(m.Signature().Recv().Type()) {
		l.grown(call, to)
		return
	}
	if fn := call.Parent().Prog.FuncValue(m.Origin()); fn != nil && !l.view.Funcs[fn] && !l.scanned[fn] {
		l.scanned[fn] = true
		for i := range ssautil.Instructions(fn) {
			l.look(fn, i)
		}
	}
}

func isBuffer(t types.Type) bool { return ssautil.TypeName(t) == "bytes.Buffer" }
