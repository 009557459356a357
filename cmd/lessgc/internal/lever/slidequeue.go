package lever

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var slideQueue = &Lever{
	Name:  "slide-queue",
	Title: "use the front of the queue again",
	way:   reuse,
	Looks: "append to a slice in a field that elements are taken from the front of: it is sliced from a later element on, or read at an index that another field of the object counts up. Nothing copies the elements that wait to the front, or sets the slice back to length 0: or that is done, but the front was cut off before, with its memory. A buffer in a field, too, that is replaced by a larger one with what is in it from a field's index on.",
	Wrong: "when the queue is short, or filled once.",
	Before: `q.events = append(q.events, e)
…
e := q.events[q.head]
q.head++`,
	After: `if q.head > 0 && len(q.events) == cap(q.events) {
	n := copy(q.events, q.events[q.head:])
	clear(q.events[n:])
	q.events, q.head = q.events[:n], 0
}
q.events = append(q.events, e)`,
	Model: "The slice stops growing at twice what waits at a time; what was taken is no longer kept alive.",
	Risk:  Aliasing,
	Asks:  "Does nothing hold on to part of the slice, or an index of it, when its elements move to the front?",
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.7, 1}},
	find:  findSlideQueue,
}

func findSlideQueue(p *Line) (f Finding) {
	for _, in := range p.allocators() {
		if made, ok := in.(*ssa.MakeSlice); ok {
			if f = p.replaced(made); f.Share > 0 {
				return f
			}
		}
		call, ok := in.(*ssa.Call)
		if !ok || !callsBuiltin(call, "append") {
			continue
		}
		field := p.fieldAppended(call)
		if field == nil || p.objectSize() < 4*float64(p.elemBytes(call.Type())) {
			continue
		}
		q := p.queue(field)
		if q.cut.IsValid() && q.emptied.IsValid() && !q.moved && !q.dropped && !q.given {
			return Finding{Share: p.direct(), Evidence: []Evidence{
				p.at(call.Pos(), fmt.Sprintf("%s grows here, to %.0f bytes at a time", field.Name(), p.objectSize())),
				p.at(q.cut, "its front is cut off here, and with it the memory"),
				p.at(q.emptied, "so what is left here is smaller each time: count an index up instead of the cut, or keep the whole slice beside, and begin with that"),
			}}
		}
		if !q.taken.IsValid() || q.moved || q.emptied.IsValid() || q.given {
			continue
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{
			p.at(call.Pos(), fmt.Sprintf("%s only grows here, to %.0f bytes at a time", field.Name(), p.objectSize())),
			p.at(q.taken, "elements are taken from its front here"),
		}}
	}
	return f
}

// replaced is about a buffer in a field whose place a larger one takes, with what it has from an index on: what is before
// that is not needed any more.
func (p *Line) replaced(made *ssa.MakeSlice) (f Finding) {
	for _, in := range *made.Referrers() {
		c, ok := in.(*ssa.Call)
		if !ok || !callsBuiltin(c, "copy") || c.Call.Args[0] != made {
			continue
		}
		rest, ok := c.Call.Args[1].(*ssa.Slice)
		if !ok || rest.Low == nil || fieldRead(rest.Low) == nil {
			continue
		}
		if field := fieldRead(rest.X); field != nil && storedBack(made, field) {
			return Finding{Share: p.direct(), Evidence: []Evidence{
				p.at(made.Pos(), fmt.Sprintf("a larger buffer takes the place of %s%s", field.Name(), p.perOperation())),
				p.at(c.Pos(), fmt.Sprintf("what is before index %s is not needed any more: where that is half of the buffer or more, move the rest to the front, and make none", fieldRead(rest.Low).Name())),
			}}
		}
	}
	return f
}

// elemBytes is the size of an element of a slice; at least 1.
func (p *Line) elemBytes(t types.Type) int64 {
	s, ok := t.Underlying().(*types.Slice)
	if !ok || p.pkg.TypesSizes == nil || hasTypeParameter(s.Elem()) {
		return 1
	}
	return max(1, p.pkg.TypesSizes.Sizeof(s.Elem()))
}

// fieldAppended is the field that an append is about and is stored to; nil if there is none.
func (p *Line) fieldAppended(call *ssa.Call) *types.Var {
	if from := fieldRead(call.Call.Args[0]); from != nil && storedBack(call, from) {
		return from
	}
	return nil
}

// storedBack reports whether a value is stored in a field.
func storedBack(v ssa.Value, field *types.Var) bool {
	return slices.ContainsFunc(*v.Referrers(), func(in ssa.Instruction) bool {
		store, ok := in.(*ssa.Store)
		if !ok {
			return false
		}
		to, ok := store.Addr.(*ssa.FieldAddr)
		return ok && store.Val == v && fieldOf(to) == field
	})
}

// fieldRead is the field that a value is loaded from, or nil.
func fieldRead(v ssa.Value) *types.Var {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	if addr, ok := load.X.(*ssa.FieldAddr); ok {
		return fieldOf(addr)
	}
	return nil
}

// queued records the uses of a slice in a field.
type queued struct {
	taken   token.Pos // from the front
	cut     token.Pos // taken, by slicing
	emptied token.Pos // set back to its begin
	moved   bool      // copied to its begin
	dropped bool      // set to nil
	given   bool      // some objects get what they take as a whole, and nothing is appended there
}

func (p *Line) queue(field *types.Var) (q queued) {
	for _, load := range p.loads[field] {
		for _, r := range *load.Referrers() {
			switch r := r.(type) {
			case *ssa.Slice:
				q.slice(field, r)
			case *ssa.IndexAddr:
				if head := fieldRead(r.Index); head != nil && p.countsUp(head) {
					q.taken = r.Pos()
				}
			case *ssa.Call:
				if callsBuiltin(r, "copy") && r.Call.Args[0] == load {
					q.moved = true
				}
			}
		}
	}
	for _, address := range p.addressesOf(field) {
		for _, in := range *address.Referrers() {
			store, ok := in.(*ssa.Store)
			if !ok || store.Addr != address {
				continue
			}
			_, param := store.Val.(*ssa.Parameter)
			q.given = q.given || param
			q.dropped = q.dropped || isNilConst(store.Val)
		}
	}
	return q
}

// slice looks at field[low:high].
func (q *queued) slice(field *types.Var, s *ssa.Slice) {
	if storedBack(s, field) {
		if s.Low != nil {
			q.taken, q.cut = s.Pos(), s.Pos()
		} else {
			q.emptied = s.Pos()
		}
	}
	q.moved = q.moved || slices.ContainsFunc(*s.Referrers(), func(in ssa.Instruction) bool { return callsBuiltin(in, "copy") })
}

// countsUp reports whether the program adds 1 to a field.
func (p *Line) countsUp(field *types.Var) bool {
	return slices.ContainsFunc(p.loads[field], func(load ssa.Value) bool {
		return slices.ContainsFunc(*load.Referrers(), func(in ssa.Instruction) bool {
			sum, ok := in.(*ssa.BinOp)
			return ok && sum.Op == token.ADD && storedBack(sum, field)
		})
	})
}
