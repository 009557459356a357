package lever

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var passValue = &Lever{
	Name:  "pass-value",
	Title: "pass the value itself, instead of its address",
	Looks: "a variable or parameter of 64 bytes or less that is moved to the heap because its address is given to functions of the program, when these only read what it points to, compare it with nil or pass it on.",
	Wrong: "when nil means something else than the zero value: then pass a flag beside it.",
	Before: `func convert(x any, target *reflect.Value) any {
	...
	for i := range fields {
		f := target.Field(i)
		all[i] = convert(x, &f) // moved to the heap: convert calls itself
	}`,
	After: `func convert(x any, target reflect.Value) any { // the zero Value for none
	...
	for i := range fields {
		all[i] = convert(x, target.Field(i))
	}`,
	Model: "The object goes; some words are copied for each call.",
	Risk:  NoRisk,
	Asks:  "Does the zero value, or a flag beside it, say what nil says now?",
	Saves: Saves{Alloc: Range{0.8, 1}, Collect: Range{0.8, 1}},
	find:  findPassValue,
}

const (
	mostPassedBytes = 64 // bytes of a value that is passed
	farPassed       = 4  // functions that pass the address on
)

func findPassValue(p *Line) (f Finding) {
	all := p.allocators()
	if len(all) == 0 || len(all) > 2 || !p.often() || p.pkg.TypesSizes == nil {
		return f
	}
	for _, in := range all {
		made, ok := in.(*ssa.Alloc)
		if !ok || !isNamedVariable(made) || hasTypeParameter(elemOf(made)) || ownsLock(elemOf(made)) || p.pkg.TypesSizes.Sizeof(elemOf(made)) > mostPassedBytes {
			continue
		}
		r := &readBy{seen: map[ssa.Value]bool{}}
		if !r.onlyReads(made, 0) || r.call == nil {
			continue
		}
		share := p.direct()
		if len(all) > 1 {
			share *= p.shareOfObjects(made) / 2
		}
		return Finding{Share: share, Evidence: []Evidence{
			p.at(made.Pos(), fmt.Sprintf("%s, a %s of %d bytes, is moved to the heap%s", made.Comment, short(elemOf(made)), p.pkg.TypesSizes.Sizeof(elemOf(made)), p.inEach())),
			p.at(r.call.Pos(), fmt.Sprintf("only because %s is given its address, which reads what it points to, and no more", nameOf(r.call.Call.StaticCallee()))),
		}}
	}
	return f
}

// A readBy follows the address of a variable through calls.
type readBy struct {
	seen map[ssa.Value]bool
	call *ssa.Call // the first that is given it
}

// onlyReads reports whether an address is only loaded from, by the variable's function also stored to, compared, and given
// to functions of the program that do no more.
func (r *readBy) onlyReads(v ssa.Value, depth int) bool {
	if r.seen[v] {
		return true
	}
	r.seen[v] = true
	if depth > farPassed || len(r.seen) > 100 {
		return false
	}
	return !slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
			return false
		case *ssa.UnOp:
			return in.Op != token.MUL
		case *ssa.Store:
			return in.Val == v || depth > 0
		case *ssa.FieldAddr:
			return !onlyLoaded(in)
		case *ssa.Phi:
			return depth == 0 || !r.onlyReads(in, depth)
		case *ssa.Call:
			return !r.readsIn(in, v, depth)
		}
		return true
	})
}

// readsIn is onlyReads of a call that is given the address.
func (r *readBy) readsIn(c *ssa.Call, v ssa.Value, depth int) bool {
	fn := c.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	for i, arg := range c.Call.Args {
		if arg == v && !r.onlyReads(fn.Params[i], depth+1) {
			return false
		}
	}
	if r.call == nil {
		r.call = c
	}
	return true
}

// onlyLoaded reports whether the address of a field is only loaded from.
func onlyLoaded(address *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*address.Referrers(), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.UnOp:
			return in.Op != token.MUL
		case *ssa.FieldAddr:
			return !onlyLoaded(in)
		}
		return true
	})
}
