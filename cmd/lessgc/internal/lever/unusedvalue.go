package lever

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var unusedValue = &Lever{
	Name:  "unused-value",
	Title: "do not make the value: nothing reads it",
	Looks: "a conversion, concatenation, make or append whose result is never read, on any path: it is assigned to a variable that nothing uses afterwards, or only changed, appended to or converted, with a result that nothing reads either. The compiler does not complain about variables that are assigned in a loop or appended to.",
	Wrong: "when the line is there for the panic of an index that is out of range. Generated code needs the change in its template.",
	Before: `for _, t := range tokens {
	text = string(buffer[t.begin:t.end]) // no case uses text
	switch t.rule {
	case ruleKey:
		p.setKey(t.begin, t.end)`,
	After: `for _, t := range tokens {
	switch t.rule {
	case ruleKey:
		p.setKey(t.begin, t.end)`,
	Model: "The value goes, with the work of making it.",
	Risk:  NoRisk,
	Saves: Saves{Alloc: Range{0.95, 1}, Collect: Range{0.95, 1}},
	find:  findUnusedValue,
}

func findUnusedValue(p *Line) (f Finding) {
	all := p.allocators()
	for _, in := range all {
		v, _ := in.(ssa.Value)
		if set, ok := in.(*ssa.MapUpdate); ok {
			v = set.Map
		}
		if v == nil || !makesFresh(v) || !unread(v, map[ssa.Value]bool{}) {
			return Finding{} // which bytes are whose is not known
		}
		f.Evidence = append(f.Evidence, p.at(in.Pos(), fmt.Sprintf("nothing reads the %s that is made here, on any path%s", short(v.Type()), p.inEach())))
	}
	if f.Evidence != nil {
		f.Share = p.direct()
	}
	return f
}

// makesFresh reports whether a value is memory of its own that has no other name.
func makesFresh(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Convert, *ssa.BinOp, *ssa.MakeMap, *ssa.MakeSlice:
		return true
	case *ssa.Call:
		return callsBuiltin(v, "append") && freshSlice(v.Call.Args[0])
	}
	return false
}

// freshSlice reports whether a slice is nil, or was made in the function, by make or by append to such a slice.
func freshSlice(v ssa.Value) bool {
	return beginsAs(v, map[ssa.Value]bool{}, func(v ssa.Value) bool {
		_, made := v.(*ssa.MakeSlice)
		return made || isConst(v)
	})
}

// unread reports whether nothing reads a value, or what becomes of it. What is only written into it counts as nothing.
func unread(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if v.Referrers() == nil {
		return false
	}
	for _, in := range *v.Referrers() {
		if !drops(v, in, seen) {
			return false
		}
	}
	return true
}

// drops reports whether an instruction does nothing with a value that anything else could notice.
func drops(v ssa.Value, in ssa.Instruction, seen map[ssa.Value]bool) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Phi, *ssa.ChangeType, *ssa.Convert:
		return unread(in.(ssa.Value), seen)
	case *ssa.Slice:
		return in.X == v && isConstOrNil(in.Low) && isConstOrNil(in.High) && in.Max == nil && unread(in, seen)
	case *ssa.BinOp:
		return isString(in.Type()) && unread(in, seen)
	case *ssa.MapUpdate:
		return in.Map == v && !types.IsInterface(in.Key.Type()) && in.Value != v && in.Key != v
	case *ssa.IndexAddr:
		return in.X == v && onlyWritten(in)
	case *ssa.Call:
		// The slice that is appended to has to be of the function, too, else others may see the elements.
		return callsBuiltin(in, "append") && freshSlice(in.Call.Args[0]) && unread(in, seen)
	}
	return false
}

func isConstOrNil(v ssa.Value) bool { return v == nil || isConst(v) }

// onlyWritten reports whether an address is used for nothing but to write to it.
func onlyWritten(address *ssa.IndexAddr) bool {
	for _, in := range *address.Referrers() {
		switch in := in.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if in.Addr != address || in.Val == address {
				return false
			}
		default:
			return false
		}
	}
	return true
}
