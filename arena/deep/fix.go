package deep

import (
	"reflect"
	"slices"

	"lessgc/internal/untyped"
)

// moved returns where the n values of plan p at from are now.
func (w *walker) moved(from pointer, p *plan, n int) pointer {
	if from == nil {
		return nil
	}
	if (n == 0 || p.size == 0) && p.key == nil {
		if p.size != 0 && w.holds(from) { // a *runtime.Func has no size, but a place
			return pointerTo(&zeroSized)
		}
		return from
	}
	if !w.all && len(p.ops) == 0 && p.key == nil && !w.holds(from) {
		return from
	}
	i := w.at.find(uintptr(from))
	for ; i != 0; i = w.ranges.at(int(i - 1)).next {
		if r := w.ranges.at(int(i - 1)); r.plan == p && r.to != nil {
			return r.to
		}
	}
	return from
}

// fixRanges changes the pointers in all copies, and in everything that stays
// where it is.
func (w *walker) fixRanges() {
	for i := range w.ranges.len {
		r := w.ranges.at(i)
		if r.plan.key != nil || len(r.plan.ops) == 0 {
			continue
		}
		at := r.from
		if r.to != nil {
			at = r.to
		}
		for j := range r.n {
			w.fix(plus(at, uintptr(j)*r.plan.size), r.plan, r.to != nil)
		}
	}
}

// fix changes what the value of plan p at slot points to. It reports whether
// there was something to change. The slot is in a copy if copied.
func (w *walker) fix(slot pointer, p *plan, copied bool) bool {
	changed := false
	for i := range p.ops {
		op := &p.ops[i]
		at := plus(slot, op.off)
		switch op.kind {
		case opPointer, opMap, opString, opSlice:
			changed = w.fixPointer(at, op) || changed
		case opInterface:
			changed = w.fixInterface(at, op, copied) || changed
		case opArray:
			for j := range op.count {
				changed = w.fix(plus(at, uintptr(j)*op.elem.size), op.elem, copied) || changed
			}
		case opOpaque:
			changed = w.fixOpaque(at, untyped.Opaques[op.typ]) || changed
		case opUnsafe:
			changed = set(at, w.anywhere(*as[pointer](at))) || changed
		case opArena:
			if own := *as[pointer](at); copied && (w.all || slices.Contains(w.arenas, own)) {
				changed = set(at, nil) || changed
			}
		case opRehash:
			w.indexes = append(w.indexes, reflect.NewAt(op.typ, at).Interface().(untyped.Rehasher))
		}
	}
	return changed
}

// set sets the pointer at p, if that is a change. What does not change is not
// written: it may be memory that others read.
func set(p, to pointer) bool {
	if at := as[pointer](p); *at != to {
		*at = to
		return true
	}
	return false
}

// fixPointer is fix for a pointer, a map, a slice or a string at p.
func (w *walker) fixPointer(p pointer, op *op) bool {
	from, n := *as[pointer](p), op.length(p)
	if op.kind == opSlice && !w.holds(from) {
		n = as[sliceHeader](p).cap * op.count
	}
	if !set(p, w.moved(from, op.elem, n)) {
		return false
	}
	op.clip(p)
	return true
}

// fixInterface is fix for an interface value at p.
func (w *walker) fixInterface(p pointer, op *op, copied bool) bool {
	d, data := w.inInterface(p, op)
	switch {
	case data == nil:
		return false
	case d.direct:
		return w.fix(pointerTo(data), d.whole, copied)
	}
	return set(pointerTo(data), w.moved(*data, d.elem, d.n))
}

// fixOpaque is fix for an opaque value at p.
func (w *walker) fixOpaque(p pointer, o untyped.Opaque) bool {
	elem, n, from := o.Get(p)
	if elem == nil {
		return false
	}
	to := w.moved(from, planOf(elem), n)
	if to == from && !w.all {
		return false
	}
	o.Set(p, to)
	return true
}

// fixMaps fills the copies of maps, or changes the maps that stay.
func (w *walker) fixMaps() {
	for i := range w.ranges.len {
		if r := w.ranges.at(i); r.plan.key != nil {
			w.fixMap(r)
		}
	}
}

// fixMap is fixMaps for one map. One that stays is filled again if a key or a
// value changes: a key that is a pointer must be found by its new address.
func (w *walker) fixMap(r *extent) {
	from := mapAt(&r.from, r.plan)
	to := from
	if r.to != nil {
		to = mapAt(&r.to, r.plan)
	}
	keys := reflect.MakeSlice(reflect.SliceOf(r.plan.key.typ), from.Len(), from.Len())
	values := reflect.MakeSlice(reflect.SliceOf(r.plan.value.typ), from.Len(), from.Len())
	changed := r.to != nil
	i := 0
	for it := from.MapRange(); it.Next(); i++ {
		keys.Index(i).SetIterKey(it)
		values.Index(i).SetIterValue(it)
		changed = w.fix(keys.Index(i).Addr().UnsafePointer(), r.plan.key, r.to != nil) || changed
		changed = w.fix(values.Index(i).Addr().UnsafePointer(), r.plan.value, r.to != nil) || changed
	}
	if !changed {
		return
	}
	to.Clear()
	for i := range keys.Len() {
		to.SetMapIndex(keys.Index(i), values.Index(i))
	}
}
