package flow

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// Is a result a pooled value on some paths, and on others one that must not be put back?
//
//	func getCell(s string) cell {
//		if s != "" {
//			return newText(s) // pooled
//		}
//		return noCell // shared by all: mixed
//	}
//
//	func getAny(s string) *text {
//		if s == "new" {
//			return &text{} // new: may be put, so this is not mixed
//		}
//		return newText(s)
//	}
//
// It takes all that the result can be, in functions of the package four calls deep. What is deeper
// counts as pooled. A value of which nothing is known makes it mixed, so that callers who do not
// put it back are left alone: silence.

// isMixed reports whether result i of f is o on some paths, and on others a value that neither came from
// a pool nor is new: one that all share, or that has another owner. Who gets the result does not have to
// put that back, and may not.
func (f *Function) isMixed(o *Origin, i int) bool {
	m := mixture{Function: f, origin: o.Tracked.Aliases, seen: map[ssa.Value]bool{}}
	for _, ret := range f.Returns() {
		if !m.pooled(ret.Results[i]) {
			return true
		}
	}
	return false
}

// isMadeFor reports whether v, which is not o, is made in its place by a function: of the package, of
// a field or a variable, or one whose name says so.
func (f *Function) isMadeFor(o *Origin, v ssa.Value) bool {
	from := v
	if e, ok := v.(*ssa.Extract); ok {
		from = e.Tuple
	}
	_, call := from.(*ssa.Call)
	m := mixture{Function: f, origin: o.Tracked.Aliases, seen: map[ssa.Value]bool{}}
	return call && o.Tracked.Mark(v) == 0 && m.pooled(v)
}

// isOtherItem reports whether v, at a return, is another value that f has acquired, and that lives there: which
// of several pools it came from does not matter to callers, who have to put it back in any case.
//
//	func (c class) get() *[]byte {
//		if c == small {
//			return smallBlocks.Get().(*[]byte)
//		}
//		return largeBlocks.Get().(*[]byte)
//	}
func (f *Function) isOtherItem(o *Origin, v ssa.Value, ret *ssa.Return) bool {
	return slices.ContainsFunc(f.acquiredOrigins, func(other *Origin) bool {
		return other != o && other.Kind == o.Kind && !other.Shared && other.Tracked.Sure(v)&MarkSame != 0 && other.States.Exits[ret] == At(PhaseLive, PendingNone)
	})
}

// poolOf returns the name of the pool that result i comes from; empty if o is not the first, and the others are
// from elsewhere.
func (s *Summary) poolOf(i int, o *Origin) string {
	if acq := s.growResult(i); acq.Kind != catalog.None && acq.Pool != o.Pool {
		return ""
	}
	return o.Pool
}

// A mixture asks of what a result can be whether all of it is for a pool.
type mixture struct {
	*Function
	origin *Aliases // nil if there is none
	depth  int      // of calls
	seen   map[ssa.Value]bool
}

// deepestCall bounds how far a mixture looks into what calls return.
const deepestCall = 4

// pooled reports whether all that v can be comes from a pool, is new, or is nothing.
//
// It ends because each value is looked at once. A value that is asked for again counts as a yes,
// which is right for a phi of a loop: its other edges decide.
func (m mixture) pooled(v ssa.Value) bool {
	v = m.Resolve(v)
	if m.seen[v] {
		return true
	}
	m.seen[v] = true
	switch x := v.(type) {
	case *ssa.Phi:
		for _, e := range x.Edges {
			if !m.pooled(e) {
				return false
			}
		}
		return true
	case *ssa.MakeInterface:
		return m.pooled(x.X)
	case *ssa.TypeAssert:
		return m.pooled(x.X)
	case *ssa.ChangeInterface:
		return m.pooled(x.X)
	case *ssa.ChangeType:
		return m.pooled(x.X)
	}
	if m.origin != nil && m.origin.Mark(v) != 0 {
		return true
	}
	switch x := v.(type) {
	case *ssa.Extract:
		switch from := x.Tuple.(type) {
		case *ssa.Call:
			return m.fromCall(from, x.Index)
		case *ssa.TypeAssert: // v, ok
			return x.Index == 0 && m.pooled(from.X)
		}
	case *ssa.Call:
		return m.fromCall(x, 0)
	case *ssa.UnOp:
		if cell, ok := x.X.(*ssa.Alloc); ok && x.Op == token.MUL {
			return m.fromVariable(cell)
		}
	}
	return isNew(v)
}

// fromVariable reports whether all that is stored in a variable is for a pool.
func (m mixture) fromVariable(cell *ssa.Alloc) bool {
	for s := range ssautil.StoresTo(cell) {
		if !m.pooled(s.Val) {
			return false
		}
	}
	return true
}

// fromCall reports whether a result of a call is for a pool: by its summary, by what its callee returns, or,
// if that is not known, by its name.
func (m mixture) fromCall(c *ssa.Call, result int) bool {
	k := m.Callee(&c.Call)
	if k.Summary != nil && result < len(k.Summary.Acquires) && k.Summary.Acquires[result].Kind != catalog.None {
		return !k.Summary.Acquires[result].Mixed
	}
	callee := m.Package.Funcs[k.Source]
	if callee == nil {
		_, variable := c.Call.Value.(*ssa.UnOp)
		return isNew(c) || variable && k.Func == nil || isMaker(k)
	}
	if m.depth >= deepestCall {
		return true
	}
	inner := mixture{Function: callee, depth: m.depth + 1, seen: m.seen}
	for _, ret := range callee.Returns() {
		if !inner.pooled(ret.Results[result]) {
			return false
		}
	}
	return true
}

// isMaker reports whether a method or function of others has a name that says that it makes something.
func isMaker(k Callee) bool {
	if k.Func == nil {
		return false
	}
	word := strings.ToLower(k.Func.Name())
	for _, prefix := range []string{"new", "make", "create", "alloc"} {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}
