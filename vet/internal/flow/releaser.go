package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A getter may return what puts its value back: buf, release, err := get(). Its summary says which
// result that is, and to call that result is to release the value.
//
//	buf, release, err := get()
//	if err != nil {
//		return err
//	}
//	defer release() // buf is released when the function ends
//
//	s.close = release // handed over: others may call it
//
// The function has aliases of its own, and what is done with them is added to the effects on the
// value. A call of one that is the function on some paths only releases perhaps. Whoever gets the
// function may call it, which is silence.

// releaserAt returns which result of ret, from 1 on, is a function that releases the origin; 0 if none is.
func (f *Function) releaserAt(o *Origin, ret *ssa.Return) int {
	for k, v := range ret.Results {
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		v = f.Resolve(v)
		if o.Releaser != nil && o.Releaser.Sure(v)&MarkSame != 0 {
			return k + 1
		}
		if m, ok := v.(*ssa.MakeClosure); ok && f.releasesIfCalled(o.Tracked, m) {
			return k + 1
		}
	}
	return 0
}

// releasesIfCalled reports whether a closure, or a method value, releases the origin.
func (f *Function) releasesIfCalled(d *Tracked, m *ssa.MakeClosure) bool {
	k := f.Callee(&ssa.CallCommon{Value: m})
	if k.Summary == nil {
		return false
	}
	for i, arg := range k.Args {
		if k.Summary.Param(i).Release.certain() && (d.Sure(arg)&MarkSame != 0 || i >= k.Captured && d.inCell(arg)) {
			return true
		}
	}
	return false
}

// withReleaser adds to the effects on d what is done with v, the function that releases the origin.
func (d *Tracked) withReleaser(v ssa.Value) *Aliases {
	rel := d.Func.derive(v, MarkSame, nil)
	for _, n := range rel.Nodes.List {
		if n.Mark&MarkSame == 0 {
			continue
		}
		for i := range ssautil.Uses[ssa.Instruction](n.Value) {
			d.releaserUse(i, n)
		}
		for s := range ssautil.StoresOf(n.Value) {
			if cell, ok := s.Addr.(*ssa.Alloc); ok {
				d.releaserCaptured(cell)
			} else {
				d.byReleaser(s, EffectHandOver)
			}
		}
	}
	return rel
}

// byReleaser adds an effect of an instruction on the releasing function.
func (d *Tracked) byReleaser(i ssa.Instruction, kind EffectKind) {
	d.Effects.add(i, Effect{Kind: kind, Sure: true, Value: d.Root, Mark: MarkSame, ByCall: true})
}

// releaserUse adds what an instruction does with the function itself: it calls it, or gives it away.
func (d *Tracked) releaserUse(i ssa.Instruction, n Node) {
	switch i := i.(type) {
	case *ssa.Return, *ssa.Send, *ssa.MapUpdate, *ssa.MakeInterface, *ssa.Go:
		d.byReleaser(i, EffectHandOver)
	case ssa.CallInstruction:
		surely, perhaps := EffectRelease, EffectMayRelease
		if _, later := i.(*ssa.Defer); later {
			surely, perhaps = EffectDefer, EffectMayDefer
		}
		switch {
		case i.Common().Value != n.Value:
			d.byReleaser(i, EffectHandOver)
		case n.Weak:
			d.byReleaser(i, perhaps)
		default:
			d.byReleaser(i, surely)
		}
	}
}

// releaserCaptured adds what closures do that have captured the variable that holds the function.
//
// The closure has to call the function in its first block, so on all paths, and the variable must
// never have held another. If that is not certain a deferred closure may call it, and any other has
// it handed over.
func (d *Tracked) releaserCaptured(cell *ssa.Alloc) {
	for m := range ssautil.Uses[*ssa.MakeClosure](cell) {
		fn, _ := m.Fn.(*ssa.Function)
		certain := fn != nil && storesTo(cell) == 1 && callsFirst(fn, m, cell)
		for i := range ssautil.Uses[ssa.Instruction](m) {
			c, ok := i.(ssa.CallInstruction)
			_, later := i.(*ssa.Defer)
			_, isGo := i.(*ssa.Go)
			switch {
			case !ok || isGo || c.Common().Value != ssa.Value(m) || !certain && !later:
				d.byReleaser(i, EffectHandOver)
			case certain && later:
				d.byReleaser(i, EffectDefer)
			case later:
				d.byReleaser(i, EffectMayDefer)
			default:
				d.byReleaser(i, EffectRelease)
			}
		}
	}
}

// storesTo returns how many stores a variable has.
func storesTo(cell *ssa.Alloc) (n int) {
	for range ssautil.StoresTo(cell) {
		n++
	}
	return n
}

// callsFirst reports whether a closure that has captured a variable with a function always calls it.
func callsFirst(fn *ssa.Function, m *ssa.MakeClosure, cell *ssa.Alloc) bool {
	for n, b := range m.Bindings {
		if b != ssa.Value(cell) || n >= len(fn.FreeVars) {
			continue
		}
		for load := range ssautil.Uses[*ssa.UnOp](fn.FreeVars[n]) {
			for c := range ssautil.Uses[*ssa.Call](load) {
				if c.Call.Value == ssa.Value(load) && c.Block() == fn.Blocks[0] {
					return true
				}
			}
		}
	}
	return false
}
