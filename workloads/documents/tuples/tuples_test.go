package tuples

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"lessgc/arena"
	"lessgc/internal/alloctest"
)

// plain computes the output as the definition of the query says: a stable sort,
// and a join that compares each order with each customer.
func plain(in Input) Output {
	m := &memory{}
	r, n := readTable(in.orders)
	orders := readOrders(m, r, n.rows)
	r, n = readTable(in.customers)
	customers := readCustomers(m, r, n.rows)
	slices.SortStableFunc(orders, func(a, b *Order) int {
		return cmp.Or(cmp.Compare(a.City, b.City), -cmp.Compare(a.Amount, b.Amount))
	})
	out := Output{Orders: orders}
	for _, o := range orders {
		for _, c := range customers {
			if o.Customer == c.ID {
				out.Matches = append(out.Matches, Match{o, c})
			}
		}
	}
	out.Sum, out.Check = aggregate(out.Matches)
	return out
}

// differ returns where two outputs first differ, "" if they do not.
func differ(got, want Output) string {
	if len(got.Orders) != len(want.Orders) || len(got.Matches) != len(want.Matches) {
		return fmt.Sprintf("%d orders and %d matches, want %d and %d", len(got.Orders), len(got.Matches), len(want.Orders), len(want.Matches))
	}
	for i, o := range want.Orders {
		if !reflect.DeepEqual(got.Orders[i], o) {
			return fmt.Sprintf("order %d is %+v, want %+v", i, got.Orders[i], o)
		}
	}
	for i, x := range want.Matches {
		g, w := *got.Matches[i].Customer, *x.Customer
		g.next, w.next = nil, nil
		if got.Matches[i].Order.ID != x.Order.ID || !reflect.DeepEqual(g, w) {
			return fmt.Sprintf("match %d is of order %d and %+v, want %d and %+v", i, got.Matches[i].Order.ID, g, x.Order.ID, w)
		}
	}
	if got.Sum != want.Sum || got.Check != want.Check {
		return fmt.Sprintf("sum %v and checksum %x, want %v and %x", got.Sum, got.Check, want.Sum, want.Check)
	}
	return ""
}

func TestStrategies(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 100, 777, 3000} {
		in := NewInput(n)
		want := plain(in)
		for _, s := range Strategies {
			for range 2 { // the second time in recycled memory
				s.Do(in, func(got Output) {
					if d := differ(got, want); d != "" {
						t.Errorf("strategy=%s/n=%d: %s", s.Name, n, d)
					}
				})
			}
		}
	}
}

// TestInput checks that the input has what the strategies must get right: ties
// in the sort, several matches and none, nulls and empty texts, empty lists.
func TestInput(t *testing.T) {
	out := plain(NewInput(3000))
	ties, nulls, empties, lists := 0, 0, 0, 0
	for i, o := range out.Orders {
		if i > 0 && o.City == out.Orders[i-1].City && o.Amount == out.Orders[i-1].Amount {
			ties++
		}
		switch {
		case o.Note == nil:
			nulls++
		case *o.Note == "":
			empties++
		}
		if len(o.Items) == 0 {
			lists++
		}
	}
	matched := map[int64]int{}
	most := 0
	for _, x := range out.Matches {
		matched[x.Order.ID]++
		most = max(most, matched[x.Order.ID])
	}
	check := func(what string, n int) {
		t.Helper()
		if n == 0 {
			t.Errorf("no %s", what)
		}
	}
	check("ties", ties)
	check("nulls", nulls)
	check("empty notes", empties)
	check("empty lists", lists)
	check("orders without a match", len(out.Orders)-len(matched))
	check("orders with more than one match", most-1)
	if NewInput(3000).N != 3000 || !reflect.DeepEqual(NewInput(3000), NewInput(3000)) {
		t.Error("the input is not the same each time")
	}
}

// TestHashTable looks up IDs that are in the table and IDs that are not. In
// some of the tables an ID wants the slot of another, and in some of those that
// is the last one.
func TestHashTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 500 {
		n := round % 20
		var ids []int64
		for range n + 10 {
			ids = append(ids, int64(rnd.Uint64()))
		}
		var customers []*Customer
		for i := range n { // the second half repeats IDs of the first
			customers = append(customers, &Customer{ID: ids[i%max(n/2, 1)], Rate: float64(i)})
		}
		table := newTable(&memory{}, customers)
		if len(table.slots) < 2*n {
			t.Fatalf("%d slots for %d customers", len(table.slots), n)
		}
		for _, id := range ids {
			var got, want []float64
			for c := table.first(id); c != nil; c = c.next {
				got = append(got, c.Rate)
			}
			for _, c := range customers {
				if c.ID == id {
					want = append(want, c.Rate)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d customers: ID %d finds %v, want %v", n, id, got, want)
			}
		}
	}
}

// TestCollected checks that rows survive collections while they are in use.
func TestCollected(t *testing.T) {
	in := NewInput(3000)
	want := plain(in)
	for _, s := range Strategies {
		s.Do(in, func(got Output) {
			runtime.GC()
			garbage := make([]*Order, 10_000)
			for i := range garbage {
				garbage[i] = &Order{City: "garbage", Note: new(string), Items: make([]int32, 4)}
			}
			runtime.GC()
			if d := differ(got, want); d != "" {
				t.Errorf("strategy=%s: %s", s.Name, d)
			}
			runtime.KeepAlive(garbage)
		})
	}
}

// TestAllocs checks what a strategy leaves to the heap. Heap allocates more than
// four objects for an order; how much maps allocate depends on the release, and
// how many chunks an arena needs that recycles less than everything on when the
// last collection was.
func TestAllocs(t *testing.T) {
	if a := arena.NewArena(); a == nil {
		t.Skip("arenas are switched off")
	}
	const n = 10_000
	in := NewInput(n)
	check := func(strategy string, least, most int) {
		t.Helper()
		for _, s := range Strategies {
			if s.Name != strategy {
				continue
			}
			if got := alloctest.PerRun(t, func() { s.Do(in, func(Output) {}) }); got < least || got > most {
				t.Errorf("strategy=%s: %d allocations for %d orders, want %d to %d", s.Name, got, n, least, most)
			}
		}
	}
	check("heap", 4*n, 5*n)
	check("presize", 9, 40)
	check("pool", 1, 1)
	check("stdarena", 2, 10)
	check("arena-safe", 10, n/10)
	check("arena-typed", 1, n/50)
	check("arena-recycle", 0, 0)
	check("handle", 0, 0)
}

func BenchmarkTuples(b *testing.B) {
	for _, s := range Strategies {
		for _, n := range []int{10_000, 100_000} {
			b.Run(fmt.Sprintf("strategy=%s/n=%d", s.Name, n), func(b *testing.B) {
				in := NewInput(n)
				use := func(out Output) {
					if len(out.Orders) != n {
						b.Fatalf("%d orders, want %d", len(out.Orders), n)
					}
				}
				s.Do(in, use)
				b.ReportAllocs()
				for b.Loop() {
					s.Do(in, use)
				}
			})
		}
	}
}
