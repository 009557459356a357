package arena

import "iter"

// A List is a doubly linked list whose elements are in an arena; the collector
// knows every pointer in them. The zero List is empty, ready to use and on the
// heap. It must not be copied.
//
// An element that was removed is used again by its list for the next one: it
// must not be used afterwards.
type List[T any] struct {
	a    *Arena
	root Element[T]  // closes the ring: root.next is the first element
	free *Element[T] // removed ones, linked by next
	len  int
}

// An Element is a place in a List.
type Element[T any] struct {
	next, prev *Element[T]
	list       *List[T] // nil for one that was removed
	Value      T
}

// NewList returns an empty list in a, or on the heap if a is nil.
func NewList[T any](a *Arena) *List[T] {
	l := New[List[T]](a)
	l.a = a
	l.init()
	return l
}

func (l *List[T]) init() { l.root.next, l.root.prev = &l.root, &l.root }

// Len returns the number of elements.
func (l *List[T]) Len() int { return l.len }

// Front returns the first element, or nil.
func (l *List[T]) Front() *Element[T] { return l.outside(l.root.next) }

// Back returns the last element, or nil.
func (l *List[T]) Back() *Element[T] { return l.outside(l.root.prev) }

// Next returns the element behind e, or nil.
func (e *Element[T]) Next() *Element[T] { return e.list.outside(e.next) }

// Prev returns the element in front of e, or nil.
func (e *Element[T]) Prev() *Element[T] { return e.list.outside(e.prev) }

// outside returns e as callers see it: nil if it is the root.
func (l *List[T]) outside(e *Element[T]) *Element[T] {
	if l == nil || e == &l.root {
		return nil
	}
	return e
}

// PushFront adds v as the first element, which it returns.
func (l *List[T]) PushFront(v T) *Element[T] {
	if l.root.next == nil {
		l.init()
	}
	return l.insert(v, &l.root)
}

// PushBack adds v as the last element, which it returns.
func (l *List[T]) PushBack(v T) *Element[T] {
	if l.root.next == nil {
		l.init()
	}
	return l.insert(v, l.root.prev)
}

// InsertBefore adds v in front of mark and returns its element; or nil if mark
// is not in l.
func (l *List[T]) InsertBefore(v T, mark *Element[T]) *Element[T] {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark.prev)
}

// InsertAfter adds v behind mark and returns its element; or nil if mark is not
// in l.
func (l *List[T]) InsertAfter(v T, mark *Element[T]) *Element[T] {
	if mark.list != l {
		return nil
	}
	return l.insert(v, mark)
}

// insert adds v behind at.
func (l *List[T]) insert(v T, at *Element[T]) *Element[T] {
	e := l.free
	if e != nil {
		l.free = e.next
	} else {
		e = New[Element[T]](l.a)
	}
	e.list, e.Value = l, v
	e.link(at)
	l.len++
	return e
}

// link puts e behind at.
func (e *Element[T]) link(at *Element[T]) {
	e.prev, e.next = at, at.next
	at.next.prev = e
	at.next = e
}

func (e *Element[T]) unlink() {
	e.prev.next = e.next
	e.next.prev = e.prev
}

// Remove removes e, which must not be used afterwards, and returns its value.
// If e is not in l, Remove does nothing and returns the zero value.
func (l *List[T]) Remove(e *Element[T]) T {
	var zero T
	if e.list != l {
		return zero
	}
	v := e.Value
	e.unlink()
	*e = Element[T]{next: l.free}
	l.free = e
	l.len--
	return v
}

// MoveToFront makes e the first element. Like all moves it does nothing if an
// element is not in l.
func (l *List[T]) MoveToFront(e *Element[T]) { l.move(e, &l.root) }

// MoveToBack makes e the last element.
func (l *List[T]) MoveToBack(e *Element[T]) { l.move(e, l.root.prev) }

// MoveBefore moves e in front of mark.
func (l *List[T]) MoveBefore(e, mark *Element[T]) {
	if mark.list == l && e != mark {
		l.move(e, mark.prev)
	}
}

// MoveAfter moves e behind mark.
func (l *List[T]) MoveAfter(e, mark *Element[T]) {
	if mark.list == l {
		l.move(e, mark)
	}
}

// move puts e behind at, unless it is there.
func (l *List[T]) move(e, at *Element[T]) {
	if e.list == l && e != at {
		e.unlink()
		e.link(at)
	}
}

// Clear removes all elements. The list uses them again, as Remove says.
func (l *List[T]) Clear() {
	for e := range l.All() {
		l.Remove(e)
	}
}

// All iterates over the elements, first to last. The loop may remove the
// element it is given, and add others.
func (l *List[T]) All() iter.Seq[*Element[T]] {
	return func(yield func(*Element[T]) bool) {
		for e := l.Front(); e != nil; {
			next := e.Next()
			if !yield(e) {
				return
			}
			e = next
		}
	}
}

// Backward is All from the last element to the first.
func (l *List[T]) Backward() iter.Seq[*Element[T]] {
	return func(yield func(*Element[T]) bool) {
		for e := l.Back(); e != nil; {
			prev := e.Prev()
			if !yield(e) {
				return
			}
			e = prev
		}
	}
}
