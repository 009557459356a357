package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Which values end with the RPC that a function handles?
//
//	func (s *server) Put(ctx context.Context, in *pb.PutRequest) (*pb.PutReply, error) {
//		s.last = in // outlives its request
//		s.n = in.N  // a number: right
//	}
//
// It takes the signatures, and the options of servers in the package. Which server a handler is
// registered with is not followed: if several policies are possible, the one that recycles most
// counts. That errs towards a report, of memory that a change of options would make wrong. In a
// package that shows no arenas only interceptors have any.

// rpc holds the facts that a package shows about its gRPC servers.
type rpc struct {
	arenas   bool                       // it imports arenagrpc: its handlers have arenas
	policies []catalog.Kind             // of its arenagrpc.Options; None if not constant
	methods  map[string][]methodOptions // of its Options.Methods, by the names of the methods
}

// methodOptions are an entry of arenagrpc.Options.Methods.
type methodOptions struct {
	service    string       // without its package
	kind       catalog.Kind // None if not constant
	perMessage bool
}

const arenagrpc = "lessgc/rpc/arenagrpc"

// findRPC looks for the options that handlers of the package are registered with.
func (a *Package) findRPC() {
	a.rpc.methods = map[string][]methodOptions{}
	a.rpc.arenas = a.imports(arenagrpc)
	if !a.rpc.arenas {
		return
	}
	for _, file := range a.Pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				a.findOptions(n)
			case *ast.ValueSpec:
				if n.Type != nil && len(n.Values) == 0 && ssautil.IsNamed(a.Pass.TypesInfo.TypeOf(n.Type), arenagrpc, "Options") {
					a.rpc.policies = append(a.rpc.policies, catalog.Safe)
				}
			case *ast.AssignStmt:
				for l, v := range settings(n) {
					a.assigned(ast.Unparen(l), v)
				}
			}
			return true
		})
	}
}

// findOptions notes the policy of a literal of Options, and the methods of one of Options.Methods.
func (a *Package) findOptions(lit *ast.CompositeLit) {
	t := a.Pass.TypesInfo.TypeOf(lit)
	if ssautil.IsNamed(t, arenagrpc, "Options") {
		a.rpc.policies = append(a.rpc.policies, a.policyOf(lit))
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok || !ssautil.IsNamed(m.Elem(), arenagrpc, "MethodOptions") {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			a.addMethod(kv.Key, kv.Value)
		}
	}
}

// assigned notes what is assigned to the field Policy of options, and to an element of Methods.
func (a *Package) assigned(l, v ast.Expr) {
	switch l := l.(type) {
	case *ast.SelectorExpr:
		if l.Sel.Name == "Policy" && ssautil.IsNamed(a.Pass.TypesInfo.TypeOf(l.X), arenagrpc, "Options") {
			a.rpc.policies = append(a.rpc.policies, a.constantPolicy(v))
		}
	case *ast.IndexExpr:
		if m, ok := a.Pass.TypesInfo.TypeOf(l.X).Underlying().(*types.Map); ok && ssautil.IsNamed(m.Elem(), arenagrpc, "MethodOptions") {
			a.addMethod(l.Index, v)
		}
	}
}

// addMethod notes an entry of Options.Methods.
func (a *Package) addMethod(key, v ast.Expr) {
	name := a.Pass.TypesInfo.Types[key].Value
	if name == nil || name.Kind() != constant.String {
		return
	}
	service, method, ok := strings.Cut(strings.TrimPrefix(constant.StringVal(name), "/"), "/")
	if !ok {
		return
	}
	o := methodOptions{service: service[strings.LastIndexByte(service, '.')+1:]}
	if lit := a.literal(v); lit != nil {
		o.kind = a.policyOf(lit)
		if e := literalField(lit, "PerMessage"); e != nil {
			c := a.Pass.TypesInfo.Types[e].Value
			o.perMessage = c != nil && c.Kind() == constant.Bool && constant.BoolVal(c)
		}
	}
	a.rpc.methods[method] = append(a.rpc.methods[method], o)
}

// literal is the composite literal that e is, or that the variable e was set to once; nil if there
// is none.
//
// A variable that is set twice, or whose field is set, or whose address is taken, may hold other
// options by then:
//
//	var changed = arenagrpc.MethodOptions{PerMessage: true}
//	func init() { changed.PerMessage = false } // no literal stands for changed
func (a *Package) literal(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.CompositeLit); ok {
		return lit
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	obj, ok := a.Pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || obj.Pkg() != a.Pass.Pkg {
		return nil
	}
	var found *ast.CompositeLit
	sets := 0
	set := func(l, v ast.Expr) {
		if id, ok := variableOf(l).(*ast.Ident); ok && a.Pass.TypesInfo.ObjectOf(id) == obj {
			sets++
			found, _ = v.(*ast.CompositeLit)
		}
	}
	for _, file := range a.Pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			for l, v := range settings(n) {
				set(l, v)
			}
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
				set(u.X, nil)
			}
			return true
		})
	}
	if sets != 1 {
		return nil
	}
	return found
}

// variableOf returns e without the fields that it selects.
func variableOf(e ast.Expr) ast.Expr {
	for {
		s, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return ast.Unparen(e)
		}
		e = s.X
	}
}

// policyOf is the kind of arenas that a literal of Options or MethodOptions stands for.
func (a *Package) policyOf(lit *ast.CompositeLit) catalog.Kind {
	if e := literalField(lit, "Heap"); e != nil {
		if c := a.Pass.TypesInfo.Types[e].Value; c != nil && constant.BoolVal(c) {
			return catalog.Safe
		}
	}
	if e := literalField(lit, "Policy"); e != nil {
		return a.constantPolicy(e)
	}
	if len(lit.Elts) > 0 {
		if _, ok := lit.Elts[0].(*ast.KeyValueExpr); !ok {
			return catalog.None
		}
	}
	return catalog.Safe
}

// constantPolicy is the kind of arenas with the policy e, or None if it is not constant.
func (a *Package) constantPolicy(e ast.Expr) catalog.Kind {
	if c := a.Pass.TypesInfo.Types[e].Value; c != nil {
		return policyKind(c)
	}
	return catalog.None
}

// literalField returns the value of a field in a literal, or nil.
func literalField(lit *ast.CompositeLit, field string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
				return kv.Value
			}
		}
	}
	return nil
}

// most is the kind that recycles most; Typed stands for a policy that is not known.
func most(kinds []catalog.Kind) catalog.Kind {
	worst := catalog.Safe
	for _, k := range kinds {
		if k == catalog.None {
			k = catalog.Typed
		}
		worst = max(worst, k)
	}
	return worst
}

// options are the entries of Options.Methods for the method that f is.
func (f *Function) options() []methodOptions {
	if f.Signature.Recv() == nil || len(f.Package.rpc.methods[f.Name()]) == 0 {
		return nil
	}
	services := embedded(f.Signature.Recv().Type())
	var all []methodOptions
	for _, o := range f.Package.rpc.methods[f.Name()] {
		if len(services) == 0 || slices.Contains(services, o.service) {
			all = append(all, o)
		}
	}
	return all
}

// embedded are the services that a type implements, as far as what it embeds shows.
func embedded(t types.Type) []string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var all []string
	for v := range s.Fields() {
		name, generated := strings.CutPrefix(v.Name(), "Unimplemented")
		if !generated {
			name, generated = strings.CutPrefix(v.Name(), "Unsafe")
		}
		if name, ok := strings.CutSuffix(name, "Server"); ok && generated && v.Embedded() {
			all = append(all, name)
		}
	}
	return all
}

// policy is the kind of the arenas of f, a unary method.
//
// Options of the method replace those of the server, but with several servers it is not known which
// of them has the method's options, so all count.
func (f *Function) policy() catalog.Kind {
	var kinds []catalog.Kind
	for _, o := range f.options() {
		kinds = append(kinds, o.kind)
	}
	if len(kinds) > 0 && len(f.Package.rpc.policies) <= 1 {
		return most(kinds)
	}
	return f.Package.rpc.policyOr(kinds)
}

// policyOr is the kind of the arenas of methods that have no options of their own, or else
// those of kinds.
func (r *rpc) policyOr(kinds []catalog.Kind) catalog.Kind {
	if kinds = append(kinds, r.policies...); len(kinds) == 0 {
		return catalog.Typed // the package does not show it
	}
	return most(kinds)
}

// policyAny is the kind of the arenas of any unary method, whose requests an interceptor gets; with
// streams of any method, as a stats handler gets all messages.
func (r *rpc) policyAny(streams bool) catalog.Kind {
	var kinds []catalog.Kind
	for _, list := range r.methods {
		for _, o := range list {
			if !o.perMessage || streams {
				kinds = append(kinds, o.kind)
			}
		}
	}
	if len(kinds) == 0 && len(r.methods) > 0 && len(r.policies) == 0 {
		return catalog.Safe // it shows streams only
	}
	return r.policyOr(kinds)
}

// borrows returns the origins of f that end with the RPC it handles: its request, and the arena
// of its context.
func (f *Function) borrows() []*Origin {
	all := f.ofRPC()
	if o := f.received(); o != nil {
		for _, other := range all {
			o.Siblings = append(o.Siblings, other.Tracked)
			other.Siblings = append(other.Siblings, o.Tracked)
		}
		all = append(all, o)
	}
	return all
}

// A unary RPC, as far as a function has to do with it.
type unary struct {
	kind      catalog.Kind // of the arenas
	requests  []ssa.Value
	arena     *ssa.Call // of arena.FromContext, or nil
	handler   ssa.Value // that an interceptor is to call, or nil
	elsewhere bool      // the server may be in another package
}

// ofRPC returns those of them that a unary RPC has. They all are siblings: what is stored from one into
// another ends with it.
func (f *Function) ofRPC() []*Origin {
	u, ok := f.unary()
	if !ok || u.kind <= catalog.Safe {
		return nil
	}
	var all []*Origin
	for _, v := range u.requests {
		if !recycled(v.Type(), u.kind == catalog.Recycled, 0) {
			continue
		}
		start, _ := v.(ssa.Instruction)
		m := MarkSame | MarkDeep
		if !isPayload(v) && start != nil {
			m = MarkHold // an event that has it
		}
		all = append(all, f.borrowed(u, v, start, f.nameOf(v), v.Pos(), m))
	}
	// Memory of the context's arena ends as the request does, so each piece is an origin as well.
	if u.arena != nil {
		o := f.borrowed(u, u.arena, u.arena, "the arena of the context", u.arena.Pos(), MarkSame)
		if o.Tracked.keepsAll() {
			return nil
		}
		for _, p := range f.memoryOf(o.Tracked) {
			if p.text && u.kind != catalog.Recycled {
				continue
			}
			m := f.borrowed(u, firstResult(p.call, ^uint64(0)), p.call, f.Package.variable(p.call.Pos(), p.Root), p.call.Pos(), MarkSame|MarkAlias)
			m.Arena = o
			all = append(all, m)
		}
		all = append(all, o)
	}
	var siblings []*Tracked
	for _, o := range all {
		siblings = append(siblings, o.Tracked)
	}
	for _, o := range all {
		o.Siblings = siblings
	}
	return all
}

// unary returns what f has to do with a unary RPC: as its handler, as an interceptor, or as the stats
// handler of a server. It is not ok if the package shows no server with arenas.
func (f *Function) unary() (u unary, ok bool) {
	u = unary{kind: f.policy(), requests: f.requests(), arena: f.fromContext()}
	shown := u.arena != nil || f.Package.rpc.arenas
	// An interceptor gets the requests of all methods, of a server that may be set up in another
	// package.
	if in, handler := f.intercepted(); in != nil {
		u.requests, u.handler, u.kind = []ssa.Value{in}, handler, f.Package.rpc.policyAny(false)
		u.elsewhere = !shown
	} else if !shown {
		return unary{}, false
	}
	if in := f.payloads(); in != nil {
		u.requests, u.kind = in, f.Package.rpc.policyAny(true)
	}
	return u, true
}

// borrowed returns the origin v, which is there from start on and ends with the RPC.
func (f *Function) borrowed(u unary, v ssa.Value, start ssa.Instruction, name string, pos token.Pos, m Mark) *Origin {
	d := f.newDerivation(v)
	d.texts = u.kind == catalog.Recycled
	d.begin(v, m)
	d.propagate()
	o := &Origin{Kind: u.kind, Pos: pos, Name: name, Borrowed: true, Direct: true, Elsewhere: u.elsewhere, Handler: u.handler, Tracked: &Tracked{Aliases: d, Effects: d.effects()}}
	o.States = d.states(o.Tracked.Effects, start, true)
	return o
}

// nameOf returns what a message is called.
func (f *Function) nameOf(v ssa.Value) string {
	if _, ok := v.(*ssa.Parameter); ok {
		return v.Name()
	}
	return "the payload"
}

// fromContext returns the call of arena.FromContext in f, if there is one.
func (f *Function) fromContext() *ssa.Call {
	if !f.Package.arenas {
		return nil
	}
	for _, i := range f.Calls {
		if c, ok := i.(*ssa.Call); ok {
			if k := f.Callee(&c.Call); k.Func != nil && k.Func.FullName() == "lessgc/arena.FromContext" {
				return c
			}
		}
	}
	return nil
}

// requests returns the parameter of a handler that holds the request: the second of a method
// (context.Context, *Request) (*Reply, error).
func (f *Function) requests() []ssa.Value {
	sig := f.Signature
	if sig.Recv() == nil || sig.Params().Len() != 2 || sig.Results().Len() != 2 || len(f.Params) != 3 ||
		!types.Identical(sig.Results().At(1).Type(), ErrorType) || sig.Params().At(0).Type().String() != "context.Context" || !IsMessage(sig.Params().At(1).Type()) || !IsMessage(sig.Results().At(0).Type()) {
		return nil
	}
	return []ssa.Value{f.Params[2]}
}

// intercepted are the request and the handler of f if it is a grpc.UnaryServerInterceptor.
func (f *Function) intercepted() (request, handler ssa.Value) {
	p, r := f.Signature.Params(), f.Signature.Results()
	if p.Len() != 4 || r.Len() != 2 || p.At(0).Type().String() != "context.Context" || !types.IsInterface(p.At(1).Type()) ||
		p.At(2).Type().String() != "*google.golang.org/grpc.UnaryServerInfo" || !ssautil.IsNamed(p.At(3).Type(), "google.golang.org/grpc", "UnaryHandler") {
		return nil, nil
	}
	params := f.Params[len(f.Params)-4:]
	return params[1], params[3]
}

// payloads returns the values that hold messages in f, the method HandleRPC of a stats handler: the
// events, and the payloads that it loads from them.
func (f *Function) payloads() []ssa.Value {
	p := f.Signature.Params()
	if f.Signature.Recv() == nil || f.Name() != "HandleRPC" || p.Len() != 2 || !ssautil.IsNamed(p.At(1).Type(), "google.golang.org/grpc/stats", "RPCStats") {
		return nil
	}
	var all []ssa.Value
	for i := range ssautil.Instructions(f.Function) {
		v, ok := i.(ssa.Value)
		if !ok {
			continue
		}
		if isPayload(v) {
			all = append(all, v)
		}
		switch v.(type) {
		case *ssa.TypeAssert, *ssa.Extract:
			if v.Type().String() == "*google.golang.org/grpc/stats.InPayload" {
				all = append(all, v)
			}
		}
	}
	return all
}

// isPayload reports whether v is loaded from the field Payload of a stats.InPayload.
func isPayload(v ssa.Value) bool {
	fa := ssautil.LoadedFrom(v)
	if fa == nil || FieldName(fa) != "Payload" {
		return false
	}
	return fa.X.Type().String() == "*google.golang.org/grpc/stats.InPayload"
}

// IsMessage reports whether t is a pointer to a protobuf message.
func IsMessage(t types.Type) bool {
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
		return pointers(t) && (texts || !collected(t) && !ssautil.IsString(t))
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

// Intercepts reports whether f is a unary interceptor in a package that does not import arenagrpc, or a
// literal in a function that returns one.
func (f *Function) Intercepts() bool {
	request, _ := f.intercepted()
	return request != nil && !f.Package.rpc.arenas
}

// ServerKind returns the kind of the arenas of unary requests, and whether the package sets up a server
// whose requests are recycled.
func (a *Package) ServerKind() (kind catalog.Kind, ok bool) {
	kind = a.rpc.policyAny(false)
	return kind, a.rpc.arenas && kind > catalog.Safe && len(a.rpc.policies)+len(a.rpc.methods) > 0
}
