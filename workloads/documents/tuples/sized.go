package tuples

import "strings"

// A sized memory is made, or made large enough, before the first row is read:
// one slice for each kind of thing, and one buffer for all text. It needs to
// know how much there will be, which the head of a table says.
type sized struct {
	orders       column[Order]
	customers    column[Customer]
	notes        column[string]
	items        column[int32]
	orderList    column[*Order]
	customerList column[*Customer]
	texts        strings.Builder
	byID         map[int64]*Customer
	matches      []Match
}

// expect makes room for two tables.
func (s *sized) expect(orders, customers sizes) {
	s.orders.expect(orders.rows)
	s.customers.expect(customers.rows)
	s.notes.expect(orders.notes + customers.notes)
	s.items.expect(orders.items + customers.items)
	s.orderList.expect(orders.rows)
	s.customerList.expect(customers.rows)
	s.texts.Grow(orders.bytes + customers.bytes)
	if s.byID == nil {
		s.byID = make(map[int64]*Customer, customers.rows)
	}
	if cap(s.matches) < orders.rows {
		s.matches = make([]Match, 0, orders.rows)
	}
}

// empty makes s ready for the next op. It lets go of the text, which would
// otherwise change under strings that someone has kept.
func (s *sized) empty() {
	s.orders.empty()
	s.customers.empty()
	s.notes.empty()
	s.items.empty()
	s.orderList.empty()
	s.customerList.empty()
	s.texts = strings.Builder{}
	clear(s.byID)
	clear(s.matches)
	s.matches = s.matches[:0]
}

// text returns a copy of b. It moves nothing that it returned before.
func (s *sized) text(b []byte) string {
	from := s.texts.Len()
	s.texts.Write(b)
	return s.texts.String()[from:]
}

// A column hands out the elements of one slice.
type column[T any] struct {
	all  []T
	used int
}

// expect makes room for n elements.
func (c *column[T]) expect(n int) {
	if cap(c.all) < n {
		c.all = make([]T, n)
	}
	c.all = c.all[:n]
}

// empty takes all elements back.
func (c *column[T]) empty() {
	clear(c.all)
	c.used = 0
}

func (c *column[T]) next() *T {
	c.used++
	return &c.all[c.used-1]
}

// cut returns n elements as a slice.
func (c *column[T]) cut(n int) []T {
	from := c.used
	c.used += n
	return c.all[from:c.used:c.used]
}
