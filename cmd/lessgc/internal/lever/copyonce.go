package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var copyOnce = &Lever{
	Name:  "copy-once",
	Title: "do not copy again, or let the caller give the buffer",
	way:   fewerCopies,
	Looks: "a slice that is copied whole, by append to nothing, slices.Clone, bytes.Clone or make and copy, once or more in each operation, and that leaves the function; and m[k] = append(m[k], s...) of what a function of the program returns.",
	Wrong: "when the original changes while the copy is used, and the callers may keep the copy.",
	Before: `func (tx *Txn) Get(key []byte) []byte {
	v := tx.db.get(key) // is a copy already
	return append([]byte(nil), v...)
}`,
	After: `func (tx *Txn) Get(key []byte) []byte {
	return tx.db.get(key)
}

func (tx *Txn) AppendValue(dst, key []byte) []byte { // or into what the caller has
	return append(dst, tx.db.get(key)...)
}`,
	Model: "The copy goes whole, or is made in memory that is there.",
	Risk:  Aliasing,
	Asks:  "Is the original already an unshared copy, do the callers only read the result at once, or can they pass a buffer?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}, Work: Range{0, 0.5}},
	find:  findCopyOnce,
}

const leastCopied = 32 // bytes, on the average

func findCopyOnce(p *Line) (f Finding) {
	if each := p.each(); each > 0 && each < 0.9 || p.objectSize() < leastCopied && each < leastBatched {
		return f
	}
	if f = p.copiedIntoMap(); f.Share > 0 {
		return f
	}
	all := p.allocators()
	for _, in := range all {
		v, of := copyOf(in)
		if v == nil || len(all) > 2 || isString(of.Type()) || p.follow(v).stays() {
			continue
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{p.at(in.Pos(), fmt.Sprintf("a copy of a %s%s, which leaves the function", short(v.Type()), p.perOperation()))}}
	}
	for _, c := range p.callsOnLine() {
		switch nameOfCall(c) {
		case "bytes.Clone", "slices.Clone":
			return Finding{Share: p.leavesOf(c), Evidence: []Evidence{p.at(c.Pos(), fmt.Sprintf("a copy of a %s%s", short(c.Type()), p.perOperation()))}}
		}
	}
	return f
}

// copiedIntoMap is about a slice that is appended to what a map has, which is nothing for most keys.
func (p *Line) copiedIntoMap() (f Finding) {
	all := slices.DeleteFunc(p.allocators(), func(in ssa.Instruction) bool { _, set := in.(*ssa.MapUpdate); return set })
	if len(all) != 1 {
		return f
	}
	share := p.direct() / float64(len(p.allocators())) // the map grows there, too
	c, ok := all[0].(*ssa.Call)
	if !ok || !callsBuiltin(c, "append") || len(c.Call.Args) != 2 || isVarargs(c.Call.Args[1]) || isString(c.Call.Args[1].Type()) || !returnedHere(c.Call.Args[1]) {
		return f
	}
	had, ok := c.Call.Args[0].(*ssa.Lookup)
	if !ok {
		return f
	}
	for _, r := range *c.Referrers() {
		set, ok := r.(*ssa.MapUpdate)
		if ok && set.Map == had.X && set.Value == ssa.Value(c) {
			return Finding{Share: share, Evidence: []Evidence{p.at(c.Pos(), fmt.Sprintf("where the map has nothing for the key, a %s is copied whole%s: it could be put in as it is", short(c.Call.Args[1].Type()), p.perOperation()))}}
		}
	}
	return f
}

// returnedHere reports whether a value is a result of a function of the program: of others it is not known what they keep.
func returnedHere(v ssa.Value) bool {
	if part, ok := v.(*ssa.Extract); ok {
		v = part.Tuple
	}
	c, ok := v.(*ssa.Call)
	return ok && c.Call.StaticCallee() != nil && len(c.Call.StaticCallee().Blocks) > 0
}

// leavesOf is the share of what the line allocates by a call of a function that may be generic.
func (p *Line) leavesOf(c *ssa.Call) float64 {
	callee, _ := callee(c.Common())
	if callee == nil {
		return 0
	}
	return p.below(callee)
}

// copyOf is the copy that an instruction makes, and what it is of: append to an empty slice of all of another, or
// make for the length of what is copied there.
func copyOf(in ssa.Instruction) (v, of ssa.Value) {
	switch in := in.(type) {
	case *ssa.Call:
		if !callsBuiltin(in, "append") || len(in.Call.Args) != 2 || !isEmptySlice(in.Call.Args[0]) {
			return nil, nil
		}
		if _, ok := in.Call.Args[1].(*ssa.Slice); ok && isVarargs(in.Call.Args[1]) {
			return nil, nil
		}
		return in, in.Call.Args[1]
	case *ssa.MakeSlice:
		length, ok := in.Len.(*ssa.Call)
		if !ok || len(length.Call.Args) != 1 {
			return nil, nil
		}
		for _, r := range *in.Referrers() {
			c, ok := r.(*ssa.Call)
			if !ok {
				continue
			}
			if callsBuiltin(c, "copy") && c.Call.Args[0] == in && c.Call.Args[1] == length.Call.Args[0] {
				return in, c.Call.Args[1]
			}
		}
	}
	return nil, nil
}

// isEmptySlice reports whether a slice has no elements: it is nil, a literal without any, or cut to none.
func isEmptySlice(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Slice:
		if high, ok := v.High.(*ssa.Const); ok && high.Int64() == 0 {
			return true
		}
		a, ok := v.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		array, ok := elemOf(a).Underlying().(*types.Array)
		return ok && array.Len() == 0
	}
	return false
}

// isVarargs reports whether a slice holds arguments that are listed.
func isVarargs(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	a, ok := s.X.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}
