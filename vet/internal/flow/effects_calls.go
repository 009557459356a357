package flow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// argumentEffects is what a callee does with argument i.
func (d *Aliases) argumentEffects(all Effects, instr ssa.CallInstruction, k Callee, i int, v ssa.Value, m Mark, sure, cell bool) {
	_, isDefer := instr.(*ssa.Defer)
	_, isGo := instr.(*ssa.Go)
	add := func(a EffectKind, sure bool, what string, to ssa.Value) {
		if a == EffectHandOver && m&(MarkSame|MarkAlias|MarkHold) == 0 {
			return // it cannot be released by a slice of its contents
		}
		all.add(instr, Effect{Kind: a, Sure: sure, Value: v, Mark: m, What: what, To: to, ByCall: true, Once: k.Once})
	}
	if c, ok := v.(*ssa.MakeClosure); ok && isYield(c) {
		// The body of a loop over a function: it runs here and now.
		if d.releasedBy(c) {
			add(EffectHandOver, sure, "", nil)
		}
		return
	}
	var p *Param
	if k.Summary != nil {
		p = k.Summary.Param(i)
	}
	if isGo {
		if p != nil && p.Release == ReleaseAlways && sure && d.releasable(v, m, cell) {
			add(EffectGoRelease, true, "", nil) // it is the goroutine's from now on
			add(EffectHandOver, sure, "", nil)
			return
		}
		if p == nil || p.Release != ReleaseNever {
			add(EffectHandOver, sure, "", nil)
			return
		}
		add(EffectSpawn, sure && m&MarkMemory != 0, "", nil)
		if p.Keep || p.Unknown || p.KeptIn != 0 {
			add(EffectHandOver, sure, "", nil)
		}
		return
	}
	if p == nil {
		add(EffectUse, sure && m&MarkMemory != 0, "", nil)
		add(EffectHandOver, sure, "", nil)
		return
	}
	if p.Release != ReleaseNever && d.releasable(v, m, cell) {
		switch {
		case p.Release == ReleaseAlways && sure && isDefer:
			add(EffectDefer, true, "", nil)
		case isDefer:
			add(EffectMayDefer, sure, "", nil)
		case p.Release == ReleaseAlways && sure:
			add(EffectRelease, true, "", nil)
		default:
			add(EffectMayRelease, sure, "", nil)
		}
		return
	}
	if p.Release != ReleaseNever {
		add(EffectHandOver, sure, "", nil)
	}
	if p.Reset && m&MarkSame != 0 {
		later, now := EffectMayDefer, EffectMayRelease
		if !letsGo(instr, k) {
			later, now = EffectDeferReset, EffectReset
		}
		if isDefer {
			add(later, sure, "", nil)
		} else {
			add(now, sure, "", nil)
		}
	}
	if c, ok := ssautil.Root(v).(*ssa.MakeClosure); ok && d.releasedBy(c) && onceFunc(instr.Value()) == nil {
		add(EffectHandOver, sure, "", nil) // whoever gets it may call it
	}
	if p.Spawn {
		add(EffectSpawn, sure && m&MarkMemory != 0, "", nil)
		add(EffectHandOver, sure, "", nil)
		return
	}
	if m&MarkHold != 0 && m&(MarkSame|MarkAlias|MarkContent) == 0 && (k.Func == nil || d.Func.Package.Known(k.Func) == nil) && (!isVarargs(v) || !types.IsInterface(elem(v.Type()))) {
		add(EffectHandOver, sure, "", nil) // it may release what it holds
	}
	if isDefer {
		if p.Keep || p.Unknown {
			add(EffectHandOver, sure, "", nil)
		}
		return
	}
	if (!cell || p.Use) && (m&(MarkSame|MarkAlias|MarkContent|MarkText) != 0 || isVarargs(v)) {
		add(EffectUse, sure && m&MarkMemory != 0, "", nil)
	}
	if p.Keep {
		if i > 0 || m&MarkSame == 0 || k.Func == nil || k.Func.Signature().Recv() == nil { // what its own methods do stays within
			add(EffectKeep, sure && m&MarkMemory != 0, "kept by "+CalleeName(k), nil)
		}
		add(EffectHandOver, sure, "", nil)
	}
	for j, to := range k.Args {
		if p.KeptIn&(1<<j) == 0 || j == i {
			continue
		}
		base := d.Func.Resolve(ssautil.Root(to))
		if !isLocal(base) && !d.Inside(base) {
			add(EffectKeep, sure && m&MarkMemory != 0, "kept by "+CalleeName(k), to)
			add(EffectHandOver, sure, "", nil)
		}
	}
	if p.Unknown {
		add(EffectHandOver, sure, "", nil)
	}
}

// releasedBy reports whether a closure may release, or keep, the origin that it has captured.
func (d *Aliases) releasedBy(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	if !ok || fn.Synthetic != "" && !isYield(c) {
		return true
	}
	s := d.Func.Package.summaries[fn]
	if s == nil {
		return true
	}
	for i, b := range c.Bindings {
		p := s.Param(len(fn.Params) + i)
		if (p.Release != ReleaseNever || p.Unknown || p.Keep) && d.inCell(b) {
			return true
		}
	}
	return false
}

// inCell reports whether a variable may hold the origin.
func (d *Aliases) inCell(cell ssa.Value) bool {
	if d.Nodes.Find(cell) != nil {
		return true
	}
	for _, r := range *cell.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == cell && d.Mark(s.Val) != 0 {
			return true
		}
	}
	return false
}

// isYield reports whether a closure is the body of a loop over a function.
func isYield(c *ssa.MakeClosure) bool {
	fn, ok := c.Fn.(*ssa.Function)
	return ok && strings.HasPrefix(fn.Synthetic, "range-over-func yield")
}

// letsGo reports whether a reset leaves the memory to the collector, as nuke's Reset(true) does.
func letsGo(instr ssa.CallInstruction, k Callee) bool {
	if k.Func == nil || k.Func.FullName() != "(github.com/ortuman/nuke.Arena).Reset" {
		return false
	}
	c, ok := instr.Common().Args[0].(*ssa.Const)
	return !ok || constant.BoolVal(c.Value)
}

func CalleeName(k Callee) string {
	if k.Func != nil {
		return k.Func.Name()
	}
	return "the called function"
}

// releasable reports whether releasing v releases the origin: it is it, or a slice of its
// memory where that is what is pooled.
func (d *Aliases) releasable(v ssa.Value, m Mark, cell bool) bool {
	if m&MarkSame != 0 {
		return true
	}
	if m&MarkAlias == 0 {
		return false
	}
	t := v.Type()
	if x, ok := v.(*ssa.MakeInterface); ok {
		t = x.X.Type()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok && cell {
		t = p.Elem()
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		_, array := p.Elem().Underlying().(*types.Array)
		return array
	}
	return ssautil.IsSlice(t)
}

// cellEffects are those of the variables that hold derived values: they are released by
// their address, or by closures that have captured them.
func (d *Aliases) cellEffects(all Effects) {
	seen := map[ssa.Value]bool{}
	visit := func(cell ssa.Value, m Mark, sure bool) {
		if seen[cell] {
			return
		}
		seen[cell] = true
		for _, r := range *cell.Referrers() {
			switch i := r.(type) {
			case *ssa.MakeInterface:
				for _, use := range *i.Referrers() {
					if c, ok := use.(ssa.CallInstruction); ok {
						d.cellArgumentEffects(all, c, i, cell, m, sure)
					}
				}
			case *ssa.MakeClosure:
				for _, use := range callsOf(i) {
					d.closureEffects(all, use, cell, m, sure)
				}
			case ssa.CallInstruction:
				if _, ok := i.Common().Value.(*ssa.MakeClosure); !ok {
					d.cellArgumentEffects(all, i, cell, cell, m, sure)
				}
			case *ssa.Store:
				if i.Val == cell {
					all.add(i, Effect{Kind: EffectHandOver, Value: cell, Mark: m})
				}
			case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.Return, *ssa.MapUpdate, *ssa.Send:
				if !harmless(i) { // who has its address has what it holds
					all.add(i, Effect{Kind: EffectHandOver, Value: cell, Mark: m})
				}
			}
		}
	}
	for _, n := range d.Nodes.List {
		if n.Value.Referrers() == nil || n.Mark == 0 {
			continue
		}
		for _, r := range *n.Value.Referrers() {
			s, ok := r.(*ssa.Store)
			if !ok || s.Val != n.Value {
				continue
			}
			if a, ok := s.Addr.(*ssa.Alloc); ok {
				visit(a, n.Mark, d.cellSure(a))
			}
		}
	}
	for _, v := range d.Func.FreeVars {
		if d.captured == v {
			visit(v, MarkSame, d.Func.definitions().variable(v).stores == 0)
		}
	}
}

// callsOf are the calls of a closure, by itself or through sync.OnceFunc.
func callsOf(v ssa.Value) []ssa.CallInstruction {
	var all []ssa.CallInstruction
	for _, r := range *v.Referrers() {
		c, ok := r.(ssa.CallInstruction)
		switch {
		case !ok:
		case c.Common().Value == v:
			all = append(all, c)
		case onceFunc(c.Value()) == v:
			all = append(all, callsOf(c.Value())...)
		}
	}
	return all
}

// cellSure reports whether a variable holds nothing but derived values once it holds one.
func (d *Aliases) cellSure(a ssa.Value) bool {
	root, _ := d.Root.(ssa.Instruction)
	for _, r := range *a.Referrers() {
		s, ok := r.(*ssa.Store)
		if !ok || s.Addr != a || d.Sure(s.Val) != 0 {
			continue
		}
		if !IsNil(s.Val) || root == nil || ssautil.Follows(root, s) {
			return false
		}
	}
	return true
}

// cellArgumentEffects is what a call does that gets the address of a variable.
func (d *Aliases) cellArgumentEffects(all Effects, c ssa.CallInstruction, arg, cell ssa.Value, m Mark, sure bool) {
	k := d.Func.Callee(c.Common())
	for i, a := range k.Args {
		if a == arg && i < k.Captured {
			if k.Summary != nil && k.Summary.Param(i).Release == ReleaseNever && !k.Summary.Param(i).Unknown && !k.Summary.Param(i).Keep {
				continue
			}
			d.argumentEffects(all, c, k, i, cell, m, sure, true)
		}
	}
}

// closureEffects is what a closure does that has captured a variable, when it is called.
func (d *Aliases) closureEffects(all Effects, c ssa.CallInstruction, cell ssa.Value, m Mark, sure bool) {
	k := d.Func.Callee(c.Common())
	for i := k.Captured; i < len(k.Args); i++ {
		if k.Args[i] == cell {
			d.argumentEffects(all, c, k, i, cell, m, sure, true)
		}
	}
}
