// Package deep copies values with all that they point to.
//
// [Clone] copies a whole graph to the heap, [Detach] only the objects of it that are in an
// arena: the result outlives the arena.
package deep

import (
	"reflect"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// Clone returns a copy of v and of everything that can be reached from it,
// on the heap. Memory that is shared in v is shared in the copy, cycles included:
// pointers into a struct or an array, slices that overlap, strings that have
// bytes in common, a map that several values hold. Maps are made anew. A slice
// has the capacity of its length.
//
// Some values are not copied but stay the same in the copy: channels
// and functions; the target of an unsafe.Pointer, unless it is copied anyway;
// *time.Location, reflect.Type and unique.Handle, whose identity counts. An
// *arena.Arena becomes nil, which is the heap, so that a container that lives in an
// arena works in the copy. With package arenapb, values of protobuf extensions are
// followed. Other pointers whose identity counts, such as io.EOF, are
// different ones in the copy: [Detach] leaves them alone.
//
// Clone panics if there is a value that must not be copied, such as a
// sync.Mutex. v must not change meanwhile. The time it takes grows with the
// lengths of all slices in v, also where they overlap.
func Clone[T any](v T) T {
	p := planOf(reflect.TypeFor[T]())
	if len(p.ops) == 0 {
		return v
	}
	if op := p.leaf(); op != nil {
		cloneLeaf(pointerTo(&v), op)
		return v
	}
	return walk(v, p, newWalker(true, nil, nil))
}

// walk returns v, of plan p, after w has run over it. It is apart because its v
// must be on the heap.
//
//go:noinline
func walk[T any](v T, p *plan, w *walker) T {
	w.run(pointerTo(&v), p)
	return v
}

// Detach returns v without the memory of a and its children: objects there that
// can be reached from v are moved to the heap, as [Clone] would copy
// them. Everything else stays the same object; where a pointer in it led into the
// arena it is changed in place, map keys and values included. So v must own the
// objects that it reaches: no other goroutine may use them meanwhile. An interface value is not
// changed in place but replaced, as others may have it as well.
//
// The arena's own objects stay as they are. Memory of other arenas stays where
// it is, too. Detach does not look behind channels and functions, and panics,
// before it changes anything, if there is an unsafe.Pointer to something in the
// arena that nothing else in v points to. With a nil arena it returns v, and so it
// does with one of policy Safe, whose memory may be kept. Detach panics if a was
// freed.
func Detach[T any](a *arena.Arena, v T) T {
	p := planOf(reflect.TypeFor[T]())
	if a == nil || len(p.ops) == 0 {
		return v
	}
	spans, arenas := untyped.Spans(pointerTo(a))
	if len(spans) == 0 && len(arenas) == 0 {
		return v
	}
	return walk(v, p, newWalker(false, spans, arenas))
}

// cloneLeaf replaces what the field at p points to by a copy. There are no
// pointers in it.
func cloneLeaf(p pointer, op *op) {
	data := as[pointer](p)
	n := op.length(p)
	switch {
	case *data == nil || op.elem.size == 0:
	case n == 0:
		*data = pointerTo(&zeroSized)
	default:
		op.elem.mustCopy()
		*data = op.elem.duplicate(*data, n)
	}
	op.clip(p)
}
