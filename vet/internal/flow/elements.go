package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A slice that a function makes in an arena may have elements that lead to memory of the same arena: lines
// that were copied there, nodes. What its caller takes out of the slice ends with the arena too. That is
// proved of a result if all that the function stores in elements is memory of the arena, and the caller
// stores nothing in them.
//
// An example:
//
//	list := makeLines(a, n)   // memory of the arena a
//	list[0] = clone(a, line)  // memory of it too: elements lead inside
//	list[1] = line            // with this one they do not, and nothing is said of any
//
// A caller that stores something else in an element, or passes the list to a function that may,
// ends it. Elements are not told apart, so one bad store makes all of them unknown, which is
// silence.

// elementsInside reports whether all elements of m, one of the pieces of an arena, that f stores are memory
// of the arena, and f stores some.
//
// An element that is a string's memory is no proof, as strings may be left to the collector.
func (f *Function) elementsInside(m piece, pieces []piece) bool {
	if !hasElements(m.Root) {
		return false
	}
	w := elementStores{tracked: m.Tracked, most: 3}
	if !w.collect() || len(w.values) == 0 {
		return false
	}
	for _, v := range w.values {
		inside := false
		for _, p := range pieces {
			inside = inside || !p.text && p.Sure(v)&(MarkSame|MarkAlias) != 0
		}
		if !inside {
			return false
		}
	}
	return true
}

// hasElements reports whether v is a slice of slices or pointers.
func hasElements(v ssa.Value) bool {
	e := ssautil.Elem(v.Type())
	return ssautil.IsSlice(v.Type()) && (ssautil.IsSlice(e) || ssautil.IsPointer(e))
}

// holdElements marks a piece whose elements lead to memory of the arena, unless f may store others in them.
func (f *Function) holdElements(p piece) piece {
	if !hasElements(p.Root) {
		return p
	}
	w := elementStores{tracked: p.Tracked, most: 3}
	if !w.collect() || len(w.values) > 0 {
		return p
	}
	p.Tracked = f.track(p.Root, MarkSame|MarkAlias|MarkElements)
	return p
}

// An elementStores collects what is stored in the elements of a slice.
type elementStores struct {
	tracked *Tracked
	values  []ssa.Value
	most    int // functions deep
}

// collect looks at all uses of the slice. It reports false if one may store what is not seen.
//
// Stores through all aliases of the slice count, also those that append makes, and through
// addresses of elements.
func (w *elementStores) collect() bool {
	for _, n := range w.tracked.Nodes.List {
		if n.Mark&(MarkSame|MarkAlias) == 0 || !hasElements(n.Value) && !isElement(n.Value) {
			continue
		}
		for i := range ssautil.Uses[ssa.Instruction](n.Value) {
			if !w.use(n.Value, i) {
				return false
			}
		}
	}
	return true
}

// isElement reports whether v is the address of an element of a slice of slices or pointers.
func isElement(v ssa.Value) bool {
	i, ok := v.(*ssa.IndexAddr)
	return ok && hasElements(i.X)
}

func (w *elementStores) use(v ssa.Value, i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.IndexAddr, *ssa.Phi, *ssa.Return, *ssa.Slice, *ssa.ChangeType, *ssa.BinOp:
		return true
	case *ssa.UnOp:
		// A load takes an element out. What is done with it stores nothing in the slice.
		return i.Op == token.MUL
	case *ssa.Store:
		if i.Addr == v && !IsNil(i.Val) {
			w.values = append(w.values, i.Val)
		}
		return i.Addr == v
	case *ssa.Call:
		return w.call(v, i)
	}
	return false
}

// call looks at a call that gets the slice: append of a library or the builtin stores the elements that it
// gets; other functions must only read.
func (w *elementStores) call(v ssa.Value, c *ssa.Call) bool {
	args := c.Call.Args
	switch name := ssautil.CalleeName(&c.Call); {
	case name == "len" || name == "cap":
		return true
	case ssautil.IsAppend(c) && len(args) == 2 && args[0] == v:
		return w.list(args[1])
	case (name == "Append" || name == "SliceAppend") && len(args) == 3 && args[1] == v:
		p := w.tracked.Func.Callee(&c.Call).Summary
		return p != nil && p.Param(1).Alias != 0 && w.list(args[2])
	}
	k := w.tracked.Func.Callee(&c.Call)
	for n, a := range k.Args {
		if a == v && (k.Source == nil || n >= len(k.Source.Params) || !readsElements(k.Source.Params[n], w.most)) {
			return false
		}
	}
	return true
}

// list collects the elements of the variadic arguments of a call.
func (w *elementStores) list(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	array, ok := s.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for at := range ssautil.Uses[*ssa.IndexAddr](array) {
		for st := range ssautil.StoresTo(at) {
			w.values = append(w.values, st.Val)
		}
	}
	return true
}

// readsElements reports whether a function only reads the elements of a parameter.
//
// It ends because each value is looked at once. A call of any other function than len and cap
// counts as one that may store.
func readsElements(p *ssa.Parameter, depth int) bool {
	seen := map[ssa.Value]bool{p: true}
	work := []ssa.Value{p}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range ssautil.Uses[ssa.Instruction](v) {
			var next ssa.Value
			switch i := i.(type) {
			case *ssa.DebugRef, *ssa.UnOp, *ssa.BinOp, *ssa.Return:
				continue
			case *ssa.IndexAddr, *ssa.Slice, *ssa.Phi, *ssa.ChangeType:
				next = i.(ssa.Value)
			case *ssa.Call:
				if name := ssautil.CalleeName(&i.Call); name == "len" || name == "cap" {
					continue
				}
				return false
			default:
				return false
			}
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return true
}
