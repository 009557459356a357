package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// rpc is what a package shows of its gRPC servers.
type rpc struct {
	arenas bool // it imports arenagrpc: its handlers have arenas
	all    bool // a policy recycles strings too
	safe   bool // nothing is recycled
}

// findRPC looks for the options that handlers of the package are registered with.
func (a *analyzer) findRPC() {
	a.rpc.arenas = a.imports("lessgc/rpc/arenagrpc")
	if !a.rpc.arenas {
		return
	}
	policies, safe := 0, 0
	for _, file := range a.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && a.isOptions(lit) && !names(lit, "Policy") {
				policies++
				safe++
			}
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, ok := kv.Key.(*ast.Ident)
			if !ok || key.Name != "Policy" {
				return true
			}
			field, ok := a.pass.TypesInfo.ObjectOf(key).(*types.Var)
			if !ok || field.Pkg() == nil || field.Pkg().Path() != "lessgc/rpc/arenagrpc" {
				return true
			}
			policies++
			switch c := a.object(kv.Value); {
			case c != nil && c.Name() == "RecycleAll":
				a.rpc.all = true
			case c != nil && c.Name() == "Safe":
				safe++
			}
			return true
		})
	}
	a.rpc.safe = policies > 0 && safe == policies
}

// isOptions reports whether lit is an arenagrpc.Options.
func (a *analyzer) isOptions(lit *ast.CompositeLit) bool {
	n, ok := a.pass.TypesInfo.TypeOf(lit).(*types.Named)
	return ok && n.Obj().Name() == "Options" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "lessgc/rpc/arenagrpc"
}

// names reports whether a literal names a field.
func names(lit *ast.CompositeLit, field string) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
				return true
			}
		}
	}
	return false
}

// borrows are the origins of f that end with the RPC it handles: its request, and the arena
// of its context.
func (f *function) borrows() []*Origin {
	if f.a.rpc.safe {
		return nil
	}
	arena := f.fromContext()
	request := f.request()
	if request != nil && !recycled(request.Type(), f.a.rpc.all, 0) {
		request = nil
	}
	if arena == nil && !f.a.rpc.arenas || request == nil && arena == nil {
		return nil
	}
	kind := Typed
	if f.a.rpc.all {
		kind = Recycled
	}
	var all []*Origin
	add := func(v ssa.Value, start ssa.Instruction, name string, pos token.Pos, m mark) *Origin {
		d := f.newDerivation(v)
		d.texts = kind == Recycled
		d.begin(v, m)
		d.run()
		o := &Origin{Kind: kind, Pos: pos, Name: name, Borrowed: true, Direct: true, d: &derived{derivation: d, acts: d.actions()}}
		o.run = d.flow(o.d.acts, start, true)
		return o
	}
	if request != nil {
		all = append(all, add(request, nil, request.Name(), request.Pos(), same|deep))
	}
	if arena != nil {
		o := add(arena, arena, "the arena of the context", arena.Pos(), same)
		if o.d.keepsAll() {
			return nil
		}
		for _, p := range f.memoryOf(o.d) {
			if p.text && kind != Recycled {
				continue
			}
			m := add(result(p.call, ^uint64(0)), p.call, f.a.variable(p.call.Pos(), p.root), p.call.Pos(), same|alias)
			m.Arena = o
			all = append(all, m)
		}
		all = append(all, o)
	}
	var siblings []*derived
	for _, o := range all {
		siblings = append(siblings, o.d)
	}
	for _, o := range all {
		o.siblings = siblings
	}
	return all
}

// fromContext is the call of arena.FromContext in f, if there is one.
func (f *function) fromContext() *ssa.Call {
	if !f.a.arenas {
		return nil
	}
	for _, i := range f.calls {
		if c, ok := i.(*ssa.Call); ok {
			if k := f.callee(&c.Call); k.fn != nil && k.fn.FullName() == "lessgc/arena.FromContext" {
				return c
			}
		}
	}
	return nil
}

// request is the parameter of a handler that holds the request: the second of a method
// (context.Context, *Request) (*Reply, error).
func (f *function) request() *ssa.Parameter {
	sig := f.Signature
	if sig.Recv() == nil || sig.Params().Len() != 2 || sig.Results().Len() != 2 || len(f.Params) != 3 ||
		!types.Identical(sig.Results().At(1).Type(), errorType) || sig.Params().At(0).Type().String() != "context.Context" || !message(sig.Params().At(1).Type()) || !message(sig.Results().At(0).Type()) {
		return nil
	}
	return f.Params[2]
}

// message says whether t is a pointer to a protobuf message.
func message(t types.Type) bool {
	if _, ok := t.(*types.Pointer); !ok {
		return false
	}
	for m := range types.NewMethodSet(t).Methods() {
		if m.Obj().Name() == "ProtoMessage" || m.Obj().Name() == "ProtoReflect" {
			return true
		}
	}
	return false
}

// recycled reports whether a message of type t, or what it points to, has parts in the arena.
// Its strings and bytes count only if they are recycled too; maps are never there.
func recycled(t types.Type, texts bool, depth int) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok && depth == 0 {
		t = p.Elem() // the message itself is on the heap
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return pointers(t) && (texts || !collected(t) && !isString(t))
	}
	for v := range s.Fields() {
		switch v.Name() {
		case "state", "sizeCache", "unknownFields", "weakFields", "extensionFields":
			continue // of generated code
		}
		if recycled(v.Type(), texts, depth+1) {
			return true
		}
	}
	return false
}
