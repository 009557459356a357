package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// fill marks base, something local, as what holds v from instruction i on. Whatever is loaded from base
// may derive then, and is looked at again.
func (d *Aliases) fill(base ssa.Value, m Mark, v ssa.Value, i ssa.Instruction) {
	news := !slices.Contains(d.fills[base], i)
	if news {
		if d.fills == nil {
			d.fills = map[ssa.Value][]ssa.Instruction{}
		}
		d.fills[base] = append(d.fills[base], i)
	}
	if d.add(base, MarkHold|m, v) || news {
		d.queue = append(d.queue, base)
	}
}

// HeldAt reports whether v, which derives from the origin, can do so at i already. Something local does
// not hold the origin where all that stores it there, in itself or by a method, is on other paths, or
// comes later, or was replaced.
//
// An example, in which r is empty wherever p was released:
//
//	r := rope{size: len(p.data)}
//	if r.size == 0 {
//		p.release()
//		return r
//	}
//	r.pushBack(p) // fills r
//	return r
//
// Marks do not depend on the place, so this question has to be asked wherever a holder is used.
func (d *Aliases) HeldAt(v ssa.Value, i ssa.Instruction) bool {
	base := ssautil.Root(v)
	if d.Mark(v)&^(MarkHold|MarkDeep) != 0 || len(d.fills[base]) == 0 {
		return true
	}
	return slices.ContainsFunc(d.fills[base], func(f ssa.Instruction) bool { return ssautil.Follows(f, i) && !d.renewed(base, f, i) })
}

// filledLater reports whether the argument is something that will hold the origin, and does not at the
// call, which keeps nothing of it.
//
// An example, in which the put has nothing to do with b:
//
//	if err != nil {
//		requests.Put(r)
//		return err
//	}
//	r.take(b) // fills r
func (d *Aliases) filledLater(a *argument, p *Param) bool {
	c, ok := a.call.(*ssa.Call)
	kept := p.Keep || p.Unknown || p.Spawn || p.Leaves || p.KeptIn != 0 || p.Same|p.Alias|p.Hold != 0
	return ok && !kept && !a.cell && !d.HeldAt(a.value, c)
}
