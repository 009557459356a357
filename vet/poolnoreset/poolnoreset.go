package poolnoreset

import (
	_ "embed"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

//go:embed doc.go
var doc string

// Analyzer is the rule.
var Analyzer = rule.New("poolnoreset", doc, true, run, pooluse.Analyzer)

func run(pass *rule.Pass) error {
	uses := pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses)
	views := uses.Views()
	for _, p := range uses.Pools() {
		v := views[p]
		if v == nil || slices.Contains(p.Reset, nil) {
			continue
		}
		l := &looker{pass: pass, view: v, pool: p}
		l.reportCut(uses)
		if l.never() {
			l.reportAll(uses)
			continue
		}
		if l.reportStale(uses) {
			continue
		}
		way := follow(l, uses)
		for _, op := range p.Ops {
			if op.Verb == pooluse.Get && way.stale(op) {
				pass.Report(l.found(uses, op, nil))
			}
		}
	}
	return nil
}

// reportAll reports all that is got from a pool whose values nothing resets, but for what is only put
// again.
func (l *looker) reportAll(uses *pooluse.Uses) {
	way := follow(l, uses)
	var all []rule.Finding
	var ops []*pooluse.Op
	for _, op := range l.gets() {
		if !way.idle(op) {
			all, ops = append(all, l.found(uses, op, nil)), append(ops, op)
		}
	}
	l.pass.ReportGroup(all, func(i int) bool { return way.stale(ops[i]) })
}

// reportStale reports all that is got from a pool with fields that nothing resets, or with elements that
// come back with their list. It reports whether there are any.
func (l *looker) reportStale(uses *pooluse.Uses) bool {
	if stale := summarize(l, uses).stale(); len(stale) > 0 {
		for _, op := range l.gets() {
			after := slices.DeleteFunc(slices.Clone(stale), func(f *field) bool {
				return op.Verb == pooluse.Get && !slices.Contains(f.stale, op)
			})
			if len(after) > 0 {
				l.pass.Report(l.found(uses, op, after))
			}
		}
		return true
	}
	back := l.revived(uses)
	if len(back) == 0 {
		return false
	}
	for _, op := range l.gets() {
		l.reportRevived(uses, op, back)
	}
	return true
}

// gets returns the operations that get from the pool, without the calls of functions that do.
func (l *looker) gets() []*pooluse.Op {
	return slices.DeleteFunc(slices.Clone(l.pool.Ops), func(op *pooluse.Op) bool {
		return op.Via != nil || op.Verb != pooluse.Get && op.Verb != pooluse.With
	})
}

// never reports whether nothing resets a value, which has a method that does.
func (l *looker) never() bool {
	if len(l.pool.Reset) > 0 || resetOf(l.view.Item) == nil || !known(l.pass.Pkg, l.view.Elem) {
		return false
	}
	l.view.Instructions(l.look)
	return l.changed && !l.reset
}

// found returns the finding of a Get: of a value that is not reset, or of one whose stale fields are not.
func (l *looker) found(uses *pooluse.Uses, op *pooluse.Op, stale []*field) rule.Finding {
	name := types.TypeString(l.view.Item, types.RelativeTo(l.pass.Pkg))
	pos, end := uses.Range(op.Call)
	f := rule.Finding{Pos: pos, End: end, Category: rule.Leak}
	what := "the " + name
	if len(stale) == 0 {
		if call := uses.Syntax(op.Call); call != nil && op.Verb == pooluse.Get && resetOf(l.view.Item).Signature().Params().Len() == 0 {
			f.Fixes = fix(l.pass, l.view.Item, call)
		}
	} else {
		var names []string
		for _, s := range stale {
			names = append(names, s.path)
			f.Related = append(f.Related, rule.Related(s.writes[0].Pos(), "%s is written here", s.path))
		}
		for _, put := range l.pool.Ops {
			if put.Verb == pooluse.Put && put.Via == nil {
				f.Related = append(f.Related, rule.Related(put.Pos(), "it is put back here"))
			}
		}
		what = strings.Join(names, ", ") + " of the " + name
	}
	f.Message = what + " of " + op.Pool.String() + " is reset neither after Get nor before Put: its next user finds stale data"
	return f
}

// resetOf returns the method Reset of t, or nil.
func resetOf(t types.Type) *types.Func {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	f, _ := o.(*types.Func)
	return f
}

// known reports whether it is known what the methods of t do: those of the package itself can
// be seen, and those of the standard library do what their names say.
func known(pkg *types.Package, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (standard(n.Obj().Pkg()) || n.Obj().Pkg() == pkg && !types.IsInterface(n))
}

// A looker looks for instructions that change a value, and for those that may reset it.
type looker struct {
	pass    *rule.Pass
	view    *pooluse.View
	pool    *pooluse.Pool
	changed bool
	reset   bool
}

func (l *looker) look(fn *ssa.Function, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Store:
		l.store(i)
	case *ssa.MapUpdate:
		l.changed = l.changed || l.view.Part(i.Map)
	case *ssa.MakeInterface:
		if l.view.Is(i.X.Type()) || l.view.Part(i.X) {
			l.boxed(i, i.Type(), i.Referrers())
		}
	case *ssa.ChangeInterface:
		if l.view.Is(i.X.Type()) {
			l.boxed(i, i.Type(), i.Referrers())
		}
	case *ssa.MakeClosure: // a bound method, for others to call
		if m, ok := i.Fn.(*ssa.Function).Object().(*types.Func); ok && l.view.Is(i.Bindings[0].Type()) {
			l.method(m)
		}
	case *ssa.Return:
		l.returned(fn, i)
	}
	if call, ok := i.(ssa.CallInstruction); ok {
		l.call(call)
	}
}

// store looks at an assignment to a value or part of it.
func (l *looker) store(s *ssa.Store) {
	if !l.view.Part(s.Addr) {
		return
	}
	if adds(s) {
		l.changed = true
	} else {
		l.reset = true
	}
}

// adds reports whether s only adds to what there is.
func adds(s *ssa.Store) bool {
	switch v := s.Val.(type) {
	case *ssa.BinOp:
		_, ok := v.X.(*ssa.UnOp)
		return ok
	case *ssa.Call:
		if !ssautil.IsAppend(v) {
			return false
		}
		_, ok := v.Call.Args[0].(*ssa.UnOp) // append(x[:0], ...) begins anew
		return ok
	}
	return false
}

// returned looks for values that leave the package.
func (l *looker) returned(fn *ssa.Function, r *ssa.Return) {
	f, ok := fn.Object().(*types.Func)
	if !ok || !f.Exported() || l.pass.Pkg.Name() == "main" {
		return
	}
	for _, v := range r.Results {
		if i, ok := v.(*ssa.MakeInterface); ok {
			v = i.X
		}
		if types.Identical(v.Type(), l.view.Item) {
			l.reset = true
		}
	}
}

// call looks at what a call does with a value.
func (l *looker) call(call ssa.CallInstruction) {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		if name := b.Name(); name == "clear" || name == "delete" {
			l.reset = l.reset || l.view.Part(c.Args[0])
		}
		return
	}
	if c.IsInvoke() {
		if types.Identical(c.Value.Type(), l.view.Item) {
			l.method(c.Method)
		}
		l.passed(c.Args, nil)
		return
	}
	fn := c.StaticCallee()
	if fn == nil {
		l.passed(c.Args, nil)
		return
	}
	args := c.Args
	obj, _ := fn.Object().(*types.Func)
	if obj != nil && obj.Signature().Recv() != nil && len(args) > 0 && (l.view.Is(args[0].Type()) || l.view.Part(args[0])) {
		l.method(obj)
		args = args[1:]
	}
	if fn.Parent() == nil && (obj == nil || obj.Pkg() != l.pass.Pkg || fn.Origin() != nil) {
		l.passed(args, obj)
	}
}

// method looks at a call of a method of a value, or of part of it.
func (l *looker) method(m *types.Func) {
	switch {
	case resets(m.Name()) || m.Pkg() != l.pass.Pkg && !standard(m.Pkg()):
		l.reset = true
	case writes(m.Name()):
		l.changed = true
	case m.FullName() == "(*bytes.Buffer)."+m.Name() && drains(m.Name()):
		l.reset = true
	}
}

// passed looks for values that are passed to fn, which cannot be seen.
func (l *looker) passed(args []ssa.Value, fn *types.Func) {
	for _, a := range args {
		_, boxed := a.(*ssa.MakeInterface)
		if !boxed && types.Identical(a.Type(), l.view.Item) && !ofPool(fn) {
			l.reset = true
		}
		f, ok := a.(*ssa.Function)
		if !ok {
			continue
		}
		if m, ok := f.Object().(*types.Func); ok && m.Signature().Recv() != nil && l.view.Is(m.Signature().Recv().Type()) {
			l.method(m)
		}
	}
}

// ofPool reports whether fn is a method of a pool.
func ofPool(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	_, ok := pooluse.KindOf(fn.Signature().Recv().Type())
	return ok
}

// boxed looks at what is done with a value that has become an interface of type t. As an
// io.Writer it is only written to.
func (l *looker) boxed(v ssa.Value, t types.Type, users *[]ssa.Instruction) {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return
	}
	if i.NumMethods() > 0 {
		for m := range i.Methods() {
			if resets(m.Name()) || drains(m.Name()) {
				l.reset = true
			}
			l.changed = l.changed || writes(m.Name())
		}
		return
	}
	for _, u := range *users {
		switch u := u.(type) {
		case *ssa.Return, *ssa.DebugRef:
		case ssa.CallInstruction:
			l.reset = l.reset || !l.puts(u)
		case *ssa.Store:
			l.reset = l.reset || !printed(u)
		default:
			l.reset = true
		}
	}
}

// puts reports whether call is a Put of the pool.
func (l *looker) puts(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(l.pool.Ops, func(op *pooluse.Op) bool { return op.Call == call && op.Verb == pooluse.Put })
}

// printed reports whether s stores an argument of a function that prints.
func printed(s *ssa.Store) bool {
	at, ok := s.Addr.(*ssa.IndexAddr)
	if !ok || at.X.Referrers() == nil {
		return false
	}
	for list := range ssautil.Uses[*ssa.Slice](at.X) {
		for r := range ssautil.Uses[ssa.Instruction](list) {
			call, ok := r.(ssa.CallInstruction)
			if !ok || call.Common().StaticCallee() == nil {
				return false
			}
			obj, ok := call.Common().StaticCallee().Object().(*types.Func)
			if !ok || obj.Pkg() == nil || obj.Pkg().Path() != "fmt" && obj.Pkg().Path() != "log" {
				return false
			}
		}
	}
	return true
}
