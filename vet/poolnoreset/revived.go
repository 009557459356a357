package poolnoreset

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/pooluse"
	"lessgc/vet/internal/rule"
	"lessgc/vet/internal/ssautil"
)

// A field that is a list of structs may be cut to nothing for the next user, and then made longer in its own
// memory: its elements come back as they were left. If a use appends to a list in an element, and nothing ever
// empties that, the next user appends to the data of the last one.

// A revival is a list in pooled structs whose elements come back.
type revival struct {
	list  *types.Var
	part  *types.Var // of the elements, that is appended to
	back  *ssa.Store // makes the list longer
	added *ssa.Store // appends
}

// revived returns the lists in values of a pool whose elements come back.
func (l *looker) revived(uses *pooluse.Uses) (all []*revival) {
	n, ok := types.Unalias(l.view.Elem).(*types.Named)
	if !ok || n.Obj().Pkg() != l.pass.Pkg || n.TypeParams().Len() > 0 || !ssautil.IsPointer(l.view.Item) {
		return nil
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		elements, ok := f.Type().Underlying().(*types.Slice)
		if !ok || f.Exported() && n.Obj().Exported() {
			continue
		}
		e, ok := types.Unalias(elements.Elem()).(*types.Named)
		if !ok || e.Obj().Pkg() != l.pass.Pkg || e.TypeParams().Len() > 0 {
			continue
		}
		if r := (&elementSearch{uses: uses, list: f, elem: e}).find(); r != nil {
			all = append(all, r)
		}
	}
	return all
}

// An elementSearch looks for all that is done with one list, and with structs of the type of its elements.
type elementSearch struct {
	uses *pooluse.Uses
	list *types.Var
	elem *types.Named

	cut      bool                      // the list is cut to nothing
	back     *ssa.Store                // it is made longer in its memory
	replaced bool                      // elements may be replaced or emptied
	added    map[*types.Var]*ssa.Store // by field of the elements: an append to it
	set      map[*types.Var]bool       // by field: anything else is assigned
}

// find looks at all functions of the package.
func (e *elementSearch) find() *revival {
	parts, ok := e.elem.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	e.added, e.set = map[*types.Var]*ssa.Store{}, map[*types.Var]bool{}
	for _, fn := range e.uses.Funcs {
		for i := range ssautil.Instructions(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				e.store(i)
			case ssa.CallInstruction:
				e.call(i)
			}
		}
	}
	if !e.cut || e.back == nil || e.replaced {
		return nil
	}
	for p := range parts.Fields() {
		if e.added[p] != nil && !e.set[p] && !(p.Exported() && e.elem.Obj().Exported()) {
			return &revival{e.list, p, e.back, e.added[p]}
		}
	}
	return nil
}

// store looks at an assignment to the list, to an element, or to a field of one.
func (e *elementSearch) store(s *ssa.Store) {
	if types.Identical(s.Val.Type(), e.elem) {
		switch at := s.Addr.(type) {
		case *ssa.Alloc:
			return
		case *ssa.IndexAddr: // an argument of append is no element yet
			if _, array := at.X.(*ssa.Alloc); array {
				return
			}
			e.replaced = e.replaced || ssautil.LoadedField(at.X) == nil || ssautil.LoadedField(at.X) == e.list
			return
		}
		e.replaced = true
		return
	}
	fa, ok := s.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	f := ssautil.Field(fa)
	switch {
	case f == e.list:
		e.assigned(s)
	case types.Identical(ssautil.Deref(fa.X.Type()), e.elem):
		if call, ok := s.Val.(*ssa.Call); ok && ssautil.IsAppend(call) && ssautil.LoadedField(call.Call.Args[0]) == f {
			e.added[f] = s
		} else if _, literal := fa.X.(*ssa.Alloc); !literal {
			e.set[f] = true
		}
	}
}

// assigned looks at an assignment to the list.
func (e *elementSearch) assigned(s *ssa.Store) {
	part, ok := s.Val.(*ssa.Slice)
	if !ok {
		return
	}
	from := part.X
	if grown, ok := from.(*ssa.Call); ok && ssautil.CalleeName(&grown.Call) == "Grow" && len(grown.Call.Args) == 2 {
		from = grown.Call.Args[0]
	}
	switch high := part.High.(type) {
	case *ssa.Const:
		e.cut = e.cut || ssautil.LoadedField(from) == e.list && high.Int64() == 0
	case *ssa.BinOp:
		if high.Op == token.ADD && (e.isLength(high.X) || e.isLength(high.Y)) && ssautil.LoadedField(from) == e.list {
			e.back = s
		}
	}
}

// isLength reports whether v is the length of the list.
func (e *elementSearch) isLength(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && ssautil.IsBuiltin(call, "len") && ssautil.LoadedField(call.Call.Args[0]) == e.list
}

// call looks at a call that may replace or empty elements: one that gets the list, or an element there.
func (e *elementSearch) call(c ssa.CallInstruction) {
	common := c.Common()
	for _, a := range common.Args {
		at, element := a.(*ssa.IndexAddr)
		switch {
		case element && ssautil.LoadedField(at.X) == e.list:
			e.replaced = true
		case ssautil.LoadedField(a) == e.list || isPartOf(a, e.list):
			e.replaced = e.replaced || !slices.Contains([]string{"len", "cap", "append", "Grow"}, ssautil.CalleeName(common))
		}
	}
}

// isPartOf reports whether v is a part of a list.
func isPartOf(v ssa.Value, list *types.Var) bool {
	part, ok := v.(*ssa.Slice)
	return ok && ssautil.LoadedField(part.X) == list
}

// reportRevived reports a Get of values with lists whose elements come back.
func (l *looker) reportRevived(uses *pooluse.Uses, op *pooluse.Op, all []*revival) {
	var lists []string
	pos, end := uses.Range(op.Call)
	f := rule.Finding{Pos: pos, End: end, Category: rule.Leak}
	for _, r := range all {
		lists = append(lists, r.list.Name())
		f.Related = append(f.Related, rule.Related(r.back.Pos(), "the list gets its old elements back here"), rule.Related(r.added.Pos(), "what they have is appended to here"))
	}
	for _, put := range l.pool.Ops {
		if put.Verb == pooluse.Put && put.Via == nil {
			f.Related = append(f.Related, rule.Related(put.Pos(), "it is put back here"))
		}
	}
	f.Message = strings.Join(lists, ", ") + " of the " + types.TypeString(l.view.Item, types.RelativeTo(l.pass.Pkg)) + " of " + op.Pool.String() + ": the " + all[0].part.Name() + " of its elements are never emptied, and come back with them when the list is made longer: its next user finds stale data"
	l.pass.Report(f)
}
