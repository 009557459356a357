package lever

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// toldApart reports whether the program may tell an error that a call makes from another one that it makes: it compares
// the error with what is neither nil nor a variable of a package, or makes it a key. Where the error goes out of sight,
// as into a field, any such comparison may be of it.
func (p *Line) toldApart(call *ast.CallExpr) bool {
	t := errorTrail{Program: p.Program, seen: map[ssa.Value]bool{}}
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && c.Pos() == call.Lparen {
					t.follow(c)
				}
			}
		}
	}
	return len(t.seen) == 0 || t.compared || t.lost && p.comparesErrors()
}

// errorTrail follows an error to whoever may compare it.
type errorTrail struct {
	*Program
	seen map[ssa.Value]bool

	compared bool
	lost     bool // it goes where it is not followed
}

func (t *errorTrail) follow(v ssa.Value) {
	if v.Referrers() == nil || t.seen[v] {
		return
	}
	t.seen[v] = true
	for _, in := range *v.Referrers() {
		t.use(v, in)
	}
}

func (t *errorTrail) use(v ssa.Value, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.DebugRef:
	case *ssa.Phi, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Slice:
		t.follow(in.(ssa.Value))
	case *ssa.Extract:
		if holdsError(in.Type()) {
			t.follow(in)
		}
	case *ssa.TypeAssert:
		t.lost = t.lost || types.IsInterface(in.AssertedType)
	case *ssa.BinOp:
		t.compared = t.compared || t.comparesMade(in)
	case *ssa.Store:
		t.store(v, in)
	case *ssa.Return:
		t.returned(v, in)
	case ssa.CallInstruction:
		t.call(v, in)
	case *ssa.MapUpdate:
		t.compared = t.compared || in.Key == v
		t.lost = true
	case *ssa.Lookup:
		t.compared = true
	default:
		t.lost = true
	}
}

// store follows an error into a local variable, and into the arguments of a call.
func (t *errorTrail) store(v ssa.Value, in *ssa.Store) {
	to := base(in.Addr)
	cell, ok := to.(*ssa.Alloc)
	if !ok || in.Val != v || cell != in.Addr && cell.Comment != "varargs" {
		t.lost = t.lost || in.Val == v
		return
	}
	for _, user := range *cell.Referrers() {
		switch user := user.(type) {
		case *ssa.UnOp, *ssa.Slice:
			t.follow(user.(ssa.Value))
		case *ssa.Store, *ssa.DebugRef, *ssa.IndexAddr:
		default:
			t.lost = true // a function literal has it
		}
	}
}

// returned follows an error to the calls of a function.
func (t *errorTrail) returned(v ssa.Value, in *ssa.Return) {
	fn := in.Parent()
	method := fn.Signature.Recv() != nil
	if fn.Parent() != nil || t.values[fn] || method && (token.IsExported(fn.Name()) || t.mayBeInvoked(fn)) {
		t.lost = true
	}
	i := slices.Index(in.Results, v)
	for _, c := range t.callsOf(fn) {
		call, ok := c.(*ssa.Call)
		switch {
		case !ok:
		case len(in.Results) == 1:
			t.follow(call)
		default:
			for _, user := range *call.Referrers() {
				if x, ok := user.(*ssa.Extract); ok && x.Index == i {
					t.follow(x)
				} else if !ok {
					t.lost = true
				}
			}
		}
	}
}

// errorReaders are packages whose functions read an error, or wrap it, and do not compare it with another one.
var errorReaders = map[string]bool{"fmt": true, "errors": true, "log": true, "log/slog": true, "os": true, "testing": true, "strings": true}

func (t *errorTrail) call(v ssa.Value, in ssa.CallInstruction) {
	c := in.Common()
	callee := c.StaticCallee()
	result, _ := in.(ssa.Value)
	switch {
	case c.IsInvoke() && c.Value == v && !slices.Contains(c.Args, v):
		return // its own method
	case callee == nil:
		_, builtin := c.Value.(*ssa.Builtin)
		t.lost = t.lost || !builtin || callsBuiltin(in, "append")
		return
	case t.callCompares(c):
		t.compared = true
		return
	case len(callee.Blocks) > 0:
		for i, arg := range c.Args {
			if arg == v && i < len(callee.Params) {
				t.follow(callee.Params[i])
			}
		}
		return
	}
	if callee.Object() == nil || callee.Object().Pkg() == nil || !errorReaders[callee.Object().Pkg().Path()] {
		t.lost = true
	}
	if result != nil && holdsError(result.Type()) {
		t.follow(result)
	}
}

// comparesErrors reports whether the program compares, anywhere, two values that may be errors, neither of which is nil or
// a variable of a package, or has errors as keys. Values without methods may be errors if the program makes such
// values of errors.
func (p *Program) comparesErrors() bool {
	w := comparisons{p, p.boxesErrors()}
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			if slices.ContainsFunc(b.Instrs, w.compares) {
				return true
			}
		}
	}
	for _, u := range p.units {
		for id, instance := range u.pkg.TypesInfo.Instances {
			if w.instance(u.pkg.TypesInfo.Uses[id], instance.TypeArgs) {
				return true
			}
		}
	}
	return false
}

// comparisons looks for what may tell one error from another.
type comparisons struct {
	*Program
	boxed bool // interfaces without methods may have errors
}

func (w comparisons) compares(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		return seesErrors(in.X.Type(), w.boxed) && w.comparesMade(in)
	case *ssa.MapUpdate:
		return seesErrors(in.Key.Type(), w.boxed)
	case ssa.CallInstruction:
		return w.callCompares(in.Common())
	}
	return false
}

// instance reports whether something generic has errors for a type that it may compare.
func (w comparisons) instance(generic types.Object, args *types.TypeList) bool {
	var params *types.TypeParamList
	switch o := generic.(type) {
	case *types.Func:
		params = o.Signature().TypeParams()
	case *types.TypeName:
		if named, ok := types.Unalias(o.Type()).(*types.Named); ok {
			params = named.TypeParams()
		}
	}
	for i := range min(params.Len(), args.Len()) {
		it, ok := params.At(i).Constraint().Underlying().(*types.Interface)
		if ok && it.IsComparable() && seesErrors(args.At(i), w.boxed) {
			return true
		}
	}
	return false
}

// boxesErrors reports whether the program makes an interface without methods of an error, or of what holds one, other than
// to print it.
func (p *Program) boxesErrors() bool {
	for _, fn := range p.fns {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if v, ok := boxedError(in); ok && slices.ContainsFunc(*v.Referrers(), func(user ssa.Instruction) bool { return !errorOnlyRead(v, user) }) {
					return true
				}
			}
		}
	}
	return false
}

// boxedError is the interface without methods that an instruction makes of an error, or of what holds one.
func boxedError(in ssa.Instruction) (v ssa.Value, ok bool) {
	var of types.Type
	switch in := in.(type) {
	case *ssa.ChangeInterface:
		v, of = in, in.X.Type()
	case *ssa.MakeInterface:
		v, of = in, in.X.Type()
	default:
		return nil, false
	}
	return v, !seesErrors(v.Type(), false) && seesErrors(of, false)
}

// errorOnlyRead reports whether a value is given to a function that reads it, as one of any number of arguments too.
func errorOnlyRead(v ssa.Value, user ssa.Instruction) bool {
	switch user := user.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store:
		cell, ok := base(user.Addr).(*ssa.Alloc)
		if !ok || cell.Comment != "varargs" || user.Val != v {
			return false
		}
		for _, in := range *cell.Referrers() {
			if rest, ok := in.(*ssa.Slice); ok && slices.ContainsFunc(*rest.Referrers(), func(user ssa.Instruction) bool { return !errorOnlyRead(rest, user) }) {
				return false
			}
		}
		return true
	case ssa.CallInstruction:
		callee := user.Common().StaticCallee()
		return callee != nil && callee.Object() != nil && callee.Object().Pkg() != nil && errorReaders[callee.Object().Pkg().Path()]
	}
	return false
}

// comparesMade reports whether an instruction compares two errors that calls may have made.
func (p *Program) comparesMade(in *ssa.BinOp) bool {
	return (in.Op == token.EQL || in.Op == token.NEQ) && holdsError(in.X.Type()) && !p.fixedError(in.X) && !p.fixedError(in.Y)
}

// searches are functions that compare the elements of slices.
var searches = map[string]bool{"slices.Contains": true, "slices.Index": true, "slices.Equal": true, "slices.Compact": true}

// callCompares reports whether a call of the standard library compares such errors.
func (p *Program) callCompares(c *ssa.CallCommon) bool {
	callee := c.StaticCallee()
	if callee == nil || len(callee.Blocks) > 0 || len(c.Args) < 2 {
		return false
	}
	if callee.Origin() != nil {
		callee = callee.Origin()
	}
	name := fullName(callee)
	switch s, isSlice := c.Args[0].Type().Underlying().(*types.Slice); {
	case name == "errors.Is":
		return !p.fixedError(c.Args[1])
	case searches[name]:
		return isSlice && holdsError(s.Elem())
	case strings.HasPrefix(name, "(*sync.Map)."):
		return !p.fixedError(c.Args[1])
	}
	return strings.HasPrefix(name, "(*sync/atomic.Value).CompareAndSwap")
}

// fixedError reports whether a value is nil, that of a variable of a package which is set once, or of a type that
// errors.New does not make.
func (p *Program) fixedError(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		global, ok := v.X.(*ssa.Global)
		return ok && !p.setLater(global)
	case *ssa.ChangeInterface:
		return p.fixedError(v.X)
	}
	return false
}

// setLater reports whether a function sets a variable of a package, or takes its address.
func (p *Program) setLater(global *ssa.Global) bool {
	if p.varsSet == nil {
		p.varsSet = map[*ssa.Global]bool{}
		for _, fn := range p.fns {
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					p.indexSets(in)
				}
			}
		}
	}
	return p.varsSet[global]
}

func (p *Program) indexSets(in ssa.Instruction) {
	load, loads := in.(*ssa.UnOp)
	for _, operand := range in.Operands(nil) {
		if global, ok := (*operand).(*ssa.Global); ok && !(loads && load.Op == token.MUL) {
			p.varsSet[global] = true
		}
	}
}

// holdsError reports whether a value of a type, as == compares it, may have an error in it.
func holdsError(t types.Type) bool { return seesErrors(t, true) }

// seesErrors reports whether a type is an interface that errors implement, or has one as a field or element. Those without
// methods count if they may have errors.
func seesErrors(t types.Type, boxed bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return (u.NumMethods() > 0 || boxed) && types.Implements(types.Universe.Lookup("error").Type(), u)
	case *types.Struct:
		for field := range u.Fields() {
			if seesErrors(field.Type(), boxed) {
				return true
			}
		}
	case *types.Array:
		return seesErrors(u.Elem(), boxed)
	case *types.Tuple:
		for v := range u.Variables() {
			if seesErrors(v.Type(), boxed) {
				return true
			}
		}
	}
	return false
}
