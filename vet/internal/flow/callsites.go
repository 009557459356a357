package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// Which calls can run a function? Of one that the package alone can call, all are in sight, unless it is
// used as a value, or an interface has a method of its name:
//
//	func (w *worker) run(b *buf) { ... } // a go statement and a call: both are its sites
//	go w.run(b)
//	w.run(b)
//	time.AfterFunc(d, w.stop) // stop is a value: no site of it counts
//
// What the initialization of the package's variables does counts as a value, too.

// A callSite is a call, and the function that it is in.
type callSite struct {
	in   *Function
	call ssa.CallInstruction
}

// functionUses says how the package uses one of its functions.
type functionUses struct {
	sites []callSite
	value bool // it is used in other ways than by its name in a call
}

// callSites returns the calls of f, deferred ones and go statements included, if it is called in no other
// way; none if others may call it.
func (f *Function) callSites() []callSite {
	a := f.Package
	if a.functionUses == nil {
		a.findFunctionUses()
	}
	u := a.functionUses[f.Function]
	if obj, ok := f.Object().(*types.Func); u == nil || u.value || ok && obj.Exported() || a.invokedNames[f.Name()] {
		return nil
	}
	return u.sites
}

// findFunctionUses finds out how the functions of the package are used.
func (a *Package) findFunctionUses() {
	a.functionUses, a.invokedNames = map[*ssa.Function]*functionUses{}, map[string]bool{}
	for _, f := range a.Order {
		for i := range ssautil.Instructions(f.Function) {
			a.noteUses(f, i)
		}
	}
	if init := a.ssaPkg.Func("init"); init != nil {
		for i := range ssautil.Instructions(init) {
			a.noteUses(nil, i)
		}
	}
}

// noteUses notes the functions that are operands of i. A literal is used where its closure is.
func (a *Package) noteUses(f *Function, i ssa.Instruction) {
	c, called := i.(ssa.CallInstruction)
	if called && c.Common().IsInvoke() {
		a.invokedNames[c.Common().Method.Name()] = true
	}
	if _, debug := i.(*ssa.DebugRef); debug {
		return
	}
	var operands [8]*ssa.Value
	for _, o := range i.Operands(operands[:0]) {
		v := *o
		m, closure := v.(*ssa.MakeClosure)
		if closure {
			v = m.Fn
		}
		fn, ok := v.(*ssa.Function)
		if _, made := i.(*ssa.MakeClosure); !ok || made && a.Source(fn).Parent() != nil {
			continue // its uses follow
		}
		fn = a.Source(fn)
		if a.functionUses[fn] == nil {
			a.functionUses[fn] = new(functionUses)
		}
		u := a.functionUses[fn]
		if f != nil && called && o == &c.Common().Value {
			u.sites = append(u.sites, callSite{f, c})
		} else {
			u.value = true
		}
	}
}
