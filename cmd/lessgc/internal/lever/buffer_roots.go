package lever

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/cmd/lessgc/internal/prof"
	"lessgc/cmd/lessgc/internal/site"
)

// A bufferGrowth holds what a profile shows of builders and buffers, by the value that makes each: in all, and in each benchmark.
type bufferGrowth struct {
	of  []*site.Site // the profile
	all []map[ssa.Value]*growthSteps
}

// growthOf returns the growth of the buffer that a value makes, on all lines of the profile, and then that in each benchmark; none if there is
// none.
func (p *Line) growthOf(root ssa.Value) (all []*growthSteps) {
	among := p.allSites()
	if p.buffers == nil || !slices.Equal(p.buffers.of, among) {
		p.buffers = &bufferGrowth{of: among}
		for _, sites := range p.profiles() {
			byRoot := map[ssa.Value]*growthSteps{}
			for _, s := range sites {
				if line := p.lineOf(s); line != nil {
					line.addGrowth(byRoot)
				}
			}
			p.buffers.all = append(p.buffers.all, byRoot)
		}
	}
	if p.buffers.all[0][root] == nil {
		return nil
	}
	for _, byRoot := range p.buffers.all {
		if g := byRoot[root]; g != nil {
			all = append(all, g)
		}
	}
	return all
}

// addGrowth adds what buffers grow by on the line.
func (p *Line) addGrowth(to map[ssa.Value]*growthSteps) {
	calls := p.callsOnLine()
	for _, l := range p.site.Leaves {
		root := p.grownBelow(l, calls)
		if root == nil {
			continue
		}
		g := to[root]
		if g == nil {
			g = &growthSteps{}
			to[root] = g
		}
		g.add(p.site, l)
	}
}

// grownBelow is the value that makes the builder or buffer which a leaf of the line makes grow, by one of the line's calls; nil if that is
// not known.
func (p *Line) grownBelow(l site.Leaf, calls []*ssa.Call) (root ssa.Value) {
	if !grows(l) {
		return nil
	}
	for _, c := range calls {
		if !calledBy(c, l) {
			continue
		}
		for _, v := range mayWriteTo(c) {
			r := p.madeBy(v, l.Callers, 0)
			if r == nil {
				continue
			}
			if root != nil && root != r {
				return nil
			}
			root = r
		}
	}
	return root
}

// calledBy reports whether the first frame below the line is of a call.
func calledBy(c *ssa.Call, l site.Leaf) bool {
	if len(l.Path) == 0 {
		return false
	}
	if c.Call.IsInvoke() {
		return strings.HasSuffix(l.Path[0].Func, "."+c.Call.Method.Name())
	}
	callee := c.Call.StaticCallee()
	if callee == nil {
		return false
	}
	object, ok := callee.Object().(*types.Func)
	return ok && profiled(object) == l.Path[0].Func
}

// mayWriteTo are the builders, buffers and interfaces that a call gets.
func mayWriteTo(c *ssa.Call) (all []ssa.Value) {
	if c.Call.IsInvoke() {
		all = append(all, c.Call.Value)
	}
	for _, v := range c.Call.Args {
		if bufferKind(v.Type()) != "" || types.IsInterface(v.Type()) {
			all = append(all, v)
		}
	}
	return all
}

// bufferKind is the type that a value points to, if it is a builder or buffer of the standard library; "" if not.
func bufferKind(t types.Type) string {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return ""
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	switch kind := named.Obj().Pkg().Path() + "." + named.Obj().Name(); kind {
	case "strings.Builder", "bytes.Buffer":
		return kind
	}
	return ""
}

// deepestRoot bounds the steps by which a buffer is followed to where it is made.
const deepestRoot = 50

// madeBy is the value that makes a builder or buffer without memory, to which another leads: in the functions that called one
// another as the profile shows. It is nil if that is not known, or if there are several.
func (p *Line) madeBy(v ssa.Value, callers []prof.Frame, depth int) ssa.Value {
	if depth > deepestRoot {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		if bufferKind(v.Type()) != "" {
			return v
		}
	case *ssa.Call:
		if isEmptyBuffer(v) {
			return v
		}
	case *ssa.MakeInterface:
		return p.madeBy(v.X, callers, depth+1)
	case *ssa.ChangeInterface:
		return p.madeBy(v.X, callers, depth+1)
	case *ssa.TypeAssert:
		return p.madeBy(v.X, callers, depth+1)
	case *ssa.Extract:
		if assert, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return p.madeBy(assert.X, callers, depth+1)
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return p.heldIn(v.X, callers, depth+1)
		}
	case *ssa.FreeVar:
		if bound, rest := p.boundTo(v, callers); bound != nil {
			return p.madeBy(bound, rest, depth+1)
		}
	case *ssa.Parameter:
		return p.givenBy(v, callers, depth+1)
	}
	return nil
}

// isEmptyBuffer reports whether a call makes a buffer without memory.
func isEmptyBuffer(c *ssa.Call) bool {
	callee := c.Call.StaticCallee()
	return callee != nil && fullName(callee) == "bytes.NewBuffer" && isNilConst(c.Call.Args[0])
}

// heldIn is the value that makes what a variable has, if it is set once.
func (p *Line) heldIn(cell ssa.Value, callers []prof.Frame, depth int) ssa.Value {
	if free, ok := cell.(*ssa.FreeVar); ok {
		if cell, callers = p.boundTo(free, callers); cell == nil {
			return nil
		}
	}
	var all []ssa.Value // addresses of what may hold it
	switch cell := cell.(type) {
	case *ssa.Alloc:
		all = append(all, cell)
	case *ssa.FieldAddr: // set by a function that need not be among the callers
		for _, address := range p.addressesOf(fieldOf(cell)) {
			all = append(all, address)
		}
		callers = nil
	}
	var held ssa.Value
	for _, address := range all {
		for _, in := range *address.Referrers() {
			s, ok := in.(*ssa.Store)
			if !ok || s.Addr != address || isNilConst(s.Val) {
				continue
			}
			if held != nil {
				return nil
			}
			held = s.Val
		}
	}
	if held == nil {
		return nil
	}
	return p.madeBy(held, callers, depth)
}

// boundTo is what a function literal captures as a variable, with the frames that called the function around it.
func (p *Line) boundTo(v *ssa.FreeVar, callers []prof.Frame) (bound ssa.Value, rest []prof.Frame) {
	fn := v.Parent()
	if fn.Referrers() == nil || fn.Parent() == nil {
		return nil, nil
	}
	i := slices.Index(fn.FreeVars, v)
	for _, in := range *fn.Referrers() {
		made, ok := in.(*ssa.MakeClosure)
		if !ok || bound != nil {
			return nil, nil
		}
		bound = made.Bindings[i]
	}
	for j, f := range callers {
		if at := p.function(f); at != nil && p.fns[at.node] == fn.Parent() {
			return bound, callers[j+1:]
		}
	}
	return bound, nil
}

// givenBy is the value that makes what a parameter is given by the frame that called its function; or by its only call, if no
// frames are known.
func (p *Line) givenBy(v *ssa.Parameter, callers []prof.Frame, depth int) ssa.Value {
	if len(callers) == 0 {
		calls := slices.DeleteFunc(slices.Clone(p.callsOf(v.Parent())), func(c ssa.CallInstruction) bool { return p.inTest(c.Pos()) })
		if len(calls) != 1 {
			return nil
		}
		return p.madeBy(calls[0].Common().Args[slices.Index(v.Parent().Params, v)], nil, depth)
	}
	for j, f := range callers {
		if f.File == "<autogenerated>" {
			continue
		}
		at := p.function(f)
		if at == nil || p.fns[at.node] == nil {
			return nil
		}
		call, arg := p.callOf(p.fns[at.node], f.Line, v.Parent(), v)
		if call == nil {
			return nil
		}
		return p.madeBy(arg, callers[j+1:], depth)
	}
	return nil
}

// grownMost is the value that makes the builder or buffer of which the line makes the largest share of its bytes that holds accepts;
// nil if there is none.
func (p *Line) grownMost(holds func(ssa.Value) bool) (root ssa.Value, share float64) {
	sums := map[ssa.Value]int64{}
	var all []ssa.Value
	calls := p.callsOnLine()
	for _, l := range p.site.Leaves {
		if r := p.grownBelow(l, calls); r != nil {
			if sums[r] == 0 {
				all = append(all, r)
			}
			sums[r] += l.Bytes
		}
	}
	slices.SortStableFunc(all, func(a, b ssa.Value) int { return int(sums[b] - sums[a]) })
	if i := slices.IndexFunc(all, holds); i >= 0 {
		return all[i], float64(sums[all[i]]) / float64(max(p.site.Bytes, 1))
	}
	return nil, 0
}
