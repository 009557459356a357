package arena

import (
	"weak"

	"lessgc/internal/checked"
)

// A watch records what one arena hands out: memory by itself on the heap that is used
// once, so that a weak pointer tells whether anyone still holds it after Free.
//
// A watch of all objects is how the checked build, builds with the address sanitizer and
// audits of every arena look at arenas; its state serves one arena and is then given up.
// Other audits watch a sample of one object: see watch_sample.go.
type watch struct {
	policy     Policy
	sample     sample
	all        bool // it watches all objects
	audits     []*audit
	owner      *owner // nil if it has none
	life       *life  // nil unless this is a checked build
	quarantine bool   // freed memory is poisoned and looked at later

	objects []target // in the order in which they were allocated
	sliced  bool     // the memory that is made next is that of a slice, perhaps of one element
	from    uintptr  // the call of this package, if it is known before the memory is made
	marks   []moment
}

// maxAlone bounds how many objects of an arena are watched one by one. Those
// after them come from chunks as usual, and each chunk is watched as a whole:
// an arena with a million objects is slowed down for the first ones only.
const maxAlone = 1 << 16

// A target is memory that a watched arena handed out at once: an object, or the
// array of a slice or a string.
type target struct {
	weak  weak.Pointer[byte]
	addr  uintptr // what weak points to
	bytes uintptr
	site  *site
	held  pointer // what weak points to, as long as it is in quarantine

	*holding // in the checked build
}

// A moment records the number of objects when a mark was set.
type moment struct {
	mark    uint64
	objects int
}

// newWatch returns the watch of an arena of p.
func newWatch(p *Pool, audited bool) *watch {
	w := &watch{policy: p.Policy, all: true}
	w.quarantine = (checked.Strict || sanitized) && w.policy.recycles()
	if audited || w.quarantine {
		w.audits = p.audits()
	}
	return w
}

// alone reports whether each object of the arena is to be allocated by itself.
func (st *state) alone() bool {
	return st.watch != nil && st.watch.all && (checked.Strict || sanitized || len(st.watch.objects) < maxAlone)
}

// make returns the memory of a new chunk of n elements for r.
func (w *watch) make(r *record, n int) pointer {
	p := makeApart(r.info, n)
	if w.life != nil {
		w.life.used.Store(true)
	}
	if w.follows(r) {
		w.add(r, p, n)
	}
	return p
}

// add makes n elements of r at p, which have a block to themselves, watched ones.
func (w *watch) add(r *record, p pointer, n int) {
	o := target{weak: weak.Make(as[byte](p)), addr: uintptr(p), bytes: uintptr(n) * r.info.size, site: siteOf(r, n)}
	if w.quarantine {
		o.held = p
		if checked.Strict {
			o.holding = &holding{there: o.weak, life: w.life, site: o.site}
			holdings.Store(o.addr, o.holding)
		}
	}
	w.objects = append(w.objects, o)
}

// follows reports whether memory from r must not be retained past Free: without
// an audit that is memory which would be reused, and with RecycleTyped strings
// never are.
func (w *watch) follows(r *record) bool {
	return w.audits != nil && (w.policy != RecycleTyped || !r.isText())
}

// isText reports whether the slab of r hands out strings.
func (r *record) isText() bool { return r == r.arena.text.record }

// makeApart is makeArray for memory that shares its block with nothing: the
// runtime puts small values without pointers together, and a weak pointer to
// one then stands for all.
func makeApart(info *typeInfo, n int) pointer {
	const block = 16
	if bytes := uintptr(n) * info.size; !info.pointers && bytes < block {
		n = int((block + info.size - 1) / info.size)
	}
	return makeArray(info.slice, n)
}

// mark notes that a mark was set.
func (w *watch) mark(id uint64) {
	w.marks = append(w.marks, moment{id, len(w.objects)})
}

// rewind ends the life of what was allocated since the mark was set.
func (w *watch) rewind(id uint64) {
	for len(w.marks) > 0 && w.marks[len(w.marks)-1].mark != id {
		w.marks = w.marks[:len(w.marks)-1]
	}
	if len(w.marks) > 0 {
		from := w.marks[len(w.marks)-1].objects
		released := append([]target(nil), w.objects[from:]...)
		clear(w.objects[from:])
		w.objects = w.objects[:from]
		if !w.all && len(released) > 0 {
			w.dismiss()
		}
		w.submit(&batch{objects: released})
	}
}

// release ends the life of everything, or if it is kept lets go of it.
func (w *watch) release(keep bool) {
	if keep {
		for i := range w.objects {
			if o := &w.objects[i]; o.holding != nil {
				holdings.CompareAndDelete(o.addr, o.holding)
			}
		}
		if checked.Strict {
			(&batch{objects: w.objects}).unlist()
		}
		w.objects = nil
	}
	w.submit(&batch{objects: w.objects, arenas: 1})
	w.marks = w.marks[:0]
	if w.all {
		w.objects = nil
	} else { // which are in the queue
		clear(w.objects)
		w.objects = w.objects[:0]
	}
}

// submit hands in objects that were freed.
func (w *watch) submit(b *batch) {
	if w.audits == nil {
		return
	}
	if !w.all {
		queue.addSample(w.audits, w.owner, b.objects, b.arenas)
		return
	}
	b.audits, b.owner, b.life = w.audits, w.owner, w.life
	if w.quarantine {
		e := endHere()
		for i := range b.objects {
			b.objects[i].poison(e)
			b.held += int64(b.objects[i].bytes)
		}
		if !sanitized { // which reports each use at once
			b.ended = e
		}
	}
	if b.held == 0 && checked.Strict {
		b.unlist()
	}
	queue.add(b)
}
