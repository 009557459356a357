package tuples

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// An Order is a row of the first table.
type Order struct {
	ID       int64 // in the order of the input
	Customer int64
	Amount   float64
	City     string
	Note     *string // nil for null
	Items    []int32
}

// A Customer is a row of the second table.
type Customer struct {
	ID   int64
	Rate float64
	Name string
	Note *string // nil for null

	next *Customer // of the same ID, in the order of the input
}

// A Match is a row of the join: an order and a customer of the same ID.
type Match struct {
	Order    *Order
	Customer *Customer
}

// An Output is the result of an op. It is only valid inside the function that
// [Strategy.Do] hands it to.
type Output struct {
	Orders  []*Order // by city, then by amount, largest first, then as in the input
	Matches []Match  // in the order of Orders, then as in the second table

	Sum   float64 // of amount times rate over all matches
	Check uint64  // depends on every column of every match and on their order
}

// run is one op in memory m.
func run(m *memory, in Input, use func(Output)) {
	orderRows, o := readTable(in.orders)
	customerRows, c := readTable(in.customers)
	if m.kind == isSized {
		m.sized.expect(o, c)
	}
	orders := readOrders(m, orderRows, o.rows)
	customers := readCustomers(m, customerRows, c.rows)
	slices.SortFunc(orders, compare)
	out := Output{Orders: orders, Matches: join(m, orders, customers)}
	out.Sum, out.Check = aggregate(out.Matches)
	use(out)
}

// compare orders by city and falling amount. No two orders are equal: the ID
// makes the sort a stable one.
func compare(a, b *Order) int {
	if c := strings.Compare(a.City, b.City); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Amount, a.Amount); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

func aggregate(matches []Match) (sum float64, check uint64) {
	for _, x := range matches {
		o, c := x.Order, x.Customer
		sum += o.Amount * c.Rate
		check = mix(check, uint64(o.ID), uint64(o.Customer), math.Float64bits(o.Amount), uint64(len(o.City)), uint64(c.ID))
		check = mix(check, math.Float64bits(c.Rate), uint64(len(c.Name)), noteLen(o.Note), noteLen(c.Note))
		for _, v := range o.Items {
			check = mix(check, uint64(v))
		}
	}
	return sum, check
}

// noteLen distinguishes null from empty.
func noteLen(s *string) uint64 {
	if s == nil {
		return null
	}
	return uint64(len(*s))
}

// mix takes values into a checksum.
func mix(check uint64, values ...uint64) uint64 {
	for _, v := range values {
		check = (check ^ v) * 0x9E3779B97F4A7C15
		check ^= check >> 29
	}
	return check
}

func readOrders(m *memory, r reader, n int) []*Order {
	list := m.orderList()
	for range n {
		o := m.order()
		o.ID, o.Customer, o.Amount = int64(r.number()), int64(r.number()), r.float()
		o.City = m.text(r.bytes(r.length()))
		o.Note = readNote(m, &r)
		o.Items = m.items(r.length())
		for i := range o.Items {
			o.Items[i] = r.item()
		}
		list = push(m, list, o)
	}
	return list
}

func readCustomers(m *memory, r reader, n int) []*Customer {
	list := m.customerList()
	for range n {
		c := m.customer()
		c.ID, c.Rate = int64(r.number()), r.float()
		c.Name = m.text(r.bytes(r.length()))
		c.Note = readNote(m, &r)
		list = push(m, list, c)
	}
	return list
}

func readNote(m *memory, r *reader) *string {
	n := r.length()
	if n == null {
		return nil
	}
	s := m.note()
	*s = m.text(r.bytes(n))
	return s
}
