package flow

import (
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"lessgc/vet/internal/catalog"
	"lessgc/vet/internal/ssautil"
)

// A constructor makes a struct with an arena in one field, and memory of that arena in others: a header, a
// table. Callers see the fields only. What they load from those ends with the arena in the first one.
//
// An example:
//
//	func newTable() *table {
//		a := tables.Get()
//		return &table{mem: a, rows: arena.MakeSlice[int](a, 8, 8)} // Within: rows, of the arena in mem
//	}
//
//	t := newTable()
//	t.mem.Free()
//	return t.rows[0] // freed with t.mem
//
//	return t.name // no memory of the arena
//
// A field that gets its value from two stores, or memory that some paths only put there, is left
// out: silence.

// A Within is what a struct has of the arena in one of its fields: the kind of the arena, and the other
// fields, which hold memory of it.
type Within struct {
	Kind   catalog.Kind
	Fields []string
}

// storesIn returns an iterator over the stores of what surely is the origin, or its memory, in fields of
// structs that f makes.
func (d *Tracked) storesIn(yield func(fa *ssa.FieldAddr, made *ssa.Alloc) bool) {
	for _, n := range d.Nodes.List {
		if n.Mark&(MarkSame|MarkAlias) == 0 || n.Weak {
			continue
		}
		for s := range ssautil.StoresOf(n.Value) {
			fa, ok := s.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			if made, ok := fa.X.(*ssa.Alloc); ok && len(fieldStores(made, fa.Field, 0)) == 1 && !yield(fa, made) {
				return
			}
		}
	}
}

// builtAround adds to s which result is a struct that f makes with an arena that it acquires in one field,
// and memory of that arena in others.
func (f *Function) builtAround(s *Summary, o *Origin) {
	if !o.Kind.Arena() || o.Tracked.Has(EffectRelease, EffectDefer, EffectReset) {
		return
	}
	for fa, made := range o.Tracked.storesIn {
		w := Within{Kind: o.Kind}
		for _, p := range f.memoryOf(o.Tracked) {
			if p.text {
				continue
			}
			for in, other := range p.storesIn {
				if other == made && in.Field != fa.Field && !slices.Contains(w.Fields, FieldName(in)) {
					w.Fields = append(w.Fields, FieldName(in))
				}
			}
		}
		if len(w.Fields) == 0 {
			continue
		}
		slices.Sort(w.Fields)
		for r := range f.Signature.Results().Len() {
			if !f.returnsOnly(r, made) {
				continue
			}
			x := s.growResult(r)
			if x.Within == nil {
				x.Within = map[string]Within{}
			}
			x.Within[FieldName(fa)] = w
		}
	}
}

// returnsOnly reports whether result r is always a struct that f has made, or a pointer to it. That others
// are nil, as with an error, makes no difference: nobody looks into those.
func (f *Function) returnsOnly(r int, made *ssa.Alloc) bool {
	some := false
	for _, ret := range f.Returns() {
		v := f.Resolve(ret.Results[r])
		if load, ok := v.(*ssa.UnOp); ok && load.X == ssa.Value(made) {
			v = made
		}
		if v != ssa.Value(made) && !IsNil(v) {
			return false
		}
		some = some || v == ssa.Value(made)
	}
	return some
}

// within returns what the struct base has of the arena in a field, and the call that has made it; none if
// it came from elsewhere.
func (f *Function) within(base ssa.Value, field string) (w Within, c *ssa.Call) {
	result := 0
	switch v := base.(type) {
	case *ssa.Call:
		c = v
	case *ssa.Extract:
		c, _ = v.Tuple.(*ssa.Call)
		result = v.Index
	}
	if c == nil {
		return w, nil
	}
	if s := f.Callee(&c.Call).Summary; s != nil && result < len(s.Acquires) {
		w = s.Acquires[result].Within[field]
	}
	return w, c
}

// addBuilt adds to an arena that is a part of base what other fields of base hold of its memory.
func (f *Function) addBuilt(d *Tracked, base ssa.Value, field string) {
	w, c := f.within(base, field)
	for _, name := range w.Fields {
		if m := f.partOf(base, name, partFirst); m != nil {
			d.pieces = append(d.pieces, piece{Tracked: m, call: c, name: f.baseName(base) + "." + name})
		}
	}
}

// visitBuilt visits the arenas in structs that constructors return, if f releases them by themselves.
func (f *Function) visitBuilt(seen map[ssa.Value][]string, visit func(*Origin)) {
	for c, k := range f.summarized() {
		for r, acq := range k.Summary.Acquires {
			base := firstResult(c, 1<<r)
			if base == nil {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(acq.Within)) {
				if !slices.Contains(seen[base], name) {
					f.visitPart(base, name, base.(ssa.Instruction), visit)
				}
			}
		}
	}
}
