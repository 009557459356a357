package lever

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var slideQueue = &Rule{
	Name:  "slide-queue",
	Title: "use the front of the queue again",
	Looks: "append to a slice in a field that elements are taken from the front of: it is sliced from a later element on, or read at an index that another field of the object counts up. Nothing copies the elements that wait to the front, or sets the slice back to length 0.",
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
	Asks:  "Does nothing hold on to a part of the slice, or an index of it, when its elements move to the front?",
	Saves: Saves{Alloc: Range{0.6, 1}, Collect: Range{0.7, 1}},
	find:  findSlideQueue,
}

func findSlideQueue(p *Place) (f Finding) {
	for _, in := range p.allocators() {
		call, ok := in.(*ssa.Call)
		if !ok || !isAppendCall(call) {
			continue
		}
		field := p.fieldAppended(call)
		if field == nil || p.objectSize() < 4*float64(p.elemBytes(call.Type())) {
			continue
		}
		q := p.queue(field)
		if !q.taken.IsValid() || q.reset {
			continue
		}
		return Finding{Share: p.direct(), Evidence: []Evidence{
			p.at(call.Pos(), fmt.Sprintf("%s only grows here, to %.0f bytes at a time", field.Name(), p.objectSize())),
			p.at(q.taken, "elements are taken from its front here"),
		}}
	}
	return f
}

// elemBytes is the size of an element of a slice; at least 1.
func (p *Place) elemBytes(t types.Type) int64 {
	s, ok := t.Underlying().(*types.Slice)
	if !ok || p.pkg.TypesSizes == nil || hasTypeParameter(s.Elem()) {
		return 1
	}
	return max(1, p.pkg.TypesSizes.Sizeof(s.Elem()))
}

// fieldAppended is the field that an append is about and is stored to; nil if there is none.
func (p *Place) fieldAppended(call *ssa.Call) *types.Var {
	from := fieldRead(call.Call.Args[0])
	if from == nil {
		return nil
	}
	for _, r := range *call.Referrers() {
		if store, ok := r.(*ssa.Store); ok {
			if to, ok := store.Addr.(*ssa.FieldAddr); ok && fieldOf(to) == from {
				return from
			}
		}
	}
	return nil
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

// queued is what is done with a slice in a field.
type queued struct {
	taken token.Pos // from the front
	reset bool      // set back to its begin
}

func (p *Place) queue(field *types.Var) (q queued) {
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
				if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "copy" && r.Call.Args[0] == load {
					q.reset = true
				}
			}
		}
	}
	return q
}

// slice looks at field[low:high].
func (q *queued) slice(field *types.Var, s *ssa.Slice) {
	for _, r := range *s.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			to, ok := r.Addr.(*ssa.FieldAddr)
			if !ok || fieldOf(to) != field {
				continue
			}
			if s.Low != nil {
				q.taken = s.Pos()
			} else {
				q.reset = true
			}
		case *ssa.Call:
			if b, ok := r.Call.Value.(*ssa.Builtin); ok && b.Name() == "copy" {
				q.reset = true
			}
		}
	}
}

// countsUp reports whether the program adds 1 to a field.
func (p *Place) countsUp(field *types.Var) bool {
	for _, load := range p.loads[field] {
		for _, r := range *load.Referrers() {
			sum, ok := r.(*ssa.BinOp)
			if !ok || sum.Op != token.ADD {
				continue
			}
			for _, use := range *sum.Referrers() {
				if store, ok := use.(*ssa.Store); ok {
					if to, ok := store.Addr.(*ssa.FieldAddr); ok && fieldOf(to) == field {
						return true
					}
				}
			}
		}
	}
	return false
}
