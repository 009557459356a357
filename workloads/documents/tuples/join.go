package tuples

import "math/bits"

// join returns the matches of orders and customers: the hash join of the
// textbook. It builds a table over the smaller side and looks every order up.
func join(m *memory, orders []*Order, customers []*Customer) []Match {
	switch m.kind {
	case onHeap:
		return joinLists(orders, customers)
	case isSized:
		return joinSized(m.sized, orders, customers)
	}
	return joinTable(m, orders, customers)
}

// joinLists is the join as one writes it first: a map of slices, nothing
// presized.
func joinLists(orders []*Order, customers []*Customer) []Match {
	byID := map[int64][]*Customer{}
	for _, c := range customers {
		byID[c.ID] = append(byID[c.ID], c)
	}
	var matches []Match
	for _, o := range orders {
		for _, c := range byID[o.Customer] {
			matches = append(matches, Match{o, c})
		}
	}
	return matches
}

// joinSized has a map of the right size and, instead of slices, customers that
// are linked.
func joinSized(s *sized, orders []*Order, customers []*Customer) []Match {
	for i := len(customers) - 1; i >= 0; i-- { // so that the first is in front
		c := customers[i]
		c.next = s.byID[c.ID]
		s.byID[c.ID] = c
	}
	matches := s.matches
	for _, o := range orders {
		for c := s.byID[o.Customer]; c != nil; c = c.next {
			matches = append(matches, Match{o, c})
		}
	}
	s.matches = matches // which may have grown
	return matches
}

// joinTable has a table of its own, because the slots of a map are on the heap
// whatever its keys and values are.
func joinTable(m *memory, orders []*Order, customers []*Customer) []Match {
	t := newTable(m, customers)
	var matches []Match
	for _, o := range orders {
		for c := t.first(o.Customer); c != nil; c = c.next {
			matches = push(m, matches, Match{o, c})
		}
	}
	return matches
}

// A hashTable finds customers by ID. It has open addresses: an ID is in its
// slot or in one behind it, with no free slot between.
type hashTable struct {
	slots []slot // a power of two, at most half of them in use
	shift int    // 64 less the bits of an index
}

// A slot is free if it has no first customer.
type slot struct {
	id    int64
	first *Customer
}

// newTable returns a table of customers. Customers of one ID are linked in
// their order.
func newTable(m *memory, customers []*Customer) hashTable {
	n := max(bits.Len(uint(2*len(customers))), 1)
	t := hashTable{slots: makeSlice(m, m.slotLists, 1<<n), shift: 64 - n}
	for i := len(customers) - 1; i >= 0; i-- {
		c := customers[i]
		s := t.slot(c.ID)
		s.id, c.next, s.first = c.ID, s.first, c
	}
	return t
}

// slot returns the slot that id is in or belongs in.
func (t *hashTable) slot(id int64) *slot {
	i := uint64(id) * 0x9E3779B97F4A7C15 >> t.shift
	for {
		s := &t.slots[i]
		if s.first == nil || s.id == id {
			return s
		}
		i = (i + 1) & uint64(len(t.slots)-1)
	}
}

// first returns the first customer of an ID, nil if there is none.
func (t *hashTable) first(id int64) *Customer { return t.slot(id).first }
