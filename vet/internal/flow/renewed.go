package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Is what a local struct was given still in it, or has each field that could hold it been assigned
// anew?
//
//	x := parse(line)                               // all fields may share the memory of line
//	x.raw, x.value = nil, bytes.Clone(x.value)
//	all = append(all, x)                           // holds nothing of line any more
//
//	x.raw, x.value = nil, x.value[1:]              // renews nothing: a part of what x had
//
// It takes the instruction that fills the struct, and one at which the struct is used. A field that
// is not assigned on some path between them still holds the origin. Only structs in local variables
// are followed; for others the answer is no, which errs towards a report.

// renewed reports whether what instruction fill has stored in a struct is no longer there at i, because
// each field that it can be in was assigned anew in between, on all paths. What a field gets instead may
// hold the origin too: that is a fill of its own.
func (d *Aliases) renewed(base ssa.Value, fill, i ssa.Instruction) bool {
	cell, ok := base.(*ssa.Alloc)
	if !ok {
		return false
	}
	s, ok := ssautil.Deref(cell.Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	fields := d.filledFields(cell, s, fill)
	// For each field there must be no path from the fill to i without a store to it. The stores may
	// be different ones in different branches. That one fill is renewed says nothing of others:
	// HeldAt asks for each.
	for _, field := range fields {
		renews := func(x ssa.Instruction) bool { return d.replaces(x, cell, field) }
		if PathWithout(fill, i, renews) {
			return false
		}
	}
	return len(fields) > 0
}

// filledFields returns the fields in which the origin can be after a fill: the one that it stores to, those
// that a literal sets, or all that can share memory. Strings do only if they do in the origin, and errors are
// made to be kept.
func (d *Aliases) filledFields(cell *ssa.Alloc, s *types.Struct, fill ssa.Instruction) (fields []int) {
	if store, ok := fill.(*ssa.Store); ok {
		if store.Addr != ssa.Value(cell) {
			return storedFields(cell, store.Addr)
		}
		if set := literalFields(store.Val); set != nil {
			return set
		}
	}
	for n := range s.NumFields() {
		if t := s.Field(n).Type(); pointers(t) && (d.texts || !ssautil.IsString(t)) && !types.Identical(t, ErrorType) {
			fields = append(fields, n)
		}
	}
	return fields
}

// literalFields returns the fields of a struct that a literal gives more than constants; none if v is not
// the value of a literal.
//
// A literal is built in a variable of its own, and copied. Any other use of that variable may fill
// more fields, so nothing is known then.
func literalFields(v ssa.Value) (fields []int) {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	literal, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for use := range ssautil.Uses[ssa.Instruction](literal) {
		switch use := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			for set := range ssautil.Uses[ssa.Instruction](use) {
				s, ok := set.(*ssa.Store)
				if !ok || s.Addr != ssa.Value(use) {
					return nil
				}
				if !isConst(s.Val) && pointers(s.Val.Type()) {
					fields = append(fields, use.Field)
				}
			}
		default:
			return nil
		}
	}
	return fields
}

// storedFields returns the field of a struct that an address is in; none if that is not known.
func storedFields(cell *ssa.Alloc, addr ssa.Value) []int {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			if x.X == ssa.Value(cell) {
				return []int{x.Field}
			}
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return nil
		}
	}
}

// replaces reports whether an instruction gives a field of a struct a value that is no part of the struct,
// or makes the struct.
func (d *Aliases) replaces(i ssa.Instruction, cell *ssa.Alloc, field int) bool {
	if i == ssa.Instruction(cell) {
		return true
	}
	s, ok := i.(*ssa.Store)
	if !ok {
		return false
	}
	fa, part := s.Addr.(*ssa.FieldAddr)
	if s.Addr != ssa.Value(cell) && !(part && fa.X == ssa.Value(cell) && fa.Field == field) {
		return false
	}
	return !d.isPartOf(s.Val, cell, map[ssa.Value]bool{})
}

// isPartOf reports whether a value is, or may share memory with, what a struct in a variable holds.
//
// It ends because each value is looked at once; a cycle of phis adds nothing.
func (d *Aliases) isPartOf(v ssa.Value, cell *ssa.Alloc, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if v == ssa.Value(cell) {
		return true
	}
	for _, from := range d.sharedBy(v) {
		if d.isPartOf(from, cell, seen) {
			return true
		}
	}
	return false
}

// sharedBy returns the operands that a value may share memory with, as far as is known.
func (d *Aliases) sharedBy(v ssa.Value) (from []ssa.Value) {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.UnOp:
		return []ssa.Value{v.X}
	case *ssa.Extract:
		return []ssa.Value{v.Tuple}
	case *ssa.Convert:
		if ssautil.IsString(v.Type()) != ssautil.IsString(v.X.Type()) {
			return nil // a copy
		}
		return []ssa.Value{v.X}
	case *ssa.Call:
		// A call whose callee is not known shares nothing, as for derivations.
		if ssautil.IsAppend(v) {
			return v.Call.Args[:1]
		}
		k := d.Func.Callee(&v.Call)
		for n, arg := range k.Args {
			if p := k.Summary; p != nil && p.Param(n).Same|p.Param(n).Alias|p.Param(n).Content|p.Param(n).Hold != 0 {
				from = append(from, arg)
			}
		}
		return from
	}
	if root := ssautil.Root(v); root != v {
		return []ssa.Value{root}
	}
	return nil
}
