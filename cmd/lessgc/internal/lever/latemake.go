package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var lateMake = &Lever{
	Name:    "late-make",
	Subject: "make the object only if returned",
	Title:   "make it when it is known to be needed",
	way:     size,
	Looks:   "a slice, map or struct that a function makes, fills and returns, when the benchmarks, counted statement by statement, show that at least a third of them are dropped: the function returns without what it has made.",
	Wrong:   "when the program succeeds more often there than the benchmarks do.",
	Before: `values := make([]any, 0, len(exprs))
for _, e := range exprs {
	v, ok := p.parse(e)
	if !ok {
		return nil, false
	}
	values = append(values, v)
}
return values, true`,
	After: `var values []any
for i, e := range exprs {
	v, ok := p.parse(e)
	if !ok {
		return nil, false
	}
	if i == 0 {
		values = make([]any, 0, len(exprs))
	}
	values = append(values, v)
}
return values, true`,
	Model: "What would be dropped is not made. Where the function fails late, collect in scratch space, and copy what is returned.",
	Risk:  NoRisk,
	Asks:  "Does the function fail as often in the program as in the benchmarks? Then check what can fail first and make it after that, or keep it in a variable on the stack until it is complete.",
	Saves: Saves{Alloc: Range{0.4, 1}, Collect: Range{0.4, 1}},
	Rewrite: "It is a new struct of 256 bytes or less, without a lock and what may know its own address, in a local variable that is set once. All uses of the variable select a field, which is read or set, or return the pointer, as a result of its own: nothing has the pointer before the function ends, " +
		"no address of a field is taken, no function literal has the variable, and it is not compared with nil. " +
		"A literal that is returned at one place stands there, with its comments, if no field of it is set and it has the same value: it is made of constants and of local variables that are set once and are no structs or arrays, whose names mean the same there; " +
		"it cannot panic, and where a field is read stands the variable that the field is set to. Else the struct is kept in the variable itself, and the statement that returns it makes a copy, as a new object. " +
		"In both cases the object has the same fields, and is as new as before. Expressions stay in their order.",
	find: findLateMake,
}

// leastUnused is the share of what is made and dropped.
const leastUnused = 0.33

func findLateMake(p *Line) (f Finding) {
	for _, m := range p.makings() {
		if m.share < 0.5 || m.up || m.made == 0 {
			continue
		}
		v, ok := m.in.(ssa.Value)
		if !ok || v.Parent() == nil {
			continue
		}
		is, ok := localUses(v)
		if !ok {
			continue
		}
		var evidence []Evidence
		dropped, most := int64(0), int64(0)
		returned := false
		for _, b := range v.Parent().Blocks {
			ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok || b != v.(ssa.Instruction).Block() && !v.(ssa.Instruction).Block().Dominates(b) {
				continue
			}
			has := false
			for _, r := range ret.Results {
				has = has || is[r]
			}
			if has {
				returned = true
				continue
			}
			n, ok := p.executed(ret.Pos())
			if !ok {
				continue
			}
			dropped += n
			if n > most {
				most = n
				evidence = []Evidence{p.at(ret.Pos(), fmt.Sprintf("the return here, taken %d times, does not need the value, which could be made later, where it is returned", n))}
			}
		}
		share := float64(dropped) / float64(m.made)
		if !returned || share < leastUnused {
			continue
		}
		made := p.at(m.expr.Pos(), fmt.Sprintf("a %s is made %d times in the benchmarks, and %d times the function returns without it", short(v.Type()), m.made, dropped))
		return Finding{Share: m.share * min(share, 1), Edits: p.atReturn(m), What: p.subject("make % only if returned", m.expr), Evidence: append([]Evidence{made}, evidence...)}
	}
	return f
}

// localUses are the values that are what a function makes, or has made of that by append; ok is false if something
// else has it before the function returns it.
func localUses(v ssa.Value) (is map[ssa.Value]bool, ok bool) {
	is = map[ssa.Value]bool{v: true}
	work := []ssa.Value{v}
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range *next.Referrers() {
			switch in := in.(type) {
			case *ssa.DebugRef, *ssa.Return, *ssa.Lookup, *ssa.Range, *ssa.Field:
			case *ssa.IndexAddr, *ssa.FieldAddr:
				if !onlyLocal(in.(ssa.Value)) {
					return nil, false
				}
			case *ssa.MapUpdate:
				if in.Map != next {
					return nil, false
				}
			case *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface:
				if to := in.(ssa.Value); !is[to] {
					is[to] = true
					work = append(work, to)
				}
			case *ssa.Store:
				if in.Addr != next {
					return nil, false
				}
			case *ssa.UnOp:
				if _, isStruct := in.Type().Underlying().(*types.Struct); isStruct {
					return nil, false // a copy
				}
			case *ssa.Call:
				b, builtin := in.Call.Value.(*ssa.Builtin)
				if !builtin {
					return nil, false
				}
				if b.Name() == "append" && in.Call.Args[0] == next && !is[in] {
					is[in] = true
					work = append(work, in)
				}
			default:
				return nil, false
			}
		}
	}
	return is, true
}

// onlyLocal reports whether an address of an element or field is only stored to and loaded from.
func onlyLocal(address ssa.Value) bool {
	for _, in := range *address.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if in.Addr != address {
				return false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if !onlyLocal(in.(ssa.Value)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
