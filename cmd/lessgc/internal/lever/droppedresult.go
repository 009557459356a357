package lever

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
)

var droppedResult = &Lever{
	Name:  "dropped-result",
	Title: "do not make a result that the callers drop",
	Looks: "an object that a line makes for nothing but a result of its function (an interface, a string, a pointer), when most of the bytes are made for calls that assign this result to _, or only assert its type at once.",
	Wrong: "when what makes the result also checks something that the callers rely on: keep the check. When the other callers are the common ones in production.",
	Before: `func resolve(s string) (tag string, value any) {
	// ...
	return "!!str", s // allocates the interface
}

tag, _ := resolve(s)`,
	After: `func resolveTag(s string) string {
	// ...
	return "!!str"
}

tag := resolveTag(s)`,
	Model: "The object goes for the callers that drop it, with the work of making it. Those that assert its type get the value itself.",
	Risk:  NoRisk,
	Asks:  "Can these callers have a function of their own, which does without the result or gives it with its own type?",
	Saves: Saves{Alloc: Range{0.5, 1}, Collect: Range{0.5, 1}},
	find:  findDroppedResult,
}

func findDroppedResult(p *Line) (f Finding) {
	fn := p.body()
	i, ok := p.onlyResult()
	if !ok || isError(fn.Signature.Results().At(i).Type()) {
		return f
	}
	drops, asserts := p.callersThat(fn, func(c *ssa.Call) bool { return !p.inTest(c.Pos()) && dropped(c, i) }), p.callersThat(fn, func(c *ssa.Call) bool { return !p.inTest(c.Pos()) && assertedOne(c, i) })
	share := drops.share + asserts.share
	if share < 0.5 {
		return f
	}
	made := fmt.Sprintf("the line allocates nothing but result %d of %s%s", i+1, nameOf(fn), p.inEach())
	f = Finding{Share: share * p.direct(), Evidence: []Evidence{p.at(fn.Pos(), made)}}
	if drops.share > 0 {
		f.Evidence = append(f.Evidence, p.at(drops.call.Pos(), fmt.Sprintf("callers that drop it have %.0f %% of the bytes", 100*drops.share)))
	}
	if asserts.share > 0 {
		f.Evidence = append(f.Evidence, p.at(asserts.call.Pos(), fmt.Sprintf("callers that only assert its type have %.0f %% of the bytes", 100*asserts.share)))
	}
	return f
}

// onlyResult is the number of the one result that the line allocates for; ok is false if it allocates for anything else.
func (p *Line) onlyResult() (index int, ok bool) {
	for n, in := range p.allocators() {
		v, isValue := in.(ssa.Value)
		if !isValue {
			return 0, false
		}
		i, found := resultOf(v, 0)
		if !found || n > 0 && i != index {
			return 0, false
		}
		index, ok = i, true
	}
	return index, ok
}

// resultOf is the number of the result that a value becomes, if nothing else is done with it.
func resultOf(v ssa.Value, depth int) (index int, ok bool) {
	if v.Referrers() == nil || depth > 5 {
		return 0, false
	}
	index = -1
	for _, in := range *v.Referrers() {
		i := -1
		switch in := in.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Return:
			i = slices.Index(in.Results, v)
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi:
			if j, ok := resultOf(in.(ssa.Value), depth+1); ok {
				i = j
			}
		case *ssa.Store:
			i = resultVariable(in)
		}
		if i < 0 || index >= 0 && i != index {
			return 0, false
		}
		index = i
	}
	return index, index >= 0
}

// resultVariable is the number of the result that a value is assigned to; -1 if there is none of a name.
func resultVariable(in *ssa.Store) int {
	cell, ok := in.Addr.(*ssa.Alloc)
	if !ok {
		return -1
	}
	results := in.Parent().Signature.Results()
	for i := range results.Len() {
		if results.At(i).Pos() == cell.Pos() && cell.Pos().IsValid() {
			return i
		}
	}
	return -1
}

// A callsPart is the share of a line's bytes that is made for some calls of its function, and one of these.
type callsPart struct {
	share float64
	call  *ssa.Call
}

// callersThat returns the share of the bytes made for those calls of a function for which holds is true.
func (p *Line) callersThat(fn *ssa.Function, holds func(*ssa.Call) bool) (part callsPart) {
	most := int64(0)
	for _, l := range p.site.Leaves {
		c := p.callAbove(fn, l.Caller())
		if c == nil || !holds(c) {
			continue
		}
		part.share += float64(l.Bytes) / float64(max(p.site.Bytes, 1))
		if l.Bytes > most {
			most, part.call = l.Bytes, c
		}
	}
	return part
}

// callAbove is the call of a function at a line: of it, of its method by an interface, or of a function value of its
// type. It is nil if there is none, or more than one.
func (p *Line) callAbove(fn *ssa.Function, caller prof.Frame) *ssa.Call {
	if all := p.callsAbove(fn, caller); len(all) == 1 {
		return all[0]
	}
	return nil
}

// callsAbove are the calls of a function at a line.
func (p *Line) callsAbove(fn *ssa.Function, caller prof.Frame) (all []*ssa.Call) {
	at := p.function(caller)
	if at == nil || fn == nil || p.fns[at.node] == nil {
		return nil
	}
	for _, b := range p.fns[at.node].Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok && c.Pos().IsValid() && p.line(c.Pos()) == caller.Line && mayCall(c, fn) {
				all = append(all, c)
			}
		}
	}
	return all
}

// mayCall reports whether a call may be one of a function, by its name or its type.
func mayCall(c *ssa.Call, fn *ssa.Function) bool {
	if c.Call.IsInvoke() {
		return fn.Signature.Recv() != nil && c.Call.Method.Name() == fn.Name()
	}
	if _, builtin := c.Call.Value.(*ssa.Builtin); builtin {
		return false
	}
	if callee := c.Call.StaticCallee(); callee != nil {
		return callee == fn || callee.Origin() != nil && callee.Origin() == fn || callee.Pos() == fn.Pos()
	}
	return sameSignature(c.Call.Signature(), fn.Signature)
}

// dropped reports whether nothing is done with a result of a call.
func dropped(c *ssa.Call, result int) bool {
	for i, part := range parts(c) {
		if i == result && len(*part.Referrers()) > 0 {
			return false
		}
	}
	return true
}

// assertedOne reports whether the only thing that is done with a result of a call is to assert one type that is no
// interface.
func assertedOne(c *ssa.Call, result int) bool {
	for i, part := range parts(c) {
		if i != result {
			continue
		}
		refs := *part.Referrers()
		if len(refs) != 1 {
			return false
		}
		assert, ok := refs[0].(*ssa.TypeAssert)
		return ok && !types.IsInterface(assert.AssertedType)
	}
	return false
}
