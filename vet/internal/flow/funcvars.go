package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which functions can a function value be?
//
//	var encode = encodeColor
//	func init() { encode = encodeText }
//	encode(b, e) // one of the two: what both do
//
//	var Sink = func(b *bytes.Buffer) {} // others may set it: not known
//
// It takes all uses of the package's unexported variables. One use of another kind than a load or a
// store of a function makes a variable unknown, so that calls of it hand their arguments over:
// silence.

// findFuncVars finds what the package assigns to its unexported function variables. One whose address
// is taken, or that gets anything but a function, is left out: others may set it.
func (a *Package) findFuncVars(functions []*ssa.Function) {
	a.funcVars = map[*ssa.Global][]*ssa.Function{}
	for _, m := range a.ssaPkg.Members {
		if g, ok := m.(*ssa.Global); ok && g.Object() != nil && !g.Object().Exported() && isFunc(ssautil.Deref(g.Type())) {
			a.funcVars[g] = nil
		}
	}
	if len(a.funcVars) == 0 {
		return
	}
	for _, f := range functions {
		for i := range ssautil.Instructions(f) {
			a.setFuncVars(i)
		}
	}
}

// setFuncVars notes what an instruction does with function variables of the package.
func (a *Package) setFuncVars(i ssa.Instruction) {
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		g, ok := (*o).(*ssa.Global)
		if !ok {
			continue
		}
		if _, mine := a.funcVars[g]; !mine {
			continue
		}
		switch i := i.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			continue
		case *ssa.Store:
			fn, ok := i.Val.(*ssa.Function)
			if i.Addr == ssa.Value(g) && (ok || IsNil(i.Val)) {
				if ok && !slices.Contains(a.funcVars[g], fn) {
					a.funcVars[g] = append(a.funcVars[g], fn)
				}
				continue
			}
		}
		delete(a.funcVars, g)
	}
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// candidates returns the functions that v can be, all of them; none if others are possible too.
func (a *Package) candidates(v ssa.Value) []*ssa.Function {
	switch v := v.(type) {
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL {
			return a.funcVars[g]
		}
	case *ssa.Phi:
		var all []*ssa.Function
		for _, e := range v.Edges {
			fn, ok := e.(*ssa.Function)
			if !ok && !IsNil(e) {
				return nil
			}
			if ok {
				all = append(all, fn)
			}
		}
		return all
	}
	return nil
}

// joined returns what a call of one of several functions does: what all of them do. It is nil if one is
// not known.
func (a *Package) joined(all []*ssa.Function) *Summary {
	return joinAll(all, func(fn *ssa.Function) *Summary {
		obj, _ := ssautil.Generic(fn).Object().(*types.Func)
		return a.summary(ssautil.Generic(fn), obj)
	})
}

// joinAll joins the summaries of several values; nil if there is none of one.
func joinAll[V any](all []V, of func(V) *Summary) (sum *Summary) {
	for _, v := range all {
		s := of(v)
		switch {
		case s == nil:
			return nil
		case sum == nil:
			sum = s
		default:
			sum = sum.join(s)
		}
	}
	return sum
}

// join returns what both summaries say. A parameter with which they do not do the same may be anywhere
// afterwards.
//
// The order of the lattice: what both say holds, and where they differ a parameter is unknown, and
// released perhaps if one of them releases it. Fields that either detaches are detached, as what
// was loaded from those has no other owner.
func (s *Summary) join(other *Summary) *Summary {
	all := new(Summary)
	for i := range max(len(s.Params), len(other.Params)) {
		p, q := *s.Param(i), *other.Param(i)
		use := p.Use && q.Use
		p.Use, q.Use = use, use
		after := p.UsedAfter & q.UsedAfter
		p.UsedAfter, q.UsedAfter = after, after
		q.keptAt, q.keptMap = p.keptAt, p.keptMap // one of several
		if !slices.Equal(p.HeldFrom, q.HeldFrom) {
			p.HeldFrom, q.HeldFrom = nil, nil
		}
		if !slices.Equal(p.Empties, q.Empties) {
			p.Empties, q.Empties = nil, nil
		}
		if !slices.Equal(p.Through, q.Through) {
			p.Through, q.Through = nil, nil
		}
		// A counter of one type, and a cursor of another, say nothing of what becomes of the value.
		names := slices.Concat(p.Detaches, q.Detaches)
		slices.Sort(names)
		names = slices.Compact(names)
		p.Detaches, q.Detaches = names, names
		if !p.equal(&q) {
			release := ReleaseNever
			if p.Release != ReleaseNever || q.Release != ReleaseNever {
				release = ReleasePerhaps
			}
			p = Param{Unknown: true, Use: use, UsedAfter: after, Release: release, Detaches: names}
		}
		*all.grow(i) = p
	}
	if reflect.DeepEqual(s.Acquires, other.Acquires) {
		all.Acquires = s.Acquires
	}
	return all
}

// findNoEscape finds the functions without a body that keep no pointer: the compiler relies on
// //go:noescape, so the rules may.
func (a *Package) findNoEscape() {
	a.noEscape = map[*types.Func]bool{}
	for _, file := range a.Pass.Files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body != nil || d.Doc == nil {
				continue
			}
			said := slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return c.Text == "//go:noescape" })
			if obj, ok := a.Pass.TypesInfo.Defs[d.Name].(*types.Func); ok && said {
				a.noEscape[obj] = true
			}
		}
	}
}

// borrowing returns the summary of a function that uses its parameters and keeps none.
func borrowing(sig *types.Signature) *Summary {
	s := new(Summary)
	n := sig.Params().Len()
	if sig.Recv() != nil {
		n++
	}
	for i := range n {
		s.grow(i).Use = true
	}
	return s
}
