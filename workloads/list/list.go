package list

import "iter"

// An element has the fields of container/list's Element.
type element struct {
	next, prev *element
	list       *List
	value      any // an *int
}

// A List is a doubly linked list of ints. It is only valid inside the
// function that [Strategy.Do] hands it to.
type List struct {
	root element // closes the ring: root.next is the first element
	len  int
}

// newList returns an empty list on the heap, whatever holds its elements.
func newList() *List {
	l := new(List)
	l.root.next = &l.root
	l.root.prev = &l.root
	return l
}

// Len returns the number of values.
func (l *List) Len() int { return l.len }

// Values iterates over the values, first to last.
func (l *List) Values() iter.Seq[int] {
	return func(yield func(int) bool) {
		for e := l.root.next; e != &l.root; e = e.next {
			if !yield(*e.value.(*int)) {
				return
			}
		}
	}
}

// append links e, which is in no list, behind the last element.
func (l *List) append(e *element) {
	last := l.root.prev
	e.prev, e.next, e.list = last, &l.root, l
	last.next = e
	l.root.prev = e
	l.len++
}
