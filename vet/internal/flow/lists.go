package flow

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// The elements of a list in a field are a part of the struct, too, which has the name of the field and
// elementsOf behind it. A loop over the list that releases each element releases that part, at once where
// the loop begins.
//
//	func (t *tray) drop() {
//		for _, it := range t.items {
//			pool.Put(it) // each: releases the part items[]
//		}
//	}
//
//	t.drop()
//	t.drop() // each of t.items is put back twice
//
//	for _, it := range t.items {
//		if len(it.data) > 64 {
//			pool.Put(it) // some: no release of the part
//		}
//	}
//
// Elements are not told apart: a store to one of them, a call that gets the list, or a slice of it
// count as stores to the part, after which it is another. That errs towards silence.

// elementsOf ends the name of a part that is the elements of a field.
const elementsOf = "[]"

// fieldOf returns the name of the field that a part is, or is the elements of.
func fieldOf(part string) string { return strings.TrimSuffix(part, elementsOf) }

// A listRelease is a loop that releases each element of a list.
type listRelease struct {
	begin  ssa.Instruction // the jump to the loop
	call   *ssa.Call       // releases an element
	header *ssa.BasicBlock
}

// releasesElements returns the loop over the list at fa that releases all elements; nil if there is none.
func (f *Function) releasesElements(fa *ssa.FieldAddr) *listRelease {
	if !ssautil.IsSlice(ssautil.Deref(fa.Type())) {
		return nil
	}
	for list := range ssautil.Uses[*ssa.UnOp](fa) {
		for element := range ssautil.Uses[*ssa.IndexAddr](list) {
			if r := f.releasesElement(list, element); r != nil {
				return r
			}
		}
	}
	return nil
}

// releasesElement returns the loop over list that releases all elements, as element is; nil if it is none.
func (f *Function) releasesElement(list *ssa.UnOp, element *ssa.IndexAddr) *listRelease {
	for v := range ssautil.Uses[*ssa.UnOp](element) {
		c := f.releaseOf(v)
		if c == nil {
			continue
		}
		if r := overAll(list, element, c); r != nil {
			return r
		}
	}
	return nil
}

// Empties returns where a loop begins that releases all elements of the list in the field at fa; nil if
// there is none.
func (f *Function) Empties(fa *ssa.FieldAddr) ssa.Instruction {
	if r := f.releasesElements(fa); r != nil {
		return r.begin
	}
	return nil
}

// releaseOf returns a call that surely releases v, perhaps as an interface value; nil if there is none.
func (f *Function) releaseOf(v ssa.Value) *ssa.Call {
	for c := range ssautil.Uses[*ssa.Call](v) {
		for p := range f.passed(c, v) {
			if p.Release.certain() {
				return c
			}
		}
	}
	for i := range ssautil.Uses[*ssa.MakeInterface](v) {
		if c := f.releaseOf(i); c != nil {
			return c
		}
	}
	return nil
}

// overAll returns the loop over all of a list that executes c for each element; nil if it may leave some
// out.
//
// What makes it all of the list: the loop is that of a range over the list, whose index the header
// counts up to its length. The call dominates each block that jumps back, so no iteration leaves it
// out. Control leaves the body by the header only, with no return, break or goto, so no element is
// left. There is one way in, where the release counts.
func overAll(list ssa.Value, element *ssa.IndexAddr, c *ssa.Call) *listRelease {
	next, ok := element.Index.(*ssa.BinOp)
	if !ok || element.X != list {
		return nil
	}
	header := next.Block()
	branch, ok := header.Instrs[len(header.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.Op != token.LSS || cond.X != ssa.Value(next) || !isLenOf(cond.Y, list) {
		return nil
	}
	body := header.Succs[0]
	var begin ssa.Instruction
	for _, p := range header.Preds {
		switch {
		case body.Dominates(p):
			if !c.Block().Dominates(p) {
				return nil
			}
		case begin != nil:
			return nil
		default:
			begin = p.Instrs[len(p.Instrs)-1]
		}
	}
	for _, b := range header.Parent().Blocks {
		if !body.Dominates(b) {
			continue
		}
		if _, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return); returns {
			return nil
		}
		for _, s := range b.Succs {
			if s != header && !body.Dominates(s) {
				return nil // it ends early
			}
		}
	}
	if _, jump := begin.(*ssa.Jump); !jump {
		return nil
	}
	return &listRelease{begin, c, header}
}

// isLenOf reports whether v is the length of a list.
func isLenOf(v, list ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && ssautil.IsBuiltin(c, "len") && c.Call.Args[0] == list
}

// addElements adds what is done with the list at fa, whose elements are the part. It reports false if the
// list may be changed elsewhere.
func (u *partUses) addElements(fa *ssa.FieldAddr) (ok bool) {
	release := u.d.Func.releasesElements(fa)
	if release != nil {
		u.lists = append(u.lists, release)
	}
	for use := range ssautil.Uses[ssa.Instruction](fa) {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if use.Val == ssa.Value(fa) {
				return false
			}
			u.stores = append(u.stores, use)
		case *ssa.UnOp:
			u.addList(use, release)
		default:
			return false
		}
	}
	return true
}

// addList adds what is done with a list: its elements are used, or may become others.
func (u *partUses) addList(list *ssa.UnOp, release *listRelease) {
	for use := range ssautil.Uses[ssa.Instruction](list) {
		switch use := use.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.IndexAddr:
			for s := range ssautil.StoresTo(use) {
				u.stores = append(u.stores, s)
			}
			// Within the loop an element is used before its own release; the loop as a whole is
			// behind its beginning.
			if release == nil || !release.header.Dominates(use.Block()) || !ssautil.Reaches(use.Block(), release.header) {
				u.reads = append(u.reads, derefs(use)...)
			}
		case *ssa.Call:
			if !IsMeasure(use) {
				u.stores = append(u.stores, use)
			}
		default:
			u.stores = append(u.stores, use)
		}
	}
}

// derefs returns the instructions that look into what an element points to.
func derefs(element *ssa.IndexAddr) (all []ssa.Instruction) {
	for v := range ssautil.Uses[*ssa.UnOp](element) {
		for fa := range ssautil.Uses[*ssa.FieldAddr](v) {
			for load := range ssautil.Uses[*ssa.UnOp](fa) {
				all = append(all, load)
			}
		}
	}
	return all
}

// addListEffects adds what the loops and reads of the list do.
func (u *partUses) addListEffects(all Effects) {
	for _, r := range u.lists {
		all.add(r.begin, Effect{Kind: EffectRelease, Sure: true, Value: u.base, Mark: MarkSame, Pos: r.call.Pos()})
	}
	for _, i := range u.reads {
		all.add(i, Effect{Kind: EffectUse, Sure: true, Value: u.base, Mark: MarkSame})
	}
}

// sees returns the instructions at which the elements have to be those that the list had at first.
func (u *partUses) sees() (all []ssa.Instruction) {
	for _, r := range u.lists {
		all = append(all, r.begin)
	}
	return append(all, u.reads...)
}

// appendedTo returns where v is appended to a list in a field, as x.f = append(x.f, v) does.
func appendedTo(v ssa.Value) (*ssa.Store, *ssa.FieldAddr) {
	for s := range ssautil.StoresOf(v) {
		element, ok := s.Addr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for list := range ssautil.Uses[*ssa.Slice](element.X) {
			if to, fa := appendsTo(list); to != nil {
				return to, fa
			}
		}
	}
	return nil, nil
}

// appendsTo returns where the elements of the variadic argument list are appended to a list in a field.
func appendsTo(list *ssa.Slice) (*ssa.Store, *ssa.FieldAddr) {
	for c := range ssautil.Uses[*ssa.Call](list) {
		if !ssautil.IsAppend(c) || c.Call.Args[1] != ssa.Value(list) {
			continue
		}
		from := ssautil.LoadedFrom(c.Call.Args[0])
		for to := range ssautil.StoresOf(c) {
			if fa, ok := to.Addr.(*ssa.FieldAddr); ok && from != nil && from.X == fa.X && from.Field == fa.Field {
				return to, fa
			}
		}
	}
	return nil, nil
}

// isLone reports whether v is loaded from a field of a parameter that is used for nothing else: the struct
// that v points to can be changed only through v.
//
// The pointer is the only way to the struct that this function has, so no other value can change
// its fields.
func isLone(v *ssa.UnOp) bool {
	fa, ok := v.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	p, ok := fa.X.(*ssa.Parameter)
	if !ok {
		return false
	}
	for range ssautil.Uses[ssa.CallInstruction](p) {
		return false
	}
	for other := range ssautil.FieldAddrs(p, fa.Field) {
		for load := range ssautil.Uses[*ssa.UnOp](other) {
			if load != v {
				return false
			}
		}
	}
	return true
}
