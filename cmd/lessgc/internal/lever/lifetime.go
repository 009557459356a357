package lever

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

// A confinement records, by types alone, where objects of a linked structure can be kept. It
// holds for all executions of the code whose source is loaded: a type reaches the objects if a
// value of it may lead to one.
type confinement struct {
	program *Program
	of      *types.Named
	known   map[types.Type]bool
	clean   map[*ssa.Function]bool // those that give no object away
}

// confine makes what is known of a type.
func (p *Program) confine(of *types.Named) *confinement {
	of = of.Origin()
	if p.confined[of] == nil {
		p.confined[of] = &confinement{p, of, map[types.Type]bool{}, map[*ssa.Function]bool{}}
	}
	return p.confined[of]
}

// keepsNone reports whether neither a function nor what it may call, by way of interfaces and function
// values of their types, gives an object to a variable of a package, another goroutine, or
// code that is not known.
func (c *confinement) keepsNone(fn *ssa.Function) bool {
	if c.program.graph == nil {
		c.program.graph = cha.CallGraph(c.program.ssa)
	}
	seen := map[*callgraph.Node]bool{}
	var visit func(*callgraph.Node) bool
	visit = func(n *callgraph.Node) bool {
		if n == nil || seen[n] || c.program.onlyTests(n.Func) {
			return true
		}
		seen[n] = true
		return c.isClean(n.Func) && !slices.ContainsFunc(n.Out, func(e *callgraph.Edge) bool { return !visit(e.Callee) })
	}
	return visit(c.program.graph.Nodes[fn])
}

func (c *confinement) isClean(fn *ssa.Function) bool {
	clean, ok := c.clean[fn]
	if !ok {
		clean = !slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return slices.ContainsFunc(b.Instrs, c.givesAway) })
		c.clean[fn] = clean
	}
	return clean
}

// givesAway reports whether an instruction is one by which an object may get to where its type does not
// show.
func (c *confinement) givesAway(in ssa.Instruction) bool {
	if slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool {
		variable, ok := (*v).(*ssa.Global)
		return ok && c.reaches(variable.Type())
	}) {
		return true
	}
	switch in := in.(type) {
	case *ssa.MakeChan:
		return c.reaches(in.Type().Underlying().(*types.Chan).Elem())
	case *ssa.Convert:
		b, ok := in.Type().Underlying().(*types.Basic)
		return ok && b.Kind() == types.UnsafePointer && c.reaches(in.X.Type())
	case *ssa.FieldAddr:
		pointer, ok := in.X.Type().Underlying().(*types.Pointer)
		return ok && (c.isOne(pointer.Elem()) && addressKept(in) || handed(pointer.Elem()) && stored(in) && c.reaches(fieldOf(in).Type()))
	case *ssa.TypeAssert:
		return handed(in.X.Type()) && c.reaches(in.AssertedType)
	case *ssa.Go:
		return c.anyReaches(in.Operands(nil))
	case *ssa.Call:
		return c.external(in.Common())
	case *ssa.Defer:
		return c.external(in.Common())
	case *ssa.Panic:
		made, ok := in.X.(*ssa.MakeInterface)
		return !ok || c.reaches(made.X.Type())
	}
	return false
}

// addressKept reports whether the address of part of an object is used for more than reading and
// writing there: its type does not show what it is part of.
func addressKept(address ssa.Value) bool {
	return slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
			return false
		case *ssa.Store:
			return in.Val == address
		case *ssa.FieldAddr:
			return addressKept(in)
		case *ssa.IndexAddr:
			return addressKept(in)
		}
		return true
	})
}

// stored reports whether something is stored at an address.
func stored(address ssa.Value) bool {
	return slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		return ok && store.Addr == address
	})
}

func (c *confinement) anyReaches(operands []*ssa.Value) bool {
	return slices.ContainsFunc(operands, func(v *ssa.Value) bool { return *v != nil && c.reaches((*v).Type()) })
}

// external reports whether a call gives an object to a function whose source is not loaded and that
// may keep it.
func (c *confinement) external(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 {
		return false // dynamic looks at the methods of interfaces
	}
	name := fullName(callee)
	if onlyCopies(name) || wraps[name] || ownMethods(name) || sorts(name) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return c.reaches(v.Type()) })
}

// sorts reports whether a function of the standard library keeps nothing of the slices and maps
// that it is given but in its result.
func sorts(name string) bool {
	for _, prefix := range []string{"slices.", "maps.", "sort.", "errors.", "fmt.Errorf"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// reaches reports whether a value of a type may lead to an object.
func (c *confinement) reaches(t types.Type) bool {
	if known, ok := c.known[t]; ok {
		return known
	}
	r := reaching{c, map[types.Type]bool{}}
	found := r.reaches(t)
	c.known[t] = found
	if !found {
		for seen := range r.seen {
			c.known[seen] = false
		}
	}
	return found
}

// reaching is one search by reaches. A type that it has seen is on the way, or leads nowhere.
type reaching struct {
	*confinement
	seen map[types.Type]bool
}

func (r reaching) reaches(t types.Type) bool {
	t = types.Unalias(t)
	if known, ok := r.known[t]; ok {
		return known
	}
	if r.seen[t] {
		return false
	}
	r.seen[t] = true
	switch u := t.(type) {
	case *types.Named:
		return r.named(u)
	case *types.Pointer:
		return r.reaches(u.Elem())
	case *types.Slice:
		return r.reaches(u.Elem())
	case *types.Array:
		return r.reaches(u.Elem())
	case *types.Chan:
		return r.reaches(u.Elem())
	case *types.Map:
		return r.reaches(u.Key()) || r.reaches(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if r.reaches(field.Type()) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if r.reaches(v.Type()) {
				return true
			}
		}
	case *types.Interface:
		return r.dynamic(u)
	case *types.Signature:
		return r.captures(u)
	case *types.TypeParam:
		return true // it may be anything
	}
	return false
}

func (r reaching) named(t *types.Named) bool {
	if sameName(t, r.of) {
		return true
	}
	if handed(t) {
		return false
	}
	return r.reaches(t.Underlying())
}

// handed reports whether a type is one of those with which a program is asked to do something:
// handlers of requests, tests and benchmarks. None of it holds an object unless code puts it there, which
// givesAway sees.
func handed(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "testing":
		return true
	case "net/http":
		return named.Obj().Name() == "Request" || named.Obj().Name() == "ResponseWriter"
	}
	return false
}

// isOne reports whether a type is that of the objects.
func (c *confinement) isOne(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && sameName(named, c.of)
}

// sameName reports whether two types have the same name in packages of the same path: a package and
// its variant with tests are two to the type checker, and functions of both are loaded.
func sameName(a, b *types.Named) bool {
	if a.Origin() == b.Origin() {
		return true
	}
	x, y := a.Obj(), b.Obj()
	return x.Name() == y.Name() && x.Pkg() != nil && y.Pkg() != nil && x.Pkg().Path() == y.Pkg().Path() &&
		x.Parent() == x.Pkg().Scope() && y.Parent() == y.Pkg().Scope()
}

// dynamic reports whether a value that reaches an object is made an interface somewhere and has the
// methods of this one, or one of these is given an object: who implements it elsewhere is not known.
func (r reaching) dynamic(u *types.Interface) bool {
	for m := range u.Methods() {
		if m.Exported() && m.FullName() != "(context.Context).Value" && r.reaches(m.Signature().Params()) { // a key is looked up
			return true
		}
	}
	return slices.ContainsFunc(r.program.boxedTypes, func(t types.Type) bool { return types.Implements(t, u) && r.reaches(t) })
}

// captures reports whether a function of a signature captures what reaches an object, or is given
// one: where it comes from is not known.
func (r reaching) captures(u *types.Signature) bool {
	return r.reaches(u.Params()) || slices.ContainsFunc(r.program.closures, func(made *ssa.MakeClosure) bool {
		return sameSignature(made.Fn.(*ssa.Function).Signature, u) && slices.ContainsFunc(made.Bindings, func(v ssa.Value) bool { return r.reaches(v.Type()) })
	})
}

// dropsAll reports whether no object that a function makes, or that is made below it, is left when it
// ends: what it is given and gives back reaches none, but for functions that it calls with
// them, none of which keeps one.
func (c *confinement) dropsAll(fn *ssa.Function) bool {
	if !c.handsOnNone(fn) {
		return false
	}
	for _, param := range fn.Params {
		sig, ok := param.Type().Underlying().(*types.Signature)
		if ok && c.onlyLooked(sig) {
			continue
		}
		if c.reaches(param.Type()) {
			return false
		}
	}
	return c.keepsNone(fn)
}

// onlyLooked reports whether there are functions of a type that are used as values, by the program or
// the benchmarks that were profiled, and none of them can keep what it is given.
func (c *confinement) onlyLooked(sig *types.Signature) bool {
	all := slices.DeleteFunc(c.program.valuesOf(sig), c.program.onlyTests)
	return len(all) > 0 && !slices.ContainsFunc(all, func(fn *ssa.Function) bool { return !c.handsOnNone(fn) || !c.keepsNone(fn) })
}

// onlyTests reports whether a function is one of tests, and of no benchmark.
func (p *Program) onlyTests(fn *ssa.Function) bool {
	return p.inTest(fn.Pos()) && !strings.HasPrefix(outermost(fn).Name(), "Benchmark")
}

// outermost is the declared function around a function literal.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// handsOnNone reports whether what a function captures and gives back reaches no object.
func (c *confinement) handsOnNone(fn *ssa.Function) bool {
	return !c.reaches(fn.Signature.Results()) && !slices.ContainsFunc(fn.FreeVars, func(v *ssa.FreeVar) bool { return c.reaches(v.Type()) })
}

// mostOfBytes is the share of a line's bytes that have to be allocated below one function for it to
// be where their life begins and ends.
const mostOfBytes = 0.95

// life is the innermost function below which nearly all objects of the line are made, many at a
// time, and dropped before it ends; nil if there is none.
func (p *Line) life(of *types.Named) (fn *ssa.Function, again Evidence) {
	c := p.confine(of)
	if len(p.site.Leaves) == 0 {
		return nil, again
	}
	stack := append([]prof.Frame{p.site.Frame}, p.site.Leaves[0].Callers...)
	for i, f := range stack[:min(len(stack), farthest)] {
		at := p.function(f)
		if at == nil || strings.HasSuffix(f.File, "_test.go") {
			continue
		}
		fn := p.fns[at.node]
		if fn == nil || p.madeBelow(f.Func) < mostOfBytes || !c.dropsAll(fn) {
			continue
		}
		if again, ok := p.repeats(stack[:i+1]); ok {
			return fn, again
		}
	}
	return nil, again
}

// madeBelow is the share of the line's bytes that are allocated in or below a function.
func (p *Line) madeBelow(name string) float64 {
	sum, all := int64(0), int64(0)
	for _, l := range p.site.Leaves {
		all += l.Bytes
		if p.site.Func == name || slices.ContainsFunc(l.Callers, func(f prof.Frame) bool { return f.Func == name }) {
			sum += l.Bytes
		}
	}
	return float64(sum) / float64(max(all, 1))
}

// dropped is the evidence that a function is where the life of a structure begins and ends.
func (p *Line) dropped(fn *ssa.Function, of *types.Named) Evidence {
	return p.at(fn.Pos(), fmt.Sprintf("%s makes and drops every %[2]s: by their types, nothing that it is given or returns, and nothing that outlives it, can hold one", nameOf(fn), of.Obj().Name()))
}
