package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Does a result hold nothing of a parameter but slices loaded from its fields? Then it does not end with
// the parameter if these get other memory before the release.
//
//	func (m *machine) result() result { return result{out: m.out} } // holds what out has
//
//	r := m.result()
//	m.out = nil
//	machines.Put(m)
//	return r // the memory of r.out has no other owner
//
// It asks all that holds something in the function. One that is not built here by stores of such slices,
// such as the result of another call, makes the answer no, which errs towards a report.

// heldFields returns the fields of the origin that what holds it has slices of; none if it may hold more.
func (d *Tracked) heldFields() []string {
	for _, n := range d.Nodes.List {
		if n.Mark&MarkHold == 0 {
			continue
		}
		switch v := n.Value.(type) {
		case *ssa.Alloc:
			if slices.ContainsFunc(d.fills[v], func(i ssa.Instruction) bool { return !d.storesContent(i) }) {
				return nil
			}
		case *ssa.UnOp, *ssa.FieldAddr:
		default:
			return nil
		}
	}
	return d.loadedFields(nil)
}

// storesContent reports whether an instruction stores a slice loaded from a field of the origin, and
// nothing else of it.
func (d *Tracked) storesContent(i ssa.Instruction) bool {
	s, ok := i.(*ssa.Store)
	return ok && d.Mark(s.Val)&MarkContent != 0 && d.Mark(s.Val)&(MarkSame|MarkAlias|MarkHold|MarkText) == 0
}

// detachedAll reports whether there are fields, and all of them get other memory.
func (d *Aliases) detachedAll(fields []string) bool {
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(name string) bool { return !d.detached["*"] && !d.detached[name] })
}
