package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/ssautil"
)

// What comes out of memory that the origin owns, and what goes into local memory, which holds the
// origin from then on?
//
//	out := w.buf[:n]      // of an origin w: a slice from its field
//	r := record{raw: out} // r holds it
//	x := r.raw            // derives: what was stored there comes out again
//	y := r.name           // does not: another field of r
//
// Fields of local structs are told apart, and elements of arrays at constant indices. What a callee has stored in a
// field of something local is not seen by a load of that field: it does not derive, which is
// silence. A load that may see other values as well is weak.

// load derives through a load from address v.
func (d *Aliases) load(i *ssa.UnOp, v ssa.Value, m Mark) {
	t := i.Type()
	if _, element := v.(*ssa.IndexAddr); element && m&MarkElements != 0 && (ssautil.IsSlice(t) || isPointer(t)) {
		d.add(i, MarkAlias, v)
		return
	}
	if m&MarkHold != 0 {
		if fa, ok := v.(*ssa.FieldAddr); ok {
			d.loadField(i, fa)
			return
		}
		if ia, ok := v.(*ssa.IndexAddr); ok {
			d.loadElement(i, ia)
			return
		}
		if a, ok := v.(*ssa.Alloc); ok && pointers(t) {
			if d.HeldAt(a, i) {
				d.add(i, m&(MarkHold|MarkDeep), v)
			}
			return
		}
	}
	switch {
	case m&MarkDeep != 0 && ssautil.IsString(t):
		// The first two are parts of messages, whose strings and bytes may be left to the
		// collector.
		if d.texts {
			d.add(i, MarkText, v)
		}
	case m&MarkDeep != 0 && pointers(t):
		if d.texts || !collected(t) {
			d.add(i, MarkAlias|MarkDeep, v)
		}
	case m&MarkSame != 0 && (ssautil.IsSlice(t) || isMap(t)): // *[]byte: the memory is what is pooled
		if !d.detached["*"] {
			d.add(i, MarkAlias, v)
		}
	case m&MarkAlias != 0 && ssautil.IsSlice(t):
		// A slice in a field ends with the struct, unless the field gets other memory (detached),
		// only grows, so that the old bytes stay (appendonly.go), or holds slices of others
		// (replaced.go).
		if fa, ok := v.(*ssa.FieldAddr); ok && d.Mark(fa.X)&(MarkSame|MarkAlias) != 0 && !d.detached[FieldName(fa)] && !d.detached["*"] && !d.Func.Package.onlyGrows(ssautil.Field(fa)) && !d.Func.Package.onlyReplaced(ssautil.Field(fa)) {
			d.add(i, MarkContent, v)
		}
	case m&MarkAlias != 0 && isBufferPointer(t):
		// A pointer may lead to what others own. Buffers that go with their struct are in owned.go.
		if fa, ok := v.(*ssa.FieldAddr); ok && d.Mark(fa.X)&MarkSame != 0 && !d.detached[FieldName(fa)] && !d.detached["*"] && d.Func.Package.isOwned(fa) {
			d.add(i, MarkContent, v)
		}
	case m&MarkAlias != 0 && ssautil.IsString(t) && d.texts:
		d.add(i, MarkText, v)
	}
}

// loadField derives a load from a field of something local by what was stored there.
func (d *Aliases) loadField(load *ssa.UnOp, fa *ssa.FieldAddr) {
	d.merge(load, fieldStores(fa.X, fa.Field, 0))
}

// fieldStores returns the values stored to a field of what base points to, by itself or with
// all of the struct.
//
// The order of stores and loads does not count: all are taken, and a load is weak unless all values
// derive. A struct that is copied as a whole has the field's values of the one that it is copied
// from. Depth bounds chains of such copies, which can be circular:
//
//	*a = *b
//	*b = *a
func fieldStores(base ssa.Value, field, depth int) []ssa.Value {
	if depth > 3 {
		return nil
	}
	var stores []ssa.Value
	for r := range ssautil.Uses[ssa.Instruction](base) {
		switch r := r.(type) {
		case *ssa.FieldAddr:
			if r.Field != field {
				continue
			}
			for s := range ssautil.StoresTo(r) {
				stores = append(stores, s.Val)
			}
		case *ssa.Store:
			if whole, ok := r.Val.(*ssa.UnOp); ok && r.Addr == base {
				stores = append(stores, fieldStores(whole.X, field, depth+1)...)
			}
		}
	}
	return stores
}

// loadElement does so for an element of an array or a list.
//
// A store at another constant index is into another element. The load is weak if it may yield the
// values of two stores, or if it is not known that it is of the element that is stored.
func (d *Aliases) loadElement(load *ssa.UnOp, ia *ssa.IndexAddr) {
	var stores []ssa.Value
	sure := true
	for other := range ssautil.Uses[*ssa.IndexAddr](ia.X) {
		may, surely := d.Func.meet(ia.Index, other.Index)
		if !may {
			continue
		}
		for s := range ssautil.StoresTo(other) {
			stores = append(stores, s.Val)
			sure = sure && surely
		}
	}
	d.merge(load, stores)
	if !sure || len(stores) > 1 {
		if n := d.Nodes.Find(load); n != nil {
			n.Weak = true
		}
	}
}

// meet reports whether two indices may be of one element, and whether they surely are at some time.
//
// A loop that counts comes to all elements, so one of its iterations meets the other index. It is
// not known to do so if both count in one loop:
//
//	for i := 1; i < len(parts); i++ {
//		parts[i] = b.Bytes()
//		w.Write(parts[i-1]) // of the iteration before
//	}
func (f *Function) meet(a, b ssa.Value) (may, surely bool) {
	if f.sameIndex(a, b) {
		return true, true
	}
	if isConst(a) && isConst(b) {
		return false, false
	}
	return true, counter(a) != counter(b)
}

// counter returns the variable that counts in a loop by which an index is computed, or nil.
func counter(index ssa.Value) *ssa.Phi {
	for {
		switch x := index.(type) {
		case *ssa.BinOp:
			index = x.X
		case *ssa.Convert:
			index = x.X
		case *ssa.Phi:
			if ssautil.Reaches(x.Block(), x.Block()) {
				return x
			}
			return nil
		default:
			return nil
		}
	}
}

// merge derives v from what of vs derives.
//
// Values that do not derive are operands as well, so that one of them makes v weak.
func (d *Aliases) merge(v ssa.Value, vs []ssa.Value) {
	for _, s := range vs {
		if m := d.Mark(s); m != 0 {
			d.add(v, m, s)
			d.needs(v, vs)
		}
	}
}

// store derives through a store of v: into a local variable to its loads, into part of
// something local to the whole.
func (d *Aliases) store(s *ssa.Store, v ssa.Value, m Mark) {
	switch addr := s.Addr.(type) {
	case *ssa.Alloc:
		// A variable in memory. Reaching definitions tell which loads see the store, and what else
		// they can see.
		for _, load := range d.Func.definitions().loads(s) {
			if d.renewed(addr, s, load.value.(*ssa.UnOp)) {
				continue
			}
			d.add(load.value, m, v)
			d.needs(load.value, load.sources)
			if vs := d.overwritten(addr, load.value); vs != nil {
				d.needs(load.value, append(vs, v))
			}
		}
		for _, c := range d.Func.definitions().variable(addr).closures {
			d.add(c, MarkHold, v)
		}
		d.reinterpret(addr, v, m)
		if _, whole := v.Type().Underlying().(*types.Struct); whole && m&MarkHold != 0 {
			d.fill(addr, m&MarkDeep, v, s)
		}
		return
	case *ssa.FreeVar:
		// A variable of the enclosing function: an effect says that it keeps the value.
		return
	}
	base := ssautil.Root(s.Addr)
	if d.Inside(base) {
		return // into itself
	}
	if isLocal(base) && m&(MarkSame|MarkAlias|MarkContent|MarkHold|MarkText) != 0 {
		d.fill(base, m&MarkDeep, v, s)
		if vs := besides(s); vs != nil {
			d.needs(base, append(vs, v))
		}
	}
}

// overwritten returns the values that fields of a struct in a variable get, if all of it is
// loaded.
//
// Without them a copy in one field would not be seen:
//
//	func (q *queue) keepCopy(s segment) {
//		s.data = append([]byte(nil), s.data...)
//		q.list = append(q.list, s) // s holds the copy, no longer the argument's memory
//	}
func (d *Aliases) overwritten(cell *ssa.Alloc, load ssa.Value) []ssa.Value {
	if _, ok := load.Type().Underlying().(*types.Struct); !ok {
		return nil
	}
	var all []ssa.Value
	for fa := range ssautil.Uses[*ssa.FieldAddr](cell) {
		for s := range ssautil.StoresTo(fa) {
			if pointers(s.Val.Type()) {
				all = append(all, s.Val)
			}
		}
	}
	return all
}

// besides returns what else is stored in the place of a store: into the same field, later, or
// into elements in another branch.
//
// The struct holds the origin surely only if those derive too. An example for each:
//
//	s.data = b[:n]
//	s.data = bytes.Clone(s.data) // later, into the same field: s holds a copy
//
//	if small {
//		y[i] = &copied[i] // in another branch: y may hold nothing of x
//	} else {
//		y[i] = &x[i]
//	}
//
// A store that dominates the other, or is dominated by it, adds an element to those of the list, so
// both are there. That is not known of branches.
func besides(s *ssa.Store) []ssa.Value {
	var all []ssa.Value
	switch addr := s.Addr.(type) {
	case *ssa.FieldAddr:
		for fa := range ssautil.FieldAddrs(addr.X, addr.Field) {
			for t := range ssautil.StoresTo(fa) {
				if t != s && ssautil.Follows(s, t) {
					all = append(all, t.Val)
				}
			}
		}
	case *ssa.IndexAddr:
		for ia := range ssautil.Uses[*ssa.IndexAddr](addr.X) {
			for t := range ssautil.StoresTo(ia) {
				if t != s && !ssautil.Before(t, s) && !ssautil.Before(s, t) {
					all = append(all, t.Val)
				}
			}
		}
	}
	return all
}

// reinterpret derives what is loaded from a variable by a pointer of another type, as
// *(*string)(unsafe.Pointer(&b)) does.
func (d *Aliases) reinterpret(cell *ssa.Alloc, v ssa.Value, m Mark) {
	if aliasOf(m) == 0 || d.Func.definitions().variable(cell).stores != 1 {
		return
	}
	for unsafePointer := range ssautil.Uses[*ssa.Convert](cell) {
		for pointer := range ssautil.Uses[*ssa.Convert](unsafePointer) {
			for load := range ssautil.Uses[*ssa.UnOp](pointer) {
				if ssautil.IsString(load.Type()) || ssautil.IsSlice(load.Type()) {
					d.add(load, MarkAlias|textIf(load.Type(), m), v)
				}
			}
		}
	}
}
