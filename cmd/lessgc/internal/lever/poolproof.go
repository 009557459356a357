package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// confinedTo reports whether all references to the memory end before it is put back, whatever code that is not
// loaded does within its contract.
func (x *pooling) confinedTo(zeroed bool) bool {
	x.flow = x.p.follower(nil, append([]ssa.Value{x.made}, x.more...)...)
	x.flow.zeroed = zeroed
	t := x.flow.all(refers)
	if !t.stays() || !x.ownCalls(t.toValues) || x.p.leavesBy(x.made.Pos(), true) {
		return false
	}
	lent := len(t.lent) > 0 || !x.everyUse(func(v ssa.Value, in ssa.Instruction) bool { return !lends(v, in) })
	if lent && x.p.keepsLent() {
		return false
	}
	return x.everyUse(func(v ssa.Value, in ssa.Instruction) bool {
		return x.endsInTime(v, in) && !x.boxed(v, in) && !rawMemory(v, in)
	})
}

// ownCalls reports whether calls at some positions, which are given a reference, are of function values that the program
// alone can have stored where they are found.
func (x *pooling) ownCalls(all []token.Pos) bool {
	own := map[token.Pos]bool{}
	x.everyUse(func(_ ssa.Value, in ssa.Instruction) bool {
		if call, ok := in.(ssa.CallInstruction); ok && x.p.ownFunction(call.Common()) {
			own[call.Pos()] = true
		}
		return true
	})
	return !slices.ContainsFunc(all, func(pos token.Pos) bool { return !own[pos] })
}

// everyUse reports whether something holds of each use of each value that leads to the memory.
func (x *pooling) everyUse(holds func(v ssa.Value, in ssa.Instruction) bool) bool {
	for v := range x.flow.seen {
		for _, in := range *v.Referrers() {
			if !holds(v, in) {
				return false
			}
		}
	}
	return true
}

// endsInTime reports whether a use in the function comes before the memory is put back: function literals and
// deferred calls may come later, and in a loop the next iteration does.
func (x *pooling) endsInTime(v ssa.Value, in ssa.Instruction) bool {
	if in.Parent() != x.home {
		return true
	}
	switch in.(type) {
	case *ssa.MakeClosure:
		return false
	case *ssa.Defer:
		if x.loop || !x.follows(in) {
			return false
		}
	}
	if _, captured := v.(*ssa.FreeVar); captured {
		return false
	}
	if !x.loop {
		return true
	}
	made, ok := v.(ssa.Instruction)
	return ok && x.follows(made) && x.follows(in)
}

// follows reports whether an instruction of the function is executed only after the memory is made.
func (x *pooling) follows(in ssa.Instruction) bool {
	made := x.made.(ssa.Instruction)
	if in.Block() != made.Block() {
		return made.Block().Dominates(in.Block())
	}
	return slices.Index(in.Block().Instrs, made) <= slices.Index(in.Block().Instrs, in)
}

// boxed reports whether a use makes an interface without methods of what has methods, or whose parts have: code
// that is not loaded may call them, as fmt calls String and encoding/json UnmarshalJSON, and they may keep it.
func (x *pooling) boxed(v ssa.Value, in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.MakeInterface, *ssa.ChangeInterface:
	default:
		return false
	}
	iface, ok := in.(ssa.Value).Type().Underlying().(*types.Interface)
	if !ok || iface.NumMethods() > 0 {
		return false
	}
	switch t := v.Type().(type) {
	case *types.Slice:
		_, basic := types.Unalias(t.Elem()).(*types.Basic)
		return !basic
	case *types.Map:
		return false // its elements have no address
	}
	return true
}

// rawMemory reports whether a use goes around the type of a value.
func rawMemory(v ssa.Value, in ssa.Instruction) bool {
	if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
		return true
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	b, ok := call.Common().Value.(*ssa.Builtin)
	return ok && slices.Contains([]string{"String", "StringData", "Slice", "SliceData", "Add"}, b.Name())
}

// lends reports whether a call may have a method of the program given part of the memory, by code that is not
// loaded: as encoding/json gives UnmarshalJSON part of what it decodes, and a bufio.Writer its writer what is large.
// Who writes to a buffer only, is not given any of it.
func lends(v ssa.Value, in ssa.Instruction) bool {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return false
	}
	c := call.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return false
	}
	callee := c.StaticCallee()
	name := ""
	switch {
	case c.IsInvoke():
		name = c.Method.FullName()
	case callee == nil || len(callee.Blocks) > 0:
		return false // it is followed
	default:
		name = fullName(callee)
	}
	if isBytes(v.Type()) && c.Signature().Recv() != nil || strings.HasSuffix(name, ".ReadFrom") || strings.HasSuffix(name, ".WriteTo") {
		return true
	}
	return (isBytes(v.Type()) || !onlyAppends(name)) && slices.ContainsFunc(c.Args, func(a ssa.Value) bool { return types.IsInterface(a.Type()) })
}

// lentTo holds the methods that other packages call with memory which must not be kept, and which is the
// first argument.
var lentTo = map[string]bool{
	"Write": true, "WriteAt": true, "Read": true, "ReadAt": true,
	"UnmarshalJSON": true, "UnmarshalText": true, "UnmarshalBinary": true,
}

// keepsLent reports whether a method of the program breaks the contract of io.Writer and the like: it keeps what
// it is given, or looks at how much room there is behind it.
func (p *Program) keepsLent() bool {
	if p.lentKept == nil {
		kept := false
		for _, fn := range p.fns {
			kept = kept || lentTo[fn.Name()] && fn.Signature.Recv() != nil && len(fn.Params) > 1 && isBytes(fn.Params[1].Type()) && p.keepsArgument(fn)
		}
		p.lentKept = &kept
	}
	return *p.lentKept
}

func (p *Program) keepsArgument(fn *ssa.Function) bool {
	f := p.follower(nil, fn.Params[1])
	f.trusts = true
	if t := f.all(refers); !t.stays() {
		return true
	}
	for v := range f.seen {
		if isBytes(v.Type()) && slices.ContainsFunc(*v.Referrers(), tellsRoom) {
			return true
		}
	}
	return false
}

// tellsRoom reports whether an instruction tells a slice from another of the same length and elements.
func tellsRoom(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.BinOp:
		return true // with nil
	case *ssa.Slice:
		return in.Max != nil
	}
	return callsBuiltin(in, "cap")
}
