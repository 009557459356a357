package flow

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// A slice on the heap may have elements that are memory of an arena: nodes that were made there. The slice
// lives on when the arena is freed, what its elements lead to does not. That is proved of a local slice if
// the function stores nothing else in its elements, and no other function can.

// A localList is the slice of one variable: all values that it has while it grows.
type localList struct {
	f      *Function
	values []ssa.Value
	elems  []ssa.Value // what is stored in elements
	closed bool        // nothing else can store there
}

// listsIn returns a piece for each local list whose elements are memory of the arena that has the pieces.
func (f *Function) listsIn(pieces []piece) []piece {
	var all []piece
	seen := map[ssa.Value]bool{}
	for _, p := range pieces {
		if p.text {
			continue
		}
		for _, n := range p.Nodes.List {
			for _, list := range f.listsWith(n.Value) {
				if seen[list] {
					continue
				}
				w := f.listOf(list)
				for _, v := range w.values {
					seen[v] = true
				}
				if w.closed && w.inside(pieces) {
					all = append(all, w.piece(p.call))
				}
			}
		}
	}
	return all
}

// listsWith returns the lists that have v as an element when an instruction of f has stored it there.
func (f *Function) listsWith(v ssa.Value) []ssa.Value {
	var all []ssa.Value
	for s := range ssautil.StoresOf(v) {
		at, ok := s.Addr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		if hasElements(at.X) {
			all = append(all, at.X)
			continue
		}
		for args := range ssautil.Uses[*ssa.Slice](at.X) {
			for c := range ssautil.Uses[*ssa.Call](args) {
				if ssautil.IsAppend(c) && len(c.Call.Args) == 2 && c.Call.Args[1] == ssa.Value(args) && hasElements(c) {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// listOf collects the values of a list: what it was before something was appended or cut off, and what it is
// after that.
func (f *Function) listOf(list ssa.Value) *localList {
	w := &localList{f: f, closed: true}
	w.include(list)
	for i := 0; i < len(w.values) && w.closed; i++ {
		w.before(w.values[i])
		for r := range ssautil.Uses[ssa.Instruction](w.values[i]) {
			w.use(w.values[i], r)
		}
	}
	return w
}

func (w *localList) include(v ssa.Value) {
	if !IsNil(v) && !slices.Contains(w.values, v) {
		w.values = append(w.values, v)
	}
}

// before includes what v was made from.
func (w *localList) before(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.MakeSlice:
	case *ssa.Phi:
		for _, e := range v.Edges {
			w.include(e)
		}
	case *ssa.Slice:
		if array, ok := v.X.(*ssa.Alloc); ok {
			w.closed = w.closed && isEmptyArray(array)
			return
		}
		w.include(v.X)
	case *ssa.ChangeType:
		w.include(v.X)
	case *ssa.Call:
		if !ssautil.IsAppend(v) || len(v.Call.Args) != 2 {
			w.closed = false
			return
		}
		w.include(v.Call.Args[0])
		w.appended(v.Call.Args[1])
	default:
		w.closed = false
	}
}

// isEmptyArray reports whether nothing is done with a new array but slicing it: make with a constant size.
func isEmptyArray(array *ssa.Alloc) bool {
	for r := range ssautil.Uses[ssa.Instruction](array) {
		switch r.(type) {
		case *ssa.Slice, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// appended collects the elements that an append adds.
func (w *localList) appended(v ssa.Value) {
	list := elementStores{}
	if IsNil(v) || list.list(v) {
		w.elems = append(w.elems, list.values...)
		return
	}
	w.closed = false
}

// use looks at what is done with the list.
func (w *localList) use(v ssa.Value, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.Return:
	case *ssa.Phi, *ssa.Slice, *ssa.ChangeType:
		w.include(i.(ssa.Value))
	case *ssa.IndexAddr:
		for r := range ssautil.Uses[ssa.Instruction](i) {
			switch r := r.(type) {
			case *ssa.DebugRef, *ssa.UnOp:
			case *ssa.Store:
				if r.Addr != ssa.Value(i) {
					w.closed = false
				} else if !IsNil(r.Val) {
					w.elems = append(w.elems, r.Val)
				}
			default:
				w.closed = false
			}
		}
	case *ssa.Call:
		w.call(v, i)
	default:
		w.closed = false
	}
}

// call looks at a call that gets the list: other functions must only read it.
func (w *localList) call(v ssa.Value, c *ssa.Call) {
	args := c.Call.Args
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		switch {
		case b.Name() == "append" && args[0] == v && (len(args) < 2 || args[1] != v):
			w.include(c)
		case b.Name() != "len" && b.Name() != "cap":
			w.closed = false
		}
		return
	}
	k := w.f.Callee(&c.Call)
	for n, a := range k.Args {
		if a == v && (k.Source == nil || n >= len(k.Source.Params) || !readsElements(k.Source.Params[n], 3)) {
			w.closed = false
		}
	}
}

// inside reports whether all elements are memory of the arena.
func (w *localList) inside(pieces []piece) bool {
	for _, v := range w.elems {
		if !slices.ContainsFunc(pieces, func(p piece) bool { return !p.text && p.Sure(v)&(MarkSame|MarkAlias) != 0 }) {
			return false
		}
	}
	return len(w.elems) > 0
}

// piece follows the list, whose elements the call allocates, or others do.
func (w *localList) piece(c *ssa.Call) piece {
	t := &Tracked{Aliases: w.f.derive(w.values[0], MarkHold|MarkElements, nil)}
	for _, v := range w.values[1:] {
		t.include(v, MarkHold|MarkElements)
	}
	t.Effects = t.effects()
	return piece{Tracked: t, call: c, list: true}
}

// start returns where a piece begins to live: what elements of a list lead to, with the arena.
func (p *piece) start(arena *Origin) ssa.Instruction {
	if p.list {
		return arena.States.Start
	}
	i, _ := p.Root.(ssa.Instruction)
	return i
}
