package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// An Origin is a value that has to be released, or memory that ends with one.
type Origin struct {
	Kind     catalog.Kind
	Pos      token.Pos // of the call that acquires it; of the parameter, or what is released
	Name     string    // of the variable that it is assigned to, or what else it is called
	Pool     string    // the pool, as the source has it
	Param    bool      // it came from the caller: who may miss a release is not known
	Direct   bool      // it was acquired by a function of the table, not by a wrapper
	By       string    // the function that acquires it
	Arena    *Origin   // of memory: the arena that it is in
	Handle   bool      // of memory: it allocates from the arena itself
	Shared   bool      // whoever acquired it for the function may have given it to others too
	Taken    bool      // it is the slice that a pooled pointer points to: one that is never put back may be meant to be kept
	Borrowed bool      // it ends when the function does, by whoever called it

	Received bool // it is the messages of a stream, each of which ends when the next is received

	stream   *received
	d        *derived
	run      *run
	siblings []*derived // of memory: all of the same arena
	others   bool       // of an interceptor's request: the server is in another package
	runs     ssa.Value  // of an interceptor's request: the handler; what runs it may outlive f
}

// acquired finds what f acquires, with its states.
func (f *function) acquired() []*Origin {
	var all []*Origin
	for _, i := range f.calls {
		c, ok := i.(*ssa.Call)
		if !ok {
			continue
		}
		k := f.callee(&c.Call)
		if k.sum == nil {
			continue
		}
		for r, acq := range k.sum.Acquires {
			root := result(c, 1<<r)
			if acq.Kind == catalog.None || root == nil {
				continue
			}
			o := &Origin{Kind: acq.Kind, Pos: c.Pos(), Pool: acq.Pool, Shared: acq.Shared, Taken: acq.Taken, Direct: k.fn != nil && f.a.entry(k.fn) != nil}
			o.By = calleeName(k)
			if o.Kind == catalog.Typed && o.Direct && len(k.args) > 0 {
				o.Kind, _ = f.a.policy(k.args[0])
			}
			if o.Pool == "" && len(k.args) > 0 {
				o.Pool = poolName(k.args[0])
			}
			o.d = f.follow(root, same, acq.Detached...)
			start, _ := root.(ssa.Instruction)
			o.run = o.d.flow(o.d.acts, start, false)
			all = append(all, o)
		}
	}
	return all
}

// poolName is what a pool is called in the source.
func poolName(v ssa.Value) string {
	switch x := v.(type) {
	case *ssa.Global:
		return x.Name()
	case *ssa.FieldAddr:
		return fieldName(x)
	case *ssa.UnOp:
		return poolName(x.X)
	case *ssa.Parameter:
		return x.Name()
	case *ssa.FreeVar:
		return x.Name()
	case *ssa.Alloc:
		return x.Comment
	}
	return ""
}

// findPolicies finds the policies of arena pools: those that composite literals and
// assignments to the field Policy name.
func (a *analyzer) findPolicies() {
	if !a.arenas && a.pass.Pkg.Path() != "lessgc/arena" {
		return
	}
	info := a.pass.TypesInfo
	for _, file := range a.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if i < len(n.Names) {
						a.setPolicy(info.Defs[n.Names[i]], v)
					}
				}
			case *ast.AssignStmt:
				for i, v := range n.Rhs {
					if i >= len(n.Lhs) || len(n.Lhs) != len(n.Rhs) {
						break
					}
					switch l := ast.Unparen(n.Lhs[i]).(type) {
					case *ast.Ident:
						a.setPolicy(info.ObjectOf(l), v)
					case *ast.SelectorExpr:
						a.setPolicy(info.ObjectOf(l.Sel), v)
						if l.Sel.Name == "Policy" {
							a.setPolicyTo(a.object(l.X), v)
						}
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					a.setPolicy(info.ObjectOf(id), n.Value)
				}
			}
			return true
		})
	}
}

func (a *analyzer) imports(path string) bool {
	for _, p := range a.pass.Pkg.Imports() {
		if p.Path() == path {
			return true
		}
	}
	return false
}

// object is the variable or field that an expression names.
func (a *analyzer) object(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return a.pass.TypesInfo.ObjectOf(e)
	case *ast.SelectorExpr:
		return a.pass.TypesInfo.ObjectOf(e.Sel)
	case *ast.UnaryExpr:
		return a.object(e.X)
	}
	return nil
}

// setPolicy notes the policy of obj if v is a literal of an arena pool.
func (a *analyzer) setPolicy(obj types.Object, v ast.Expr) {
	if u, ok := ast.Unparen(v).(*ast.UnaryExpr); ok {
		v = u.X
	}
	lit, ok := ast.Unparen(v).(*ast.CompositeLit)
	if !ok || obj == nil {
		return
	}
	t := a.pass.TypesInfo.TypeOf(lit)
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

func (a *analyzer) setPolicyTo(obj types.Object, v ast.Expr) {
	if obj == nil {
		return
	}
	if f, ok := obj.(*types.Var); ok {
		obj = f.Origin()
	}
	k := policyKind(a.pass.TypesInfo.Types[v].Value)
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
func (r *Result) Recycles(pool ssa.Value) bool {
	if r.a == nil {
		return false
	}
	kind, known := r.a.policy(pool)
	return known && kind != catalog.Safe
}

// policy is the kind of arena that a pool hands out, and whether the package shows it.
func (a *analyzer) policy(pool ssa.Value) (kind catalog.Kind, known bool) {
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
	if obj.Pkg() == a.pass.Pkg && !obj.Exported() && isPool(obj.Type()) {
		return catalog.Safe, true // no other package can set its policy
	}
	return catalog.Typed, false
}

// localPolicy is the kind of arenas of a pool that a function makes: Safe if any of the policies
// that it gets is.
func (a *analyzer) localPolicy(pool *ssa.Alloc) catalog.Kind {
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

// variable finds the name of the variable that the value made at pos is assigned to, or
// which of the results of the call at pos if it is one of several.
func (a *analyzer) variable(pos token.Pos, v ssa.Value) string {
	result := 0
	if e, ok := v.(*ssa.Extract); ok {
		result = e.Index
	}
	for _, file := range a.pass.Files {
		if file.FileStart > pos || pos >= file.FileEnd {
			continue
		}
		name := ""
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || n.Pos() > pos || n.End() <= pos {
				return n == nil || name == "" && n.Pos() <= pos && pos < n.End()
			}
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, r := range n.Rhs {
					if len(n.Rhs) == 1 && result < len(n.Lhs) {
						i = result
					}
					if i < len(n.Lhs) && isCall(r, pos) {
						name = types.ExprString(n.Lhs[i])
					}
				}
			case *ast.ValueSpec:
				for i, r := range n.Values {
					if len(n.Values) == 1 && result < len(n.Names) {
						i = result
					}
					if i < len(n.Names) && isCall(r, pos) {
						name = n.Names[i].Name
					}
				}
			}
			return true
		})
		return name
	}
	return ""
}

// isCall says whether e is the call at pos, its value as another type, or a slice of it.
func isCall(e ast.Expr, pos token.Pos) bool {
	for {
		switch x := e.(type) {
		case *ast.CallExpr:
			return x.Lparen == pos || x.Pos() == pos
		case *ast.ParenExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Pos() == pos {
				return true
			}
			e = x.X
		case *ast.CompositeLit:
			return x.Lbrace == pos || x.Pos() == pos
		case *ast.SliceExpr:
			e = x.X
		case *ast.IndexExpr:
			return x.Lbrack == pos
		default:
			return e.Pos() == pos
		}
	}
}
