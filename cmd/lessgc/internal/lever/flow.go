package lever

import (
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A fate records where references to an object go. It holds for all executions of the code
// whose source is loaded: what is not understood counts as kept.
type fate struct {
	returned []token.Pos // by the function that makes the object
	kept     []token.Pos // stored, sent, given to code that is not known, or not understood
	lent     []token.Pos // given to a method whose contract forbids to keep it
	lentOn   []token.Pos // given to a function of the standard library that lends it in turn
	toValues []token.Pos // given to function values, or methods of interfaces, all of which are known

	how link // by which what is returned leads to the object
}

// stays reports whether nothing outside the function refers to the object when it ends, unless
// a method that it was lent to breaks its contract: advice that rests on that names the call.
func (f fate) stays() bool { return len(f.returned) == 0 && len(f.kept) == 0 }

// lends reports whether code that is not known has the object for a time, and keeps it if it breaks its contract.
func (f fate) lends() bool { return len(f.lent) > 0 || len(f.lentOn) > 0 }

// A link describes how a value leads to the object.
type link uint8

const (
	refers link = 1 << iota // the value points to the object, or into it
	holds                   // something that the value points to, or has in it, may refer to the object
	boxes                   // the value is the address of a variable that refers to the object
)

// A follower finds all values that lead to one object. It does not tell one call of a
// function from another, nor one execution of an instruction from the next, and takes a variable
// that once held a reference to hold it always.
type follower struct {
	program *Program
	fate    fate
	home    *ssa.Function // it makes the object
	origins []ssa.Value
	seen    map[ssa.Value]link
	work    []ssa.Value
	calls   map[*ssa.Function][]ssa.CallInstruction // of functions that are given a reference
	returns map[*ssa.Function]map[int]link          // which of their results lead to the object
	dynamic []types.Type                            // of interfaces that refer to the object
	zeroed  bool                                    // the object is zeroed before it is used again: slices that it had are not used again
	trusts  bool                                    // code that is not known keeps nothing
	invoked []ssa.CallInstruction                   // methods of such interfaces, called by these
}

// longest bounds the values that are followed; beyond, the object counts as kept.
const longest = 2000

// follow finds the fate of an object that values refer to.
func (p *Program) follow(values ...ssa.Value) fate { return p.followAs(refers, nil, values...) }

// followZeroed is follow of an object that is zeroed before it is used again: what its fields refer to is
// not its own memory.
func (p *Program) followZeroed(how link, dynamic []types.Type, value ssa.Value) fate {
	f := p.follower(dynamic, value)
	f.zeroed = true
	return f.all(how)
}

// followAs is follow of an object that values lead to by a link, and where they may be interfaces with
// what has one of some types.
func (p *Program) followAs(how link, dynamic []types.Type, values ...ssa.Value) fate {
	f := p.follower(dynamic, values...)
	return f.all(how)
}

func (p *Program) follower(dynamic []types.Type, values ...ssa.Value) *follower {
	return &follower{dynamic: dynamic, program: p, home: values[0].Parent(), origins: values, seen: map[ssa.Value]link{},
		calls: map[*ssa.Function][]ssa.CallInstruction{}, returns: map[*ssa.Function]map[int]link{}}
}

// all follows everything that leads to the object, beginning with the values that lead to it by a link.
func (f *follower) all(how link) fate {
	for _, v := range f.origins {
		if _, many := v.Type().(*types.Tuple); many {
			f.results(v, how)
		} else {
			f.mark(v, how)
		}
	}
	for len(f.work) > 0 {
		v := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		f.value(v)
	}
	return f.fate
}

// mark notes that a value leads to the object.
func (f *follower) mark(v ssa.Value, how link) {
	if v == nil || f.seen[v]|how == f.seen[v] {
		return
	}
	if len(f.seen) >= longest {
		f.keep(v.Pos())
		return
	}
	f.seen[v] |= how
	f.work = append(f.work, v)
}

// markPart marks what is taken out of a value, if it can refer to anything.
func (f *follower) markPart(v ssa.Value, how link) {
	if v != nil && pointsInto(v.Type()) {
		f.mark(v, how)
	}
}

// parts yields the results of a call that are used, by their number: the value itself if it is
// not a tuple.
func parts(result ssa.Value) iter.Seq2[int, ssa.Value] {
	return func(yield func(int, ssa.Value) bool) {
		if _, many := result.Type().(*types.Tuple); !many {
			yield(0, result)
			return
		}
		for _, r := range *result.Referrers() {
			if x, ok := r.(*ssa.Extract); ok && !yield(x.Index, x) {
				return
			}
		}
	}
}

// resultAt is one of the results of a call, by its number; nil if nothing is done with it.
func resultAt(result ssa.Value, i int) (part ssa.Value) {
	for k, v := range parts(result) {
		if k == i {
			part = v
		}
	}
	return part
}

// results marks what a call returns, errors left out: those of the standard library do not
// refer to what a function was given.
func (f *follower) results(result ssa.Value, how link) {
	for _, part := range parts(result) {
		if !isError(part.Type()) {
			f.markPart(part, how)
		}
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func (f *follower) keep(pos token.Pos) {
	if !slices.Contains(f.fate.kept, pos) {
		f.fate.kept = append(f.fate.kept, pos)
	}
}

// handOver notes that code which is not known is given the object.
func (f *follower) handOver(pos token.Pos) {
	if !f.trusts {
		f.keep(pos)
	}
}

func (f *follower) lend(pos token.Pos) {
	if !slices.Contains(f.fate.lent, pos) {
		f.fate.lent = append(f.fate.lent, pos)
	}
}

// value follows what is done with a value.
func (f *follower) value(v ssa.Value) {
	if v.Referrers() == nil {
		f.keep(v.Pos())
		return
	}
	for _, in := range *v.Referrers() {
		f.use(v, in, f.seen[v])
	}
}

func (f *follower) use(v ssa.Value, in ssa.Instruction, how link) {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.RunDefers:
	case *ssa.MakeInterface:
		f.boxed(in)
		f.markPart(in, how)
	case *ssa.Phi:
		if !onlyNil(v, in) {
			f.markPart(in, how)
		}
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.Field, *ssa.Index,
		*ssa.Slice, *ssa.SliceToArrayPointer:
		f.markPart(in.(ssa.Value), how)
	case *ssa.FieldAddr, *ssa.IndexAddr:
		f.mark(in.(ssa.Value), how)
	case *ssa.BinOp:
		if in.Op == token.ADD { // "" + s is s
			f.markPart(in, how)
		}
	case *ssa.Convert:
		f.convert(v, in, how)
	case *ssa.Store:
		if in.Val == v {
			f.store(v, in, how)
		}
	case *ssa.UnOp:
		f.unary(v, in, how)
	case *ssa.Return:
		f.result(v, in, how)
	case *ssa.MakeClosure:
		f.closure(v, in, how)
	case *ssa.Range:
		if !isMap(v) {
			f.mark(in, how)
		}
	case *ssa.Next:
		if !in.IsString {
			f.mark(in, how)
		}
	case *ssa.Lookup:
		if in.X == v && !isMap(v) {
			f.markPart(in, how)
		}
	case *ssa.MapUpdate:
		if in.Key == v || in.Value == v {
			f.keep(in.Pos())
		}
	case *ssa.Call, *ssa.Defer:
		f.call(v, in.(ssa.CallInstruction), how)
	default: // Go, Send, Select, Panic, and what there may be in later versions
		f.keep(in.Pos())
	}
}

// onlyNil reports whether a value is nil wherever a variable gets it: behind a test that says so.
func onlyNil(v ssa.Value, phi *ssa.Phi) bool {
	for i, e := range phi.Edges {
		if e != v {
			continue
		}
		from := phi.Block().Preds[i]
		cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
		if !ok || from.Succs[0] == from.Succs[1] {
			return false
		}
		op, ok := cond.Cond.(*ssa.BinOp)
		if !ok || !(op.X == v && isNilConst(op.Y) || op.Y == v && isNilConst(op.X)) {
			return false
		}
		same := op.Op == token.EQL && from.Succs[0] == phi.Block() || op.Op == token.NEQ && from.Succs[1] == phi.Block()
		if !same {
			return false
		}
	}
	return true
}

// convert follows a conversion: between strings and slices it copies, into a number the
// reference is lost.
func (f *follower) convert(v ssa.Value, in *ssa.Convert, how link) {
	_, fromSlice := v.Type().Underlying().(*types.Slice)
	_, toSlice := in.Type().Underlying().(*types.Slice)
	switch {
	case fromSlice && isString(in.Type()), isString(v.Type()) && toSlice:
	case pointsInto(in.Type()):
		f.mark(in, how)
	default:
		f.keep(in.Pos())
	}
}

// unary follows a load, or a receive from a channel.
func (f *follower) unary(v ssa.Value, in *ssa.UnOp, how link) {
	switch {
	case how&holds != 0:
		f.markPart(in, refers|holds)
	case how&boxes != 0:
		f.markPart(in, refers)
	case in.Op == token.MUL && !f.zeroed && ownsSlices(v, in.Type()):
		f.mark(in, refers)
	}
}

// ownsSlices reports whether what is loaded from an object has slices that may be its own
// memory, kept for its next use as that of a buffer is: a slice in a field, or a copy of the
// whole. Slices that are elements of a slice or array are other memory, and so are what
// pointers point to.
func ownsSlices(address ssa.Value, loaded types.Type) bool {
	if _, element := address.(*ssa.IndexAddr); element {
		return false
	}
	switch t := loaded.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Struct:
		for field := range t.Fields() {
			if ownsSlices(nil, field.Type()) {
				return true
			}
		}
	case *types.Array:
		return ownsSlices(nil, t.Elem())
	}
	return false
}

// store follows a reference into the variable that it is stored in.
func (f *follower) store(v ssa.Value, in *ssa.Store, how link) {
	root := base(in.Addr)
	switch to := root.(type) {
	case *ssa.Alloc:
		f.mark(root, inVariable(to, how))
		return
	case *ssa.MakeSlice:
		f.mark(root, holds)
		return
	case *ssa.FreeVar:
		if f.captured(to, inVariable(to, how)) {
			return
		}
	}
	switch {
	case slices.Contains(f.origins, root):
		f.mark(root, holds) // into the object itself
	case !comesFrom(v, root, nil):
		f.keep(in.Pos())
	case !ownsSlices(in.Addr, v.Type()): // else loads are followed anyway
		for _, o := range f.origins {
			f.mark(o, holds)
		}
	}
}

// inVariable returns the link from the address of a variable to the object, after a reference to the object is
// stored in the variable. A load from a variable that has nothing but the reference is the reference.
func inVariable(variable ssa.Value, how link) link {
	pointer, ok := variable.Type().Underlying().(*types.Pointer)
	if !ok || how != refers {
		return holds
	}
	switch pointer.Elem().Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Interface:
		return boxes
	}
	return holds
}

// base is the value that an address is computed from, without loads.
func base(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}

// captured marks the variable that a function literal captures, where it is declared, by a link, and so
// in all literals that capture it. It reports whether it is found.
func (f *follower) captured(v *ssa.FreeVar, how link) bool {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Referrers() == nil || i < 0 {
		return false
	}
	found := false
	for _, r := range *fn.Referrers() {
		made, ok := r.(*ssa.MakeClosure)
		if !ok {
			return false
		}
		switch to := base(made.Bindings[i]).(type) {
		case *ssa.Alloc:
			f.mark(to, how)
		case *ssa.FreeVar:
			if !f.captured(to, how) {
				return false
			}
		default:
			return false
		}
		found = true
	}
	return found
}

// comesFrom reports whether v was found by way of root alone: what is stored back there was
// there before, whatever root is in the call at hand.
func comesFrom(v, root ssa.Value, seen map[ssa.Value]bool) bool {
	v = base(v)
	if v == root || seen[v] {
		return true
	}
	switch x := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Phi:
		if seen == nil {
			seen = map[ssa.Value]bool{}
		}
		seen[v] = true
		for _, e := range x.Edges {
			if !comesFrom(e, root, seen) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		return x.Op == token.MUL && comesFrom(x.X, root, seen)
	case *ssa.Field:
		return comesFrom(x.X, root, seen)
	case *ssa.Index:
		return comesFrom(x.X, root, seen)
	case *ssa.Call:
		return callsBuiltin(x, "append") && comesFrom(x.Call.Args[0], root, seen)
	}
	return false
}

// result follows a reference to where it is returned: to the calls of a function that was
// given it.
func (f *follower) result(v ssa.Value, in *ssa.Return, how link) {
	fn := in.Parent()
	if fn == f.home {
		f.fate.how |= how
		if !slices.Contains(f.fate.returned, in.Pos()) {
			f.fate.returned = append(f.fate.returned, in.Pos())
		}
		return
	}
	if f.returns[fn] == nil {
		f.returns[fn] = map[int]link{}
	}
	for i, r := range in.Results {
		if r == v {
			f.returns[fn][i] |= how
		}
	}
	for _, call := range f.calls[fn] {
		f.returnedBy(fn, call)
	}
}

// returnedBy marks the results of a call that lead to the object.
func (f *follower) returnedBy(fn *ssa.Function, call ssa.CallInstruction) {
	result := call.Value()
	if result == nil {
		return
	}
	for i, part := range parts(result) {
		f.mark(part, f.returns[fn][i])
	}
}

// closure follows a captured reference into the function literal. Who has the literal has
// the reference.
func (f *follower) closure(v ssa.Value, in *ssa.MakeClosure, how link) {
	fn := in.Fn.(*ssa.Function)
	for i, b := range in.Bindings {
		if b == v {
			f.mark(fn.FreeVars[i], how)
		}
	}
	f.mark(in, holds)
}

func (f *follower) call(v ssa.Value, in ssa.CallInstruction, how link) {
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(b, v, in, how)
		return
	}
	if c.IsInvoke() {
		f.invoke(v, in, how)
		return
	}
	callee := c.StaticCallee()
	switch {
	case callee == nil:
		f.toValue(v, in, how)
	case len(callee.Blocks) > 0:
		f.known(v, in, callee, how)
	default:
		f.external(v, in, callee, how)
	}
}

// known follows a reference into a function whose source is loaded.
func (f *follower) known(v ssa.Value, in ssa.CallInstruction, callee *ssa.Function, how link) {
	if f.program.builtElsewhere(callee.Object()) {
		f.handOver(in.Pos())
		return
	}
	for i, arg := range in.Common().Args {
		if arg == v && i < len(callee.Params) {
			f.mark(callee.Params[i], how)
		}
	}
	f.called(callee, in)
}

// toValue follows a reference into a call of a function value: into all functions of its type
// that the loaded packages use as values. One that could have come from elsewhere is not known: who
// ranges over a function gives it a yield that its own package has made.
func (f *follower) toValue(v ssa.Value, in ssa.CallInstruction, how link) {
	c := in.Common()
	if !slices.Contains(c.Args, v) { // the function value itself leads to the object
		if result := in.Value(); result != nil {
			for _, part := range parts(result) {
				f.markPart(part, refers|holds)
			}
		}
		return
	}
	sig := c.Signature()
	targets := f.program.valuesOf(sig)
	if len(targets) == 0 || isYield(sig) {
		f.handOver(in.Pos())
		return
	}
	if !slices.Contains(f.fate.toValues, in.Pos()) {
		f.fate.toValues = append(f.fate.toValues, in.Pos())
	}
	for _, fn := range targets {
		if len(fn.Blocks) > 0 {
			f.known(v, in, fn, how)
		} else {
			f.external(v, in, fn, how)
		}
	}
}

// isYield reports whether a signature is that of the function that an iterator is given.
func isYield(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Bool]) && sig.Params().Len() <= 2
}

// isMap reports whether a value is a map: keys and elements do not refer to it, and what is put into one
// counts as kept.
func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// boxed notes the type of a reference that becomes an interface, whose methods may be called by it.
func (f *follower) boxed(in *ssa.MakeInterface) {
	t := in.X.Type()
	if slices.ContainsFunc(f.dynamic, func(o types.Type) bool { return types.Identical(o, t) }) {
		return
	}
	f.dynamic = append(f.dynamic, t)
	for _, call := range f.invoked {
		f.receiver(call, t)
	}
}

// receiver follows the object into the method of a type that an interface calls which refers to it.
func (f *follower) receiver(in ssa.CallInstruction, t types.Type) {
	c := in.Common()
	iface := c.Value.Type().Underlying().(*types.Interface)
	if !types.Implements(t, iface) {
		return
	}
	f.method(c.Value, in, f.program.ssa.LookupMethod(t, c.Method.Pkg(), c.Method.Name()), refers)
}

// method follows a reference into a method that an interface calls.
func (f *follower) method(v ssa.Value, in ssa.CallInstruction, callee *ssa.Function, how link) {
	c := in.Common()
	if len(callee.Blocks) == 0 {
		object, ok := callee.Object().(*types.Func)
		switch own := ok && c.Value == v && !slices.Contains(c.Args, v); {
		case own && getsCopy(object):
		case own && ownMethods(object.Origin().FullName()):
			f.given(in, refers|holds)
		default:
			f.handOver(in.Pos())
		}
		return
	}
	if c.Value == v {
		f.mark(callee.Params[0], how)
	}
	for i, arg := range c.Args {
		if arg == v {
			f.mark(callee.Params[i+1], how)
		}
	}
	f.called(callee, in)
}

// getsCopy reports whether a method is given a copy of its receiver which refers to nothing.
func getsCopy(method *types.Func) bool {
	recv := method.Signature().Recv().Type()
	_, pointer := recv.Underlying().(*types.Pointer)
	return !pointer && !pointsInto(recv)
}

// called notes a call of a function that is given a reference.
func (f *follower) called(callee *ssa.Function, in ssa.CallInstruction) {
	if !slices.Contains(f.calls[callee], in) {
		f.calls[callee] = append(f.calls[callee], in)
	}
	f.returnedBy(callee, in)
}

// invoke follows a reference into a call by an interface: that refers to the object itself, into
// the methods of the types by which it became one; by a method that no other package can have, into those
// of all types. Some others must not keep what they are given, by their contract;
// whether the one that is called heeds it is not known.
func (f *follower) invoke(v ssa.Value, in ssa.CallInstruction, how link) {
	c := in.Common()
	name := c.Method.FullName()
	switch {
	case how == refers && c.Value == v && !slices.Contains(c.Args, v):
		if !slices.Contains(f.invoked, in) {
			f.invoked = append(f.invoked, in)
			for _, t := range f.dynamic {
				f.receiver(in, t)
			}
		}
	case f.sealed(in) && f.ownInterface(v, in, how):
	case looks[name] && c.Value == v:
	case borrows[name]:
		f.lend(in.Pos())
		f.given(in, how)
	default:
		f.handOver(in.Pos())
	}
}

// looks holds methods of interfaces that give a text of their receiver, which does not refer to it.
var looks = map[string]bool{"(error).Error": true}

// sealed reports whether the types that have a method which an interface calls are all in its package: it is not
// exported, or neither is the interface, and others cannot name a type of its signature.
func (f *follower) sealed(in ssa.CallInstruction) bool {
	c := in.Common()
	pkg := c.Method.Pkg()
	if pkg == nil || !c.Method.Exported() {
		return pkg != nil
	}
	iface, ok := types.Unalias(c.Value.Type()).(*types.Named)
	sig := c.Method.Signature()
	if !ok || iface.Obj().Exported() || !hasUnexported(sig.Params(), pkg) && !hasUnexported(sig.Results(), pkg) {
		return false
	}
	if !slices.Contains(f.fate.toValues, in.Pos()) { // an instance of a type with parameters may have it
		f.fate.toValues = append(f.fate.toValues, in.Pos())
	}
	return true
}

// hasUnexported reports whether one of some types is a type of a package, or points to one, or is a slice of
// them, that has no exported name.
func hasUnexported(all *types.Tuple, pkg *types.Package) bool {
	for v := range all.Variables() {
		t := types.Unalias(v.Type())
		for range 3 {
			switch u := t.(type) {
			case *types.Pointer:
				t = types.Unalias(u.Elem())
			case *types.Slice:
				t = types.Unalias(u.Elem())
			}
		}
		named, ok := t.(*types.Named)
		if ok && named.Obj().Pkg() == pkg && !named.Obj().Exported() && !aliased(named) {
			return true
		}
	}
	return false
}

// aliased reports whether a type has an alias that is exported.
func aliased(named *types.Named) bool {
	scope := named.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		object, ok := scope.Lookup(name).(*types.TypeName)
		return ok && object.IsAlias() && object.Exported() && types.Identical(types.Unalias(object.Type()), named)
	})
}

// ownInterface follows a reference into a method of all types that have it: those of its package, which
// others can only embed. It reports whether all are known.
func (f *follower) ownInterface(v ssa.Value, in ssa.CallInstruction, how link) bool {
	c := in.Common()
	iface := c.Value.Type().Underlying().(*types.Interface)
	var all []*ssa.Function
	for _, t := range typesWith(c.Method) {
		if types.Implements(t, iface) {
			all = append(all, f.program.ssa.LookupMethod(t, c.Method.Pkg(), c.Method.Name()))
		}
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(fn *ssa.Function) bool { return fn == nil || len(fn.Blocks) == 0 }) {
		return false
	}
	for _, fn := range all {
		f.method(v, in, fn, how)
	}
	return true
}

// given marks what a call gives back, if anything.
func (f *follower) given(in ssa.CallInstruction, how link) {
	if result := in.Value(); result != nil {
		f.results(result, how)
	}
}

// borrows holds the methods of interfaces whose contract forbids to keep what they are given.
// What they return may be it, as hash.Hash's Sum returns its argument.
var borrows = map[string]bool{
	"(io.Reader).Read": true, "(io.Writer).Write": true, "(io.ReaderAt).ReadAt": true, "(io.WriterAt).WriteAt": true, "(io.StringWriter).WriteString": true,
	"(net.Conn).Read": true, "(net.Conn).Write": true, "(net/http.ResponseWriter).Write": true, "(hash.Hash).Sum": true,
}

// external follows a reference into a function whose source is not loaded.
func (f *follower) external(v ssa.Value, in ssa.CallInstruction, callee *ssa.Function, how link) {
	c := in.Common()
	name := fullName(callee)
	own := callee.Signature.Recv() != nil && c.Args[0] == v && !slices.Contains(c.Args[1:], v)
	switch {
	case onlyCopies(name):
		if lendsOn[name] && !own {
			f.fate.lentOn = append(f.fate.lentOn, in.Pos())
		}
	case ofElements[name] && how == refers && elementsPoint(v.Type()): // the text is an element of the slice, or new
	case appends(name):
		if c.Args[0] == v || len(c.Args) > 1 && c.Args[1] == v { // the second is that of a method
			f.given(in, how)
		}
	case wraps[name]:
		f.given(in, holds)
	case givesParts(name):
		f.given(in, how|f.inElements(in))
	case own && ownMethods(name):
		f.given(in, refers|holds)
	default:
		f.handOver(in.Pos())
	}
}

// copyOut are functions and methods of the standard library that neither keep nor return
// what they are given.
var copyOut = map[string]bool{
	"(*os.File).Read": true, "(*os.File).Write": true, "(*bufio.Writer).Write": true, "(*bufio.Writer).WriteString": true, "(*bufio.Reader).Read": true,
	"io.ReadAll": true, "io.ReadFull": true, "io.ReadAtLeast": true, "io.CopyBuffer": true, "io.Copy": true, "io.CopyN": true, "io.WriteString": true,
	"fmt.Fprintf": true, "fmt.Fprint": true, "fmt.Fprintln": true, "fmt.Sscanf": true, "fmt.Sscan": true,
	"fmt.Sprintf": true, "fmt.Sprint": true, "fmt.Sprintln": true,
	"encoding/json.Unmarshal": true, "encoding/binary.Write": true, "encoding/binary.Read": true, "encoding/hex.Encode": true, "encoding/hex.EncodeToString": true,
	"bytes.Equal": true, "bytes.Compare": true, "bytes.Contains": true, "bytes.Index": true, "bytes.IndexByte": true, "bytes.LastIndexByte": true,
	"bytes.HasPrefix": true, "bytes.HasSuffix": true, "bytes.Count": true, "bytes.ContainsRune": true, "bytes.IndexAny": true,
	"hash/crc32.ChecksumIEEE": true, "hash/crc32.Checksum": true, "hash/crc32.Update": true, "hash/adler32.Checksum": true,
	"crypto/sha256.Sum256": true, "crypto/sha1.Sum": true, "crypto/md5.Sum": true, "crypto/sha512.Sum512": true,
	"encoding/binary.PutUvarint": true, "encoding/binary.PutVarint": true, "encoding/binary.Uvarint": true, "encoding/binary.Varint": true,
	"unicode/utf8.Valid": true, "unicode/utf8.DecodeRune": true, "unicode/utf8.RuneCount": true, "unicode/utf8.EncodeRune": true, "unicode/utf8.FullRune": true,
	"sort.Slice": true, "sort.Ints": true, "sort.Strings": true,
	"(*bytes.Buffer).Write": true, "(*bytes.Buffer).WriteString": true, "(*strings.Builder).Write": true, "(*strings.Builder).WriteString": true,
	"bytes.Clone": true, "strings.Clone": true,
	"(*bytes.Buffer).String": true, "(*bytes.Buffer).ReadString": true, "(*bytes.Buffer).ReadBytes": true,
	"(*bufio.Reader).ReadString": true, "(*bufio.Reader).ReadBytes": true, "(*bufio.Scanner).Text": true,
}

// lendsOn are those of copyOut that give what they are given, or have to write, to a reader, a writer or the like, which may break its contract.
var lendsOn = map[string]bool{
	"io.ReadFull": true, "io.ReadAtLeast": true, "io.CopyBuffer": true, "io.Copy": true, "io.CopyN": true,
	"(*bufio.Reader).Read": true, "(*bufio.Writer).Write": true, "encoding/json.Unmarshal": true,
}

// ofElements holds the functions of the standard library that make one text of the elements of a slice.
var ofElements = map[string]bool{"strings.Join": true, "bytes.Join": true}

// givesParts reports whether a function of packages bytes and strings keeps nothing but what it
// returns. Iterators, whose loops are given parts, are left out.
func givesParts(name string) bool {
	pkg, fn, ok := strings.Cut(name, ".")
	return ok && (pkg == "bytes" || pkg == "strings") && !strings.HasSuffix(fn, "Seq") && fn != "Lines"
}

func onlyCopies(name string) bool {
	for _, prefix := range []string{"(*testing.common).Log", "(*testing.common).Error", "(*testing.common).Fatal", "(*testing.common).Skip", "log.Print", "(*log.Logger).Print"} {
		if strings.HasPrefix(name, prefix) { // it formats
			return true
		}
	}
	return copyOut[name] || strings.HasPrefix(name, "(encoding/binary.") && !strings.Contains(name, ").Append")
}

// appends reports whether a function of the standard library returns a slice that it was given,
// and has appended to it.
func appends(name string) bool {
	for _, prefix := range []string{"strconv.Append", "fmt.Append", "unicode/utf8.Append", "encoding/hex.Append", "encoding/binary.Append", "(encoding/binary.",
		"(time.Time).Append", "(net/netip.Addr).Append", "(*encoding/base64.Encoding).Append", "(*math/big.Int).Append", "html.Append"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// wraps holds the constructors of the standard library that keep what they are given in their
// result only.
var wraps = map[string]bool{
	"encoding/json.NewEncoder": true, "encoding/json.NewDecoder": true,
	"bufio.NewWriter": true, "bufio.NewWriterSize": true, "bufio.NewReader": true, "bufio.NewReaderSize": true, "bufio.NewScanner": true,
	"bytes.NewBuffer": true, "bytes.NewReader": true, "strings.NewReader": true, "io.LimitReader": true, "io.MultiWriter": true, "io.TeeReader": true,
	"compress/gzip.NewWriter": true, "compress/gzip.NewReader": true, "compress/zlib.NewWriter": true, "compress/zlib.NewReader": true,
	"mime/quotedprintable.NewReader": true, "mime/quotedprintable.NewWriter": true, "encoding/base64.NewDecoder": true, "encoding/base64.NewEncoder": true,
	"encoding/hex.NewDecoder": true, "encoding/hex.Dumper": true, "encoding/csv.NewReader": true, "encoding/csv.NewWriter": true,
	"compress/flate.NewWriter": true, "compress/flate.NewReader": true, "encoding/hex.NewEncoder": true, "text/tabwriter.NewWriter": true,
}

// ownMethods reports whether a method does not give its receiver to anybody but the caller.
func ownMethods(name string) bool {
	for _, prefix := range []string{"(*bytes.", "(*strings.", "(*bufio.", "(*compress/", "(*encoding/json.Encoder).", "(*encoding/json.Decoder).",
		"(*sync.Mutex).", "(*sync.RWMutex).", "(*sync/atomic.", "(*math/big.", "(*io.LimitedReader).", "(*text/tabwriter.", "(*mime/quotedprintable."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// pointsInto reports whether a value of the type can refer to something.
func pointsInto(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Info()&types.IsString != 0
	case *types.Struct:
		for field := range u.Fields() {
			if pointsInto(field.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return pointsInto(u.Elem())
	case *types.Tuple:
		for v := range u.Variables() {
			if pointsInto(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// inElements is holds if a call returns a slice of what can refer to something: parts of what it was
// given are its elements.
func (f *follower) inElements(in ssa.CallInstruction) link {
	result := in.Value()
	if result == nil {
		return 0
	}
	for _, part := range parts(result) {
		if elementsPoint(part.Type()) {
			return holds
		}
	}
	return 0
}

// elementsPoint reports whether the elements of a slice or string can refer to something.
func elementsPoint(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && pointsInto(s.Elem())
}

func (f *follower) builtin(b *ssa.Builtin, v ssa.Value, in ssa.CallInstruction, how link) {
	args := in.Common().Args
	switch b.Name() {
	case "len", "cap", "clear", "print", "println", "delete", "close", "real", "imag":
	case "append", "copy":
		if len(args) > 1 && args[1] == v && how&holds != 0 && elementsPoint(v.Type()) { // its elements are in two slices
			f.keep(in.Pos())
		}
		if result := in.Value(); b.Name() == "append" && args[0] == v && result != nil {
			f.mark(result, how)
		}
	case "min", "max", "String", "StringData", "Slice", "SliceData", "Add", "ssa:wrapnilchk":
		if result := in.Value(); result != nil {
			f.markPart(result, how)
		}
	default:
		f.keep(in.Pos())
	}
}
