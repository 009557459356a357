package deep

import (
	"cmp"
	"reflect"
	"slices"
)

// move copies all ranges that move. Ranges that overlap become one, so that they
// do so in the copy.
func (w *walker) move() {
	order := w.moving()
	for i := 0; i < len(order); {
		end, j := order[i].end(), i+1
		for ; !order[i].box && j < len(order) && !order[j].box && order[j].start() < end; j++ {
			end = max(end, order[j].end())
		}
		w.moveGroup(order[i:j], end-order[i].start())
		i = j
	}
}

// moving returns the ranges that move, by address, the longest first. Maps get
// their copies here.
func (w *walker) moving() []*extent {
	order := make([]*extent, 0, w.ranges.len)
	for i := range w.ranges.len {
		r := w.ranges.at(i)
		switch {
		case !r.moves:
		case r.plan.key != nil:
			r.to = reflect.MakeMapWithSize(r.plan.typ, mapAt(&r.from, r.plan).Len()).UnsafePointer()
		default:
			order = append(order, r)
		}
	}
	slices.SortFunc(order, func(x, y *extent) int {
		if x.from != y.from {
			return cmp.Compare(x.start(), y.start())
		}
		if x.end() != y.end() {
			return cmp.Compare(y.end(), x.end())
		}
		return cmp.Compare(rank(y), rank(x))
	})
	return order
}

// rank orders ranges over the same memory: the one whose type has pointers is
// the type of that memory.
func rank(r *extent) int {
	if r.plan.pointers {
		return 1
	}
	return 0
}

// moveGroup copies ranges that are one piece of memory, of size bytes. It is an
// array of the type of the first range: unless package unsafe was used, ranges
// overlap because one is in the other, or as parts of one array.
func (w *walker) moveGroup(group []*extent, size uintptr) {
	first := group[0]
	pointers, fits := false, true
	end := first.end()
	for _, r := range group {
		pointers = pointers || r.plan.pointers
		if r.end() > end {
			end = r.end()
			fits = fits && r.plan == first.plan
		}
	}
	var to pointer
	switch {
	case pointers && !(fits && first.plan.pointers):
		panic("deep: memory at which there are pointers is seen as " + first.plan.typ.String() + " and as something that does not fit")
	case fits && size%first.plan.size == 0:
		to = first.plan.duplicate(first.from, int(size/first.plan.size))
	default:
		to = duplicateWords(first.from, size)
	}
	w.pieces = append(w.pieces, piece{first.from, to, size})
	for _, r := range group {
		r.to = plus(to, r.start()-first.start())
	}
}

// duplicateWords returns a copy of size bytes without pointers, with the same
// alignment.
func duplicateWords(from pointer, size uintptr) pointer {
	odd := uintptr(from) % 8
	words := make([]uint64, (odd+size+7)/8)
	to := plus(dataOf(words), odd)
	copy(sliceAt[byte](to, size), sliceAt[byte](from, size))
	return to
}

// checkLoose panics if an unsafe.Pointer leads to something that stays behind.
func (w *walker) checkLoose() {
	for _, p := range w.loose {
		if w.anywhere(p) == p {
			panic("deep: Detach of an unsafe.Pointer into the arena: its type is not known")
		}
	}
}

// anywhere returns where the byte at p was moved, or p.
func (w *walker) anywhere(p pointer) pointer {
	i, found := slices.BinarySearchFunc(w.pieces, uintptr(p), func(c piece, a uintptr) int { return cmp.Compare(uintptr(c.from), a) })
	if !found {
		i--
	}
	if i >= 0 {
		c := &w.pieces[i]
		if off := uintptr(p) - uintptr(c.from); off < c.size {
			return plus(c.to, off)
		}
	}
	return p
}
