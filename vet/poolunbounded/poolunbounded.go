package poolunbounded

import (
	_ "embed"
	"go/token"
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
		l := &looker{uses: uses, view: v, pool: p, scanned: map[*ssa.Function]bool{}}
		v.Instructions(l.look)
		if l.grows == nil || l.bounded || l.replaced() {
			continue
		}
		for _, op := range p.Ops {
			if op.Via == nil && (op.Verb == pooluse.Put || op.Verb == pooluse.With) {
				report(pass, uses, v, op, l.grows)
			}
		}
	}
	return nil
}

func report(pass *rule.Pass, uses *pooluse.Uses, v *pooluse.View, op *pooluse.Op, grows ssa.Instruction) {
	name := types.TypeString(v.Item, types.RelativeTo(pass.Pkg))
	pos, end := uses.Range(op.Call)
	f := rule.Finding{Pos: pos, End: end, Category: rule.Performance,
		Message: "a " + name + " is put into " + op.Pool.String() + " whatever its capacity: one large use keeps its memory through all later small ones; do not put back values above a size limit"}
	if grows.Pos().IsValid() {
		f.Related = []analysis.RelatedInformation{rule.Related(grows.Pos(), "it grows here")}
	}
	f.Fixes = mend(pass, uses, v, op)
	pass.Report(f)
}

// A looker looks for what makes a value grow, and for what keeps it small.
type looker struct {
	uses    *pooluse.Uses
	view    *pooluse.View
	pool    *pooluse.Pool
	grows   ssa.Instruction // the first that does
	bounded bool
	scanned map[*ssa.Function]bool
}

func (l *looker) look(fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		l.store(i)
	case *ssa.MapUpdate:
		if _, constant := i.Key.(*ssa.Const); !constant && l.view.Part(i.Map) {
			l.grown(i)
		}
	}
	if call, ok := i.(ssa.CallInstruction); ok {
		l.call(fn, call)
		l.put(call)
	}
}

func (l *looker) grown(i ssa.Instruction) {
	if l.grows == nil {
		l.grows = i
	}
}

// store looks at an assignment to a value or a part of it.
func (l *looker) store(s *ssa.Store) {
	l.bounded = l.bounded || l.keepsBack(s)
	g := &growth{uses: l.uses, seen: map[ssa.Value]bool{}}
	if l.view.Part(s.Addr) && g.of(s.Val, maxDepth) {
		l.grown(s)
	}
}

// replaced reports whether the memory of a value is replaced anywhere in the package.
func (l *looker) replaced() bool {
	for _, fn := range l.uses.Funcs {
		for s := range ssautil.InstructionsOf[*ssa.Store](fn) {
			if !growable(s.Val.Type()) || !l.view.Part(s.Addr) || !l.replaces(s) {
				continue
			}
			if g := (&growth{uses: l.uses, seen: map[ssa.Value]bool{}}); !g.of(s.Val, maxDepth) {
				return true
			}
		}
	}
	return false
}

// growable reports whether t is or has memory that grows.
func growable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	case *types.Pointer:
		s, ok := u.Elem().Underlying().(*types.Struct)
		return isBuffer(u.Elem()) || ok && hasGrowable(s)
	case *types.Struct:
		return hasGrowable(u)
	}
	return false
}

// hasGrowable reports whether a struct has a field that grows, by itself.
func hasGrowable(s *types.Struct) bool {
	for f := range s.Fields() {
		if p, ok := f.Type().Underlying().(*types.Pointer); ok && !isBuffer(p.Elem()) {
			continue
		}
		if growable(f.Type()) {
			return true
		}
	}
	return false
}

// replaces reports whether s lets go of the memory that there was, and not only if there was
// none.
func (l *looker) replaces(s *ssa.Store) bool {
	switch v := s.Val.(type) {
	case *ssa.Const:
		return true
	case *ssa.MakeMap, *ssa.MakeSlice:
		return !ifNil(s.Block())
	case *ssa.Slice:
		a, ok := v.X.(*ssa.Alloc) // of a literal, or of a constant size
		return ok && a.Heap
	case *ssa.Alloc:
		return true
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		return ok && !l.keeps(a)
	}
	return false
}

// keeps reports whether the literal a has a part of a value in it.
func (l *looker) keeps(a *ssa.Alloc) bool {
	for f := range ssautil.Uses[*ssa.FieldAddr](a) {
		for s := range ssautil.Uses[*ssa.Store](f) {
			if growable(s.Val.Type()) && l.view.Part(s.Val) {
				return true
			}
		}
	}
	return false
}

// ifNil reports whether b happens if something is nil.
func ifNil(b *ssa.BasicBlock) bool {
	if len(b.Preds) != 1 {
		return false
	}
	before := b.Preds[0]
	i, ok := before.Instrs[len(before.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	c, ok := i.Cond.(*ssa.BinOp)
	if !ok || c.Op != token.EQL && c.Op != token.NEQ || (before.Succs[0] == b) != (c.Op == token.EQL) {
		return false
	}
	return ssautil.IsNil(c.X) || ssautil.IsNil(c.Y)
}

// put looks at the slice that call puts, if it puts slices.
func (l *looker) put(call ssa.CallInstruction) {
	for _, op := range l.pool.Ops {
		if op.Call != call || op.Verb != pooluse.Put || op.Item == nil {
			continue
		}
		if _, ok := op.Item.Type().Underlying().(*types.Slice); ok && (&growth{uses: l.uses, seen: map[ssa.Value]bool{}}).of(op.Item, maxDepth) {
			l.grown(call)
		}
	}
}

// call looks at what a call does with a value, and whether it looks at its size.
func (l *looker) call(fn *ssa.Function, call ssa.CallInstruction) {
	c := call.Common()
	if l.view.Putting[fn] && l.measures(fn, call) || limits(c) {
		l.bounded = true
	}
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
			l.grown(call)
		}
		return
	}
	l.passed(call, c.Args, obj)
}

// limits reports whether c limits what is read.
func limits(c *ssa.CallCommon) bool {
	f := c.StaticCallee()
	if f == nil {
		return false
	}
	switch f.Name() {
	case "LimitReader", "MaxBytesReader", "CopyN", "ReadFull", "ReadAtLeast":
		return f.Object() != nil && f.Object().Pkg() != nil && (f.Object().Pkg().Path() == "io" || f.Object().Pkg().Path() == "net/http")
	}
	return false
}

// passed looks for values that are passed as something to write to.
func (l *looker) passed(call ssa.CallInstruction, args []ssa.Value, fn *types.Func) {
	for _, a := range args {
		m, ok := a.(*ssa.MakeInterface)
		if !ok || !l.view.Part(m.X) || prints(call, args, fn) {
			continue
		}
		if i, ok := m.Type().Underlying().(*types.Interface); ok {
			for method := range i.Methods() {
				if method.Name() == "Write" {
					l.written(call, m.X.Type())
				}
			}
		}
	}
}

// enter looks at a function of the package that gets a part of a value: what grows there has grown in
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

// written looks at what Write of a t does.
func (l *looker) written(call ssa.CallInstruction, t types.Type) {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "Write")
	m, ok := o.(*types.Func)
	if !ok {
		return
	}
	if isBuffer(m.Signature().Recv().Type()) {
		l.grown(call)
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
