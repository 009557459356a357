package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Which results of a call derive from its arguments?
//
//	p := b.Bytes()          // alias: by the summary
//	e := wrap(b)            // holds it
//	e.set(b)                // e holds it from here on, if e is local
//	n := parse(b)           // not, if the summary says nothing of results
//
// It takes the summary of the callee, if there is one. A result of a callee without a summary does
// not derive, but for getters of messages. Errors never do, as they are made to be kept. All that
// errs towards silence.

// call derives the results of a call. Those of a function without a summary do not derive, but for
// getters of a message: they are too many to be in a catalog, and all alike.
func (d *Aliases) call(c *ssa.Call, v ssa.Value, m Mark) {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		d.builtin(c, b, v, m)
		return
	}
	k := d.Func.Callee(&c.Call)
	if k.Summary == nil {
		if m&MarkDeep != 0 && len(k.Args) > 0 && k.Args[0] == v && c.Call.Signature().Results().Len() == 1 && IsGetter(c) {
			d.result(c, 0, MarkAlias|MarkDeep, v)
		}
		return
	}
	if k.Func != nil && catalog.Is(k.Func, "slices.Clone") && m&MarkDeep != 0 && d.Shares(elem(v.Type())) {
		d.add(c, MarkAlias|MarkDeep, v)
	}
	for i, arg := range k.Args {
		if arg != v {
			continue
		}
		p := k.Summary.Param(i)
		for r := range c.Call.Signature().Results().Len() {
			out := d.resultMark(p, r, v, m)
			if m&MarkDeep != 0 && out == 0 && i == 0 && IsGetter(c) {
				out = MarkAlias | MarkDeep
			}
			// bytes.Split(b, sep): the list is new, its elements are pieces.
			if out&(MarkAlias|MarkContent) != 0 && isListOf(c.Call.Signature().Results().At(r).Type(), v.Type()) {
				out = MarkHold | MarkElements // pieces of it, in a list of their own
			}
			d.result(c, r, out, v)
		}
		// Stored into another argument: that holds it now, if it is local.
		for j, other := range k.Args {
			if p.KeptIn&(1<<j) != 0 && j != i && isLocal(ssautil.Root(other)) && d.Mark(other)&(MarkSame|MarkAlias) == 0 {
				d.fillIfTold(ssautil.Root(other), v, c, p)
			}
		}
	}
}

// builtin derives the results of a call of a builtin, and what copy writes to.
func (d *Aliases) builtin(c *ssa.Call, b *ssa.Builtin, v ssa.Value, m Mark) {
	switch b.Name() {
	case "append":
		// The first argument is reused if it has room; that it has not is outgrown.go. Of others
		// the elements are copied, and share only what they lead to.
		if c.Call.Args[0] == v {
			d.add(c, partMark(m), v)
		} else if m&MarkDeep != 0 && d.Shares(elem(v.Type())) {
			d.add(c, MarkAlias|MarkDeep, v) // the elements lead there
		} else if m&MarkHold != 0 || pointers(elem(c.Type())) && m&(MarkAlias|MarkSame) != 0 && isVarargs(v) {
			d.add(c, MarkHold, v)
		}
	case "copy":
		if to := ssautil.Root(c.Call.Args[0]); c.Call.Args[1] == v && m&MarkDeep != 0 && isLocal(to) && d.Shares(elem(v.Type())) {
			d.fill(to, MarkDeep, v, c)
		}
	case "Slice", "SliceData": // of unsafe: pools keep the first element of a slice in its place
		d.add(c, m|textIf(c.Type(), m), v)
	case "String", "StringData":
		d.add(c, partMark(m)|textIf(c.Type(), m), v)
	}
}

// resultMark returns the mark of result r of a callee that does p with its parameter v.
func (d *Aliases) resultMark(p *Param, r int, v ssa.Value, m Mark) Mark {
	bit := uint64(1) << r
	var out Mark
	if p.Same&bit != 0 {
		out |= m
	}
	if p.Alias&bit != 0 && !(m&MarkSame != 0 && d.detached["*"] && isBuffer(v.Type())) {
		out |= m&^MarkSame | aliasOf(m&(MarkSame|MarkAlias)) // of its contents it is a part of those
	}
	if p.Content&bit != 0 && m&(MarkSame|MarkAlias|MarkDeep) != 0 && !d.detachedAny(p.From) {
		out |= MarkContent | m&MarkDeep
	}
	if p.Hold&bit != 0 && !d.detachedAll(p.HeldFrom) {
		out |= MarkHold
	}
	return out
}

// isListOf reports whether t is a slice of values of the type of a slice.
func isListOf(t, slice types.Type) bool {
	return ssautil.IsSlice(t) && ssautil.IsSlice(slice) && types.Identical(elem(t), slice)
}

// result marks result r of a call.
func (d *Aliases) result(c *ssa.Call, r int, m Mark, v ssa.Value) {
	if m == 0 {
		return
	}
	if c.Call.Signature().Results().Len() == 1 {
		d.typed(c, m, v)
		return
	}
	for e := range ssautil.Uses[*ssa.Extract](c) {
		if e.Index == r {
			d.typed(e, m, v)
		}
	}
}

// typed marks a result as far as its type can share memory.
func (d *Aliases) typed(c ssa.Value, m Mark, v ssa.Value) {
	switch t := c.Type(); {
	case types.Identical(t, ErrorType): // errors are made to be kept
	case ssautil.IsString(t):
		// A string shares memory only if it was made of it without a copy, or is a part of a
		// message whose strings are recycled.
		if m&MarkDeep != 0 && d.texts || m&MarkText != 0 || m&(MarkAlias|MarkContent) != 0 && m&MarkDeep == 0 {
			d.add(c, MarkText, v)
		}
	case m&MarkDeep != 0 && !d.texts && collected(t):
	case pointers(t):
		d.add(c, m, v)
	}
}

// Shares reports whether copies of values of type t lead to the same memory.
func (d *Aliases) Shares(t types.Type) bool {
	if ssautil.IsString(t) {
		return d.texts
	}
	return pointers(t) && (d.texts || !collected(t))
}

// collected reports whether a part of a message is left to the collector if strings are: bytes
// are like strings, and maps are never in an arena.
func collected(t types.Type) bool {
	return isMap(t) || Bytes(t.Underlying())
}

// IsGetter reports whether a call is one of a method that only reads its receiver, as generated
// ones do.
func IsGetter(c *ssa.Call) bool {
	f := c.Call.StaticCallee()
	name := ""
	switch {
	case c.Call.IsInvoke():
		name = c.Call.Method.Name()
	case f != nil && f.Signature.Recv() != nil:
		name = f.Name()
	}
	return len(name) > 3 && name[:3] == "Get"
}
