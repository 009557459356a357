package poolmismatch

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// Two names are easily confused where a function gives a value of the pool what its caller passes:
//
//	if d, ok := readers.Get().(*reader); ok {
//		if err := d.gz.Reset(r); err != nil {
//			readers.Put(r) // not d
//			return nil, err
//		}
//		return d, nil
//	}

// given reports a Put of a parameter that has just been passed to the value from Get, which is lost there. The parameter
// is an interface: of what type its value is, is not known, but what works on it has another one.
func (c *checker) given(op *pooluse.Op) {
	p, ok := c.uses.Source(op.Item).(*ssa.Parameter)
	if !ok || op.Via != nil || p.Parent() != op.Fn {
		return
	}
	i, ok := p.Type().Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return
	}
	for _, get := range c.uses.Ops {
		if get.Verb != pooluse.Get || get.Fn != op.Fn || get.Item == nil || !same(get.Pool, op.Pool) {
			continue
		}
		t := c.work(get, op, p)
		if t == nil || c.neededAfter(get, op) {
			continue
		}
		f := c.at(op, rule.Corruption, rule.Related(get.Pos(), "the value from Get is lost"))
		f.Message = p.Name() + ", which is no value of " + op.Pool.String() + ", is put into it instead of the " + c.name(t) + " that works on it: a later Get hands it out"
		c.report(f)
		return
	}
}

// work returns the type of the value from Get if it, or something in it, surely gets p before op.
func (c *checker) work(get, op *pooluse.Op, p *ssa.Parameter) types.Type {
	for call := range ssautil.InstructionsOf[*ssa.Call](op.Fn) {
		args := ssautil.Arguments(&call.Call)
		if !ssautil.Before(call, op.Call) || len(args) < 2 || !slices.ContainsFunc(args[1:], func(a ssa.Value) bool { return c.plain(a) == ssa.Value(p) }) {
			continue
		}
		if item := c.partOf(args[0], get); item != nil {
			return item.Type()
		}
	}
	return nil
}

// plain returns what v was before it became another interface.
func (c *checker) plain(v ssa.Value) ssa.Value {
	v = c.uses.Source(v)
	if x, ok := v.(*ssa.ChangeInterface); ok {
		return c.uses.Source(x.X)
	}
	return v
}

// partOf returns the value from Get, as it was asserted, if v is it or is loaded from one of its fields.
func (c *checker) partOf(v ssa.Value, get *pooluse.Op) ssa.Value {
	for range 8 {
		v = c.uses.Source(v)
		if !types.IsInterface(v.Type()) && c.uses.Origin(v) == get {
			return v
		}
		switch x := v.(type) {
		case *ssa.UnOp:
			v = x.X
		case *ssa.FieldAddr:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}

// neededAfter reports whether the value from Get is used where op has been executed, or is put anywhere in its function.
func (c *checker) neededAfter(get, op *pooluse.Op) bool {
	for i := range ssautil.Instructions(op.Fn) {
		if _, debug := i.(*ssa.DebugRef); debug {
			continue
		}
		_, deferred := i.(*ssa.Defer)
		_, closure := i.(*ssa.MakeClosure)
		after := ssautil.Follows(op.Call, i)
		for _, v := range i.Operands(nil) {
			if *v != nil && (after || deferred || closure) && c.uses.Origin(*v) == get {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.uses.Ops, func(o *pooluse.Op) bool {
		return o.Verb == pooluse.Put && o.Fn == op.Fn && c.uses.Origin(o.Item) == get
	})
}
