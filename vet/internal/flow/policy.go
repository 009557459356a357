package flow

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Does an arena that comes from a pool recycle its memory? It decides whether strings and values
// count as gone.
//
//	var arenas = arena.Pool{Policy: arena.RecycleAll} // recycles all
//	var plain arena.Pool                              // safe: no other package can set its policy
//	func f(p *arena.Pool) { a := p.Get() }            // typed: not known
//
// It takes literals and assignments in the package. Of two policies the one that recycles less
// counts, as what is said must be right for both, which errs towards silence.

// findPolicies finds the policies of arena pools: those that composite literals and
// assignments to the field Policy name.
func (a *Package) findPolicies() {
	if !a.arenas && a.Pass.Pkg.Path() != "lessgc/arena" {
		return
	}
	for _, file := range a.Pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			for l, v := range settings(n) {
				a.setPolicyOf(ast.Unparen(l), v)
			}
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				a.setPolicyOf(kv.Key, kv.Value)
			}
			return true
		})
	}
}

// setPolicyOf notes the policy of the pool that l names and v is assigned to, or of the pool whose field
// Policy l is.
func (a *Package) setPolicyOf(l, v ast.Expr) {
	switch l := l.(type) {
	case *ast.Ident:
		a.setPolicy(a.Pass.TypesInfo.ObjectOf(l), v)
	case *ast.SelectorExpr:
		a.setPolicy(a.Pass.TypesInfo.ObjectOf(l.Sel), v)
		if l.Sel.Name == "Policy" {
			a.setPolicyTo(a.object(l.X), v)
		}
	}
}

func (a *Package) imports(path string) bool {
	for _, p := range a.Pass.Pkg.Imports() {
		if p.Path() == path {
			return true
		}
	}
	return false
}

// object is the variable or field that an expression names.
func (a *Package) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return a.Pass.TypesInfo.ObjectOf(e)
	case *ast.SelectorExpr:
		return a.Pass.TypesInfo.ObjectOf(e.Sel)
	case *ast.UnaryExpr:
		return a.object(e.X)
	}
	return nil
}

// setPolicy notes the policy of obj if v is a literal of an arena pool.
func (a *Package) setPolicy(obj types.Object, v ast.Expr) {
	if u, ok := ast.Unparen(v).(*ast.UnaryExpr); ok {
		v = u.X
	}
	lit, ok := ast.Unparen(v).(*ast.CompositeLit)
	if !ok || obj == nil {
		return
	}
	t := a.Pass.TypesInfo.TypeOf(lit)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if !isPool(t) {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "Policy" {
				a.setPolicyTo(obj, kv.Value)
			}
		}
	}
}

func (a *Package) setPolicyTo(obj types.Object, v ast.Expr) {
	if obj == nil {
		return
	}
	if f, ok := obj.(*types.Var); ok {
		obj = f.Origin()
	}
	k := policyKind(a.Pass.TypesInfo.Types[v].Value)
	if old, ok := a.policies[obj]; ok && old != k {
		k = min(old, k)
	}
	a.policies[obj] = k
}

// policyKind is the kind of arenas with a policy: Safe if it is not constant, so that what is
// said of them is right for all.
func policyKind(policy constant.Value) catalog.Kind {
	if policy == nil || policy.Kind() != constant.Int {
		return catalog.Safe
	}
	switch n, _ := constant.Int64Val(policy); n {
	case 1: // arena.RecycleTyped
		return catalog.Typed
	case 2: // arena.RecycleAll
		return catalog.Recycled
	}
	return catalog.Safe
}

// Recycles reports whether the arenas of a pool, the receiver of Get, recycle their memory by a
// policy that the package sets. It is false for a pool whose policy is not known.
func (a *Package) Recycles(pool ssa.Value) bool {
	if a.Pass == nil {
		return false
	}
	kind, known := a.policy(pool)
	return known && kind != catalog.Safe
}

// policy is the kind of arena that a pool hands out, and whether the package shows it.
func (a *Package) policy(pool ssa.Value) (kind catalog.Kind, known bool) {
	var obj *types.Var
	switch x := pool.(type) {
	case *ssa.Global:
		obj, _ = x.Object().(*types.Var)
	case *ssa.FieldAddr:
		obj = ssautil.Field(x)
	case *ssa.Field:
		if s, ok := x.X.Type().Underlying().(*types.Struct); ok {
			obj = s.Field(x.Field)
		}
	case *ssa.UnOp:
		switch y := x.X.(type) {
		case *ssa.Global:
			obj, _ = y.Object().(*types.Var)
		case *ssa.FieldAddr:
			obj = ssautil.Field(y)
		}
	case *ssa.Alloc:
		if p, ok := x.Type().(*types.Pointer); ok && isPool(p.Elem()) {
			return a.localPolicy(x), true
		}
	}
	if obj == nil {
		return catalog.Typed, false
	}
	obj = obj.Origin()
	if k, ok := a.policies[obj]; ok {
		return k, true
	}
	if obj.Pkg() == a.Pass.Pkg && !obj.Exported() && isPool(obj.Type()) {
		return catalog.Safe, true // no other package can set its policy
	}
	return catalog.Typed, false
}

// localPolicy is the kind of arenas of a pool that a function makes: Safe if any of the policies
// that it gets is.
func (a *Package) localPolicy(pool *ssa.Alloc) catalog.Kind {
	var kinds []catalog.Kind
	for obj, k := range a.policies {
		if obj.Pos() == pool.Pos() {
			kinds = append(kinds, k)
		}
	}
	s := pool.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if s.Field(i).Name() != "Policy" {
			continue
		}
		for _, v := range fieldStores(pool, i, 0) {
			if c, ok := v.(*ssa.Const); ok {
				kinds = append(kinds, policyKind(c.Value))
			} else {
				kinds = append(kinds, catalog.Safe)
			}
		}
	}
	if len(kinds) == 0 {
		return catalog.Safe
	}
	return slices.Min(kinds)
}

// isPool reports whether t is arena.Pool.
func isPool(t types.Type) bool {
	return !ssautil.IsPointer(t) && catalog.TypeOf(t).Pool == catalog.ArenaPool
}
