package poollocal

import (
	_ "embed"
	"slices"
	"strings"

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
var Analyzer = rule.New("poollocal", doc, true, run, pooluse.Analyzer)

func run(pass *rule.Pass) error {
	uses := pass.ResultOf[pooluse.Analyzer].(*pooluse.Uses)
	m := &mover{pass, map[string]bool{}}
	for _, p := range uses.Pools() {
		a, ok := p.Key.Root.(*ssa.Alloc)
		if !ok || p.Open || p.Key != (pooluse.Key{Root: a}) || once(pass, a.Parent()) {
			continue
		}
		get := useless(p, a)
		if get == nil || !confined(a) {
			continue
		}
		pass.Report(rule.Finding{Pos: a.Pos(), Category: rule.Leak,
			Message: m.name(p, a) + " is a pool local to this call: it is empty at the Get, and values put into it are never reused; make it a package variable or a field of a longer-lived value",
			Related: []analysis.RelatedInformation{rule.Related(get.Pos(), "it is empty here")},
			Fixes:   m.fix(a)})
	}
	copies(pass, uses)
	return nil
}

// once reports whether fn is called once in a run of the program, or only by tests.
func once(pass *rule.Pass, fn *ssa.Function) bool {
	name, function := fn.Name(), fn.Parent() == nil && fn.Signature.Recv() == nil
	return function && (name == "main" && pass.Pkg.Name() == "main" || name == "init" || strings.HasPrefix(name, "init#")) ||
		strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go")
}

// useless returns a Get from the local pool p, if none of them can give what was put.
func useless(p *pooluse.Pool, a *ssa.Alloc) (get *pooluse.Op) {
	for _, op := range p.Ops {
		switch op.Verb {
		case pooluse.Get, pooluse.With:
			if op.Fn != a.Parent() || ssautil.Follows(op.Call, op.Call) {
				return nil // the closure may be called in a loop
			}
			if get != nil && (p.Kind.Holds == catalog.ArenaPool || op.Verb == pooluse.With || get.Verb == pooluse.With) {
				return nil
			}
			get = op
		case pooluse.Put:
			if _, ok := op.Call.(*ssa.Go); ok {
				return nil
			}
		}
	}
	for _, op := range p.Ops {
		if op.Verb != pooluse.Put {
			continue
		}
		for _, from := range calls(op, a.Parent()) {
			for _, g := range p.Ops {
				if g.Verb == pooluse.Get && ssautil.Follows(from, g.Call) {
					return nil
				}
			}
		}
	}
	return get
}

// calls are the calls in fn, other than deferred ones, that do op: itself, or those of
// the closure that it is in.
func calls(op *pooluse.Op, fn *ssa.Function) []ssa.CallInstruction {
	if _, deferred := op.Call.(*ssa.Defer); deferred && op.Fn == fn {
		return nil
	}
	if op.Fn == fn {
		return []ssa.CallInstruction{op.Call}
	}
	literal := op.Fn
	for literal.Parent() != fn {
		if literal = literal.Parent(); literal == nil {
			return nil
		}
	}
	var all []ssa.CallInstruction
	for c := range ssautil.InstructionsOf[ssa.CallInstruction](fn) {
		if _, deferred := c.(*ssa.Defer); !deferred && c.Common().StaticCallee() == literal {
			all = append(all, c)
		}
	}
	return all
}

// confined reports whether v, the address of a pool or of a variable that points to one, is
// used by this call only, and in its own goroutine.
func confined(v ssa.Value) bool {
	for r := range ssautil.Uses[ssa.Instruction](v) {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.Store:
			if cell, ok := r.Addr.(*ssa.Alloc); r.Val == v && (!ok || !confined(cell)) {
				return false
			}
		case *ssa.UnOp:
			if _, pool := pooluse.KindOf(r.Type()); !pool || !confined(r) {
				return false
			}
		case *ssa.Go:
			return false
		case ssa.CallInstruction:
			if !receives(r, v) {
				return false
			}
		case *ssa.MakeClosure:
			if !called(r) {
				return false
			}
			for i, b := range r.Bindings {
				if fn := r.Fn.(*ssa.Function); b == v && fn.Parent() != nil && !confined(fn.FreeVars[i]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// receives reports whether v is the receiver of a method of a pool that call calls.
func receives(call ssa.CallInstruction, v ssa.Value) bool {
	c := call.Common()
	fn := c.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || len(c.Args) == 0 || c.Args[0] != v || slices.Contains(c.Args[1:], v) {
		return false
	}
	_, ok := pooluse.KindOf(fn.Signature.Recv().Type())
	return ok
}

// called reports whether the closure c is only called, here or at the end of the function.
func called(c *ssa.MakeClosure) bool {
	for r := range ssautil.Uses[ssa.Instruction](c) {
		switch r := r.(type) {
		case *ssa.Call, *ssa.Defer:
			common := r.(ssa.CallInstruction).Common()
			if common.Value != c || slices.Contains(common.Args, ssa.Value(c)) {
				return false
			}
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}
