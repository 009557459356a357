package deep

import (
	"cmp"
	"reflect"
	"slices"

	"lessgc/internal/untyped"
)

// A walker copies a graph. A pointer does not say what it points into, only
// where it leads and what type is there. So the walker first finds all ranges of
// memory that something points to, joins those that overlap, copies each, and
// then changes the pointers.
//
// Values are read where they are: a pointer, a map, and the first word of a slice
// or a string are an unsafe.Pointer, a slice is a sliceHeader and an interface an
// eface. Of a map no more is known than that; package reflect reads and makes it.
// TestCloneGraphs fails if any of that changes.
//
// The list of ranges is also what remains to be done: there is no recursion
// over the graph, which may be a list of millions.
type walker struct {
	all    bool           // everything moves; else what is in spans
	arenas []pointer      // those that spans are of
	spans  []untyped.Span // by address

	ranges extents
	at     table    // of the ranges by where they start
	again  []uint32 // ranges that became longer after they were scanned

	current int // range that is scanned, or -1

	loose   []pointer           // in spans, of unknown type
	boxes   []boxed             // of interface values in interface values
	dynamic map[uintptr]dynamic // by the first word of an interface value
	pieces  []piece             // of copied memory, by address
	indexes []untyped.Rehasher  // to be made anew when all is done
}

// An extent is n values of one type that something points to, or a map.
type extent struct {
	from, to pointer // to is nil until it is copied
	plan     *plan
	n        int
	scanned  int
	next     uint32 // another range that starts at from, + 1, or 0
	moves    bool
	box      bool // the data of an interface value, which nobody may change
}

func (e *extent) start() uintptr { return uintptr(e.from) }
func (e *extent) end() uintptr   { return uintptr(e.from) + uintptr(e.n)*e.plan.size }

// extents is a list of ranges that grows without a copy: there may be millions,
// full of pointers.
type extents struct {
	chunks [][]extent // all full but the last
	len    int
}

const extentsPerChunk = 32

// at returns range i.
func (x *extents) at(i int) *extent {
	return &x.chunks[i/extentsPerChunk][i%extentsPerChunk]
}

// add adds e, and returns its number.
func (x *extents) add(e extent) int {
	if x.len%extentsPerChunk == 0 {
		x.chunks = append(x.chunks, make([]extent, extentsPerChunk))
	}
	x.len++
	*x.at(x.len - 1) = e
	return x.len - 1
}

// boxed records that the parent range must do as the range child does: move.
type boxed struct{ parent, child int }

// A piece is memory that was copied from one address to another.
type piece struct {
	from, to pointer
	size     uintptr
}

// dynamic describes the value in an interface.
type dynamic struct {
	whole  *plan // of its type
	elem   *plan // the same without arrays around it
	n      int   // number of elem
	direct bool  // it is a pointer and is itself the second word
}

// newWalker returns a walker that moves everything, or what is in spans, which are of
// arenas.
func newWalker(all bool, spans []untyped.Span, arenas []pointer) *walker {
	slices.SortFunc(spans, func(x, y untyped.Span) int { return cmp.Compare(x.Base, y.Base) })
	return &walker{all: all, spans: spans, arenas: arenas}
}

// run copies what is to be moved of all that can be reached from the value of
// plan p at root, and changes it accordingly.
func (w *walker) run(root pointer, p *plan) {
	if w.all {
		p.mustCopy()
	}
	w.reach(root, p)
	w.spreadMoves()
	w.move()
	w.checkLoose()
	w.fixRanges()
	w.fix(root, p, true)
	w.fixMaps()
	for _, m := range w.indexes {
		m.Rehash(untyped.Moved{})
	}
}

// reach finds all ranges that can be reached from the value of plan p at root.
func (w *walker) reach(root pointer, p *plan) {
	w.current = -1
	w.scan(root, p)
	for i := 0; i < w.ranges.len || len(w.again) > 0; {
		if i < w.ranges.len {
			w.scanRange(i)
			i++
			continue
		}
		last := len(w.again) - 1
		j := w.again[last]
		w.again = w.again[:last]
		w.scanRange(int(j))
	}
}

// holds reports whether what p points to is to be moved.
func (w *walker) holds(p pointer) bool {
	if w.all {
		return true
	}
	addr := uintptr(p)
	i, found := slices.BinarySearchFunc(w.spans, addr, func(s untyped.Span, a uintptr) int { return cmp.Compare(s.Base, a) })
	if found {
		return true
	}
	return i > 0 && addr-w.spans[i-1].Base < w.spans[i-1].Size
}

func (w *walker) scanRange(i int) {
	r := w.ranges.at(i)
	w.current = i
	if r.plan.key != nil {
		w.scanMap(r.from, r.plan)
		return
	}
	p, from, first, n := r.plan, r.from, r.scanned, r.n
	r.scanned = n
	if len(p.ops) == 0 {
		return
	}
	for j := first; j < n; j++ {
		w.scan(plus(from, uintptr(j)*p.size), p)
	}
}

// scan finds what the value of plan p at slot points to.
func (w *walker) scan(slot pointer, p *plan) {
	for i := range p.ops {
		op := &p.ops[i]
		at := plus(slot, op.off)
		switch op.kind {
		case opPointer, opMap, opString:
			w.visit(*as[pointer](at), op.elem, op.length(at), false)
		case opSlice:
			n := op.length(at)
			h := as[sliceHeader](at)
			if !w.holds(h.data) {
				n = h.cap * op.count // on the heap all of it stays visible
			}
			w.visit(h.data, op.elem, n, false)
		case opInterface:
			w.scanInterface(at, op)
		case opArray:
			for j := range op.count {
				w.scan(plus(at, uintptr(j)*op.elem.size), op.elem)
			}
		case opOpaque:
			if elem, n, data := untyped.Opaques[op.typ].Get(at); elem != nil {
				w.visit(data, planOf(elem), n, false)
			}
		case opUnsafe:
			if data := *as[pointer](at); data != nil && !w.all && w.holds(data) {
				w.loose = append(w.loose, data)
				w.movesIn()
			}
		}
	}
}

func (w *walker) scanInterface(at pointer, op *op) {
	d, data := w.inInterface(at, op)
	switch {
	case data == nil:
	case d.direct:
		w.scan(pointerTo(data), d.whole)
	default:
		w.visit(*data, d.elem, d.n, true)
	}
}

// inInterface returns what the interface at p holds, and its second word; that
// is nil if it holds nothing.
func (w *walker) inInterface(p pointer, op *op) (dynamic, *pointer) {
	face := as[eface](p)
	if face.typ == 0 {
		return dynamic{}, nil
	}
	d, ok := w.dynamic[face.typ]
	if !ok {
		d = dynamicOf(reflect.NewAt(op.typ, p).Elem().Elem().Type())
		if w.dynamic == nil {
			w.dynamic = make(map[uintptr]dynamic)
		}
		w.dynamic[face.typ] = d
	}
	return d, &face.data
}

// dynamicOf returns how an interface holds a t. A pointer-shaped value is the
// second word itself, nil for the zero value; any other is behind a pointer,
// which is never nil.
func dynamicOf(t reflect.Type) dynamic {
	zero := reflect.Zero(t).Interface()
	d := dynamic{whole: planOf(t), direct: as[eface](pointerTo(&zero)).data == nil}
	planTable.Lock()
	defer planTable.Unlock()
	d.elem, d.n = flat(t)
	return d
}

// visit notes that something points to n values of plan p at from.
func (w *walker) visit(from pointer, p *plan, n int, box bool) {
	if from == nil || (n == 0 || p.size == 0) && p.key == nil {
		return
	}
	moves := w.holds(from)
	if p.key != nil {
		moves = w.all
		if !moves && len(p.key.ops)+len(p.value.ops) == 0 {
			return
		}
	} else if !moves && len(p.ops) == 0 {
		return
	}
	if moves {
		if p.key != nil {
			p.key.mustCopy()
			p.value.mustCopy()
		}
		p.mustCopy()
		w.movesIn()
	}
	i := w.number(from, p)
	r := w.ranges.at(i)
	r.moves, r.box = r.moves || moves, r.box || box
	if n > r.n {
		if r.scanned > 0 {
			w.again = append(w.again, uint32(i))
		}
		r.n = n
	}
	if parent := w.current; box && !moves && parent >= 0 && w.ranges.at(parent).box {
		w.boxes = append(w.boxes, boxed{parent, i})
	}
}

// movesIn notes that something in the current range moves. A box that holds such
// a thing moves too: nobody may change it.
func (w *walker) movesIn() {
	if w.current >= 0 && w.ranges.at(w.current).box {
		w.ranges.at(w.current).moves = true
	}
}

// number returns the number of the range of plan p at from, which may be new.
func (w *walker) number(from pointer, p *plan) int {
	head := w.at.add(uintptr(from))
	for i := *head; i != 0; i = w.ranges.at(int(i - 1)).next {
		if w.ranges.at(int(i-1)).plan == p {
			return int(i - 1)
		}
	}
	i := w.ranges.add(extent{from: from, plan: p, next: *head})
	*head = uint32(i + 1)
	return i
}

func (w *walker) scanMap(from pointer, p *plan) {
	key, value := reflect.New(p.key.typ), reflect.New(p.value.typ)
	for it := mapAt(&from, p).MapRange(); it.Next(); {
		key.Elem().SetIterKey(it)
		value.Elem().SetIterValue(it)
		w.scan(key.UnsafePointer(), p.key)
		w.scan(value.UnsafePointer(), p.value)
	}
}

// mapAt returns the map that *p points to.
func mapAt(p *pointer, of *plan) reflect.Value {
	return reflect.NewAt(of.typ, pointerTo(p)).Elem()
}

// spreadMoves makes boxes move that hold boxes that move, and returns how many it
// looked at: each of w.boxes once at most.
func (w *walker) spreadMoves() (looked int) {
	slices.SortFunc(w.boxes, func(x, y boxed) int { return cmp.Compare(x.child, y.child) })
	var moving []int // those whose holders are still to be looked at
	last := -1
	for _, b := range w.boxes {
		if b.child != last && w.ranges.at(b.child).moves {
			moving = append(moving, b.child)
		}
		last = b.child
	}
	for len(moving) > 0 {
		child := moving[len(moving)-1]
		moving = moving[:len(moving)-1]
		i, _ := slices.BinarySearchFunc(w.boxes, child, func(b boxed, child int) int { return cmp.Compare(b.child, child) })
		for ; i < len(w.boxes) && w.boxes[i].child == child; i++ {
			looked++
			if parent := w.ranges.at(w.boxes[i].parent); !parent.moves {
				parent.moves = true
				moving = append(moving, w.boxes[i].parent)
			}
		}
	}
	return looked
}
