package pooluse

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// Analyzer finds the uses. Its result is a *Uses.
var Analyzer = &analysis.Analyzer{
	Name:       "lessgcpooluse",
	Doc:        "find what is got from pools and put into them",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer},
	ResultType: reflect.TypeFor[*Uses](),
	FactTypes:  []analysis.Fact{new(boxes)},
	Run: func(pass *analysis.Pass) (result any, err error) {
		result = new(Uses) // if it panics
		defer rule.Recover(pass, &err)
		return collect(pass), nil
	},
}

// A Kind is one of the types of pools.
type Kind struct {
	Type  string       // the full name
	Holds catalog.Pool // the kind of its values
}

// KindOf returns the kind of pool that t, or what t points to, is.
func KindOf(t types.Type) (Kind, bool) {
	holds := catalog.TypeOf(t).Pool
	if holds == catalog.NoPool {
		return Kind{}, false
	}
	return Kind{ssautil.TypeName(t), holds}, true
}

// IsSync reports whether the pools are sync.Pool.
func (k Kind) IsSync() bool { return k.Type == "sync.Pool" }

// A Verb is the operation of a call on a pool.
type Verb string

const (
	Get  Verb = "Get"
	Put  Verb = "Put"
	New  Verb = "New"  // the function that fills an empty pool, called by hand
	With Verb = "With" // Get, a function, and Put
)

// An Op is a call that gets from a pool or puts into it.
type Op struct {
	Verb Verb
	Kind Kind
	Fn   *ssa.Function // that calls
	Call ssa.CallInstruction
	Pool Location
	Arg  ssa.Value     // the value that is put, as it is passed
	Item ssa.Value     // the value that is put, before it became an interface; the one that was got, or nil
	Via  *ssa.Function // the function of this package that does it for Fn, or nil
	By   *Op           // the operation of Via

	param *ssa.Parameter // of Via, that Arg is passed for
}

// Pos returns the position of the call.
func (op *Op) Pos() token.Pos { return pos(op.Call) }

func pos(call ssa.CallInstruction) token.Pos {
	if p := call.Common().Pos(); p.IsValid() {
		return p
	}
	return call.Pos()
}

// Boxed is the type of the value put when it becomes an interface, or nil if that is not
// known here. Nil itself has the type types.UntypedNil.
func (op *Op) Boxed() types.Type {
	if op.param != nil {
		switch t := op.param.Type(); {
		case ssautil.IsTypeParam(t) && !types.IsInterface(op.Arg.Type()):
			return op.Arg.Type()
		case ssautil.IsTypeParam(t) || !types.IsInterface(t):
			return nil // what Via does with it is an Op of its own
		}
	}
	switch v := op.Arg.(type) {
	case *ssa.MakeInterface:
		return v.X.Type()
	case *ssa.ChangeType:
		return v.X.Type()
	case *ssa.Const:
		if v.IsNil() && op.Kind.Holds == catalog.AnyPool {
			return types.Typ[types.UntypedNil]
		}
	}
	return nil
}

// Uses holds the uses of pools in a package. Rules run at the same time: nothing of it changes
// after it is made.
type Uses struct {
	SSA   *buildssa.SSA
	Funcs []*ssa.Function // all that have source, and the initialization of the variables; none if there is nothing to do with pools
	Ops   []*Op           // in source order
	Boxes []*Box

	closures map[*ssa.Function]*ssa.MakeClosure
	cells    map[*ssa.Alloc]*cell
	got      map[ssa.Value]*Op // by value of the call
	sums     map[*ssa.Function]*summary
	pools    map[Key]*Pool
	order    []*Pool
	calls    map[token.Pos]*ast.CallExpr
}

func collect(pass *analysis.Pass) *Uses {
	u := &Uses{
		SSA:      pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA),
		closures: map[*ssa.Function]*ssa.MakeClosure{},
		cells:    map[*ssa.Alloc]*cell{},
		got:      map[ssa.Value]*Op{},
		sums:     map[*ssa.Function]*summary{},
		pools:    map[Key]*Pool{},
		calls:    map[token.Pos]*ast.CallExpr{},
	}
	if !mentions(pass) {
		return u
	}
	u.Funcs = ssautil.Functions(u.SSA)
	u.instructions(func(_ *ssa.Function, i ssa.Instruction) {
		switch i := i.(type) {
		case *ssa.MakeClosure:
			u.closures[i.Fn.(*ssa.Function)] = i
		case *ssa.Alloc:
			u.cells[i] = new(cell)
		}
	})
	for a, c := range u.cells {
		u.fill(c, a)
	}
	u.instructions(u.direct)
	u.boxed(pass)
	if rule.Settings.FactsOnly {
		return u
	}
	u.wrappers()
	slices.SortStableFunc(u.Ops, func(x, y *Op) int { return cmp.Compare(x.Pos(), y.Pos()) })
	u.group()
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				u.calls[c.Lparen] = c
			}
			return true
		})
	}
	return u
}

// Syntax is a call in the source, or nil.
func (u *Uses) Syntax(call ssa.CallInstruction) *ast.CallExpr { return u.calls[call.Common().Pos()] }

// Range returns the start and the end of a call in the source. The end is token.NoPos if it is
// not known.
func (u *Uses) Range(call ssa.CallInstruction) (from, to token.Pos) {
	if c := u.Syntax(call); c != nil {
		return c.Pos(), c.End()
	}
	return pos(call), token.NoPos
}

// mentions reports whether the package names a pool: the type, a method, a variable of another
// package, or a function of one that puts its parameters into pools.
func mentions(pass *analysis.Pass) bool {
	wrapped := len(pass.AllObjectFacts()) > 0
	for _, obj := range pass.TypesInfo.Uses {
		found := false
		switch obj := obj.(type) {
		case *types.TypeName:
			_, found = KindOf(obj.Type())
		case *types.Func:
			if recv := obj.Signature().Recv(); recv != nil {
				_, found = KindOf(recv.Type())
			}
			found = found || wrapped && pass.ImportObjectFact(obj.Origin(), new(boxes))
		case *types.Var:
			if obj.Pkg() != pass.Pkg {
				_, found = KindOf(obj.Type())
			}
		}
		if found {
			return true
		}
	}
	return false
}

// instructions calls f for every instruction of the package.
func (u *Uses) instructions(f func(*ssa.Function, ssa.Instruction)) {
	for _, fn := range u.Funcs {
		for i := range ssautil.Instructions(fn) {
			f(fn, i)
		}
	}
}

// direct notes a call of a method of a pool, or of its New.
func (u *Uses) direct(fn *ssa.Function, i ssa.Instruction) {
	call, ok := i.(ssa.CallInstruction)
	if !ok {
		return
	}
	c := call.Common()
	if pool, kind := newField(u.Source(c.Value)); pool != nil && !c.IsInvoke() {
		u.add(&Op{Verb: New, Kind: kind, Fn: fn, Call: call, Pool: u.location(pool), Item: call.Value()})
		return
	}
	callee, args := u.Callee(c)
	if callee == nil || callee.Signature.Recv() == nil || len(args) == 0 {
		return
	}
	kind, ok := KindOf(callee.Signature.Recv().Type())
	if k, same := KindOf(args[0].Type()); !ok || !same || k != kind {
		return
	}
	op := &Op{Kind: kind, Fn: fn, Call: call, Pool: u.location(args[0])}
	switch verb := Verb(callee.Name()); {
	case verb == Get:
		op.Verb, op.Item = Get, call.Value()
	case verb == Put && len(args) == 2:
		op.Verb, op.Arg, op.Item = Put, u.Source(args[1]), u.unbox(args[1])
	case scoped(callee):
		op.Verb = With
	default:
		return
	}
	u.add(op)
}

// scoped reports whether a method of a pool is one like With: Get, a function, and Put.
func scoped(method *ssa.Function) bool {
	f, _ := method.Object().(*types.Func)
	return slices.ContainsFunc(catalog.Func(f).Params, func(p catalog.Param) bool { return p.Scope })
}

func (u *Uses) add(op *Op) {
	u.Ops = append(u.Ops, op)
	if v := op.Call.Value(); op.Verb == Get && v != nil {
		u.got[v] = op
	}
}

// newField returns the pool of which v is the function New.
func newField(v ssa.Value) (ssa.Value, Kind) {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, Kind{}
	}
	f, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil, Kind{}
	}
	kind, ok := KindOf(f.X.Type())
	if !ok || ssautil.FieldOf(f.X.Type(), f.Field).Name() != string(New) {
		return nil, Kind{}
	}
	return f.X, kind
}
