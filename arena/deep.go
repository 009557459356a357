package arena

import (
	"reflect"
	"unsafe"
)

// DeepClone returns a copy of v and of everything that can be reached from it,
// on the heap. What is shared in v is shared in the copy, cycles included:
// pointers into a struct or an array, slices that overlap, strings that have
// bytes in common, a map that several values hold. Maps are made anew. A slice
// has the capacity of its length.
//
// Some things are not copied but are in the copy what they are in v: channels
// and functions; what an unsafe.Pointer points to, unless it is copied anyway;
// *time.Location, reflect.Type and unique.Handle, whose identity counts. An
// *Arena becomes nil, which is the heap, so that a [Map], [List] or [Builder]
// works in the copy. Other pointers whose identity counts, such as io.EOF, are
// different ones in the copy: [Detach] leaves them alone.
//
// DeepClone panics if there is a value that must not be copied, such as a
// sync.Mutex. Nobody may change v meanwhile. The time it takes grows with the
// lengths of all slices in v, also where they overlap.
func DeepClone[T any](v T) T {
	p := planOf(reflect.TypeFor[T]())
	if len(p.ops) == 0 {
		return v
	}
	if op := p.leaf(); op != nil {
		cloneLeaf(unsafe.Pointer(&v), op)
		return v
	}
	return walk(v, p, &walker{all: true})
}

// walk returns v, of plan p, after w has run over it. It is apart because its v
// must be on the heap.
//
//go:noinline
func walk[T any](v T, p *plan, w *walker) T {
	w.run(unsafe.Pointer(&v), p)
	return v
}

// Detach returns v without the memory of a and its children: what can be
// reached from v and lies there is moved to the heap, as [DeepClone] would copy
// it. Everything else stays the same object; where a pointer in it led into the
// arena it is changed in place, map keys and values included. So v must own what
// it reaches: nobody else may use it meanwhile. An interface value is not
// changed in place but replaced, as others may have it as well.
//
// The arena's own objects stay as they are. Memory of other arenas stays where
// it is, too. Detach does not look behind channels and functions, and panics,
// before it changes anything, if there is an unsafe.Pointer to something in the
// arena that nothing else in v points to. With a nil arena it returns v.
func Detach[T any](a *Arena, v T) T {
	p := planOf(reflect.TypeFor[T]())
	if a == nil || a.st == nil || len(p.ops) == 0 {
		return v
	}
	a.st.check()
	w := &walker{spans: a.st.appendSpans(nil), arenas: a.family(nil)}
	w.sortSpans()
	return walk(v, p, w)
}

// family appends a and its children, and theirs.
func (a *Arena) family(all []*Arena) []*Arena {
	all = append(all, a)
	for _, child := range a.st.children {
		if child.st != &freed {
			all = child.family(all)
		}
	}
	return all
}

// appendSpans appends the address ranges that were handed out, also by the children.
// What is between them in a chunk may be of arenas before.
func (st *state) appendSpans(spans []span) []span {
	for _, s := range st.all {
		for i := range s.chunks[:s.cur+1] {
			c := &s.chunks[i]
			lo, off := c.lo, c.off
			if i == s.cur {
				lo, off = s.lo, s.off
			}
			base := uintptr(c.base)
			if lo > c.lo0 {
				spans = append(spans, span{base: base + c.lo0, size: lo - c.lo0})
			}
			if c.off0 > off {
				spans = append(spans, span{base: base + off, size: c.off0 - off})
			}
		}
	}
	for _, child := range st.children {
		if child.st != &freed {
			spans = child.st.appendSpans(spans)
		}
	}
	return spans
}

// cloneLeaf replaces what the field at p points to by a copy. There are no
// pointers in it.
func cloneLeaf(p unsafe.Pointer, op *op) {
	data := (*unsafe.Pointer)(p)
	n := op.length(p)
	switch {
	case *data == nil || op.elem.size == 0 && !inChunk(*data):
	case n == 0 || op.elem.size == 0:
		*data = unsafe.Pointer(&zeroSized)
	default:
		op.elem.mustCopy()
		*data = op.elem.duplicate(*data, n)
	}
	op.clip(p)
}

// CloneIn returns a shallow copy of v, a pointer, a slice or a string, in a, or
// on the heap if a is nil. A slice has the capacity of its length. The copy of
// nil is nil. CloneIn panics if T is of another kind.
func CloneIn[T any](a *Arena, v T) T {
	t, p := reflect.TypeFor[T](), unsafe.Pointer(&v)
	switch t.Kind() {
	case reflect.String:
		s := a.String(*(*string)(p))
		return *(*T)(unsafe.Pointer(&s))
	case reflect.Pointer:
		if data := (*unsafe.Pointer)(p); *data != nil {
			*data = copyIn(a, t.Elem(), *data, 1)
		}
		return v
	case reflect.Slice:
		if h := (*sliceHeader)(p); h.data != nil {
			h.data, h.cap = copyIn(a, t.Elem(), h.data, h.len), h.len
		}
		return v
	}
	panic("arena: CloneIn of a " + t.String() + ", which is neither a pointer nor a slice nor a string")
}

// copyIn returns a copy in a of n values of type t at p.
func copyIn(a *Arena, t reflect.Type, p unsafe.Pointer, n int) unsafe.Pointer {
	if n == 0 || t.Size() == 0 {
		return unsafe.Pointer(&zeroSized)
	}
	elem := planOf(t)
	if a == nil {
		return elem.duplicate(p, n)
	}
	s := a.state().slab(elem.null)
	to := s.takeSlice(n)
	elem.copy(to, p, n)
	return to
}
