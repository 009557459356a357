package poolunbounded

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/ssautil"
)

// A site is a put without a guard, and what makes the value grow.
type site struct {
	op    *pooluse.Op
	grows ssa.Instruction
}

// sites returns the puts without a guard: all of a pool that has none, whose values grow at first. If a
// function has one, others may rely on it, and only those count where a value is taken, grows and is put
// without one. Functions that put for their callers are left alone then, and so are these: any of them may
// have the guard.
func (l *looker) sites(first ssa.Instruction) []site {
	var all []site
	for _, op := range l.pool.Ops {
		if op.Via != nil || op.Verb != pooluse.Put && op.Verb != pooluse.With {
			continue
		}
		grows := first
		if len(l.guards) > 0 {
			grows = l.alone(op)
		}
		if grows != nil {
			all = append(all, site{op, grows})
		}
	}
	return all
}

// alone returns what makes a value grow that op puts, which the same function has got, if no function
// that it calls has a guard. Nil means that there is none, or that other functions may have one for it.
func (l *looker) alone(op *pooluse.Op) ssa.Instruction {
	if op.Verb != pooluse.Put || op.Item == nil {
		return nil
	}
	get := l.uses.Origin(op.Item)
	if get == nil || get.Fn != op.Fn && get.Fn != op.Fn.Parent() {
		return nil
	}
	for fn := range l.view.Around(get.Fn) {
		if l.guards[fn] {
			return nil
		}
	}
	_, deferred := op.Call.(*ssa.Defer)
	deferred = deferred || op.Fn != get.Fn
	for i := range ssautil.Instructions(get.Fn) {
		if !deferred && !ssautil.Follows(i, op.Call) || !l.of(i, get) {
			continue
		}
		if grows := l.grownBy(i); grows != nil {
			return grows
		}
	}
	return nil
}

// grownBy returns what makes a value grow in i, or in a function that i calls with one; or nil.
func (l *looker) grownBy(i ssa.Instruction) ssa.Instruction {
	own := newLooker(l.uses, l.view, l.pool)
	own.look(i.Parent(), i)
	call, ok := i.(ssa.CallInstruction)
	if !ok || len(own.grows) > 0 {
		return own.kept()
	}
	callee, args := l.uses.Callee(call.Common())
	if callee == nil || callee.Pkg != l.uses.SSA.Pkg {
		return nil
	}
	if !slices.ContainsFunc(args, func(a ssa.Value) bool { return l.view.Is(a.Type()) }) {
		return nil
	}
	handling := l.view.Handling(callee)
	for _, fn := range l.uses.Funcs {
		if !handling[fn] {
			continue
		}
		for i := range ssautil.Instructions(fn) {
			own.look(fn, i)
		}
	}
	return own.kept()
}

// of reports whether i works on the value that get gave, or a part of it.
func (l *looker) of(i ssa.Instruction, get *pooluse.Op) bool {
	for _, v := range i.Operands(nil) {
		if *v != nil && l.partOf(*v, get) {
			return true
		}
	}
	return false
}

// partOf reports whether v is the value that get gave, a part of it, or its address.
func (l *looker) partOf(v ssa.Value, get *pooluse.Op) bool {
	for range maxParts {
		v = l.uses.Root(v)
		if l.uses.Origin(v) == get {
			return true
		}
		if _, copied := v.(*ssa.Field); copied {
			return false
		}
		if v = pooluse.Outer(v); v == nil {
			return false
		}
	}
	return false
}

// maxParts limits how deep in a value a part is looked for.
const maxParts = 50
