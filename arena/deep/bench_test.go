package deep

import (
	"fmt"
	"testing"

	"lessgc/arena"
)

type record struct {
	name  string
	tags  []string
	next  *record
	props map[string]*record
}

// records returns n records in a that hang together.
func records(a *arena.Arena, n int, maps bool) *record {
	var last *record
	for i := range n {
		r := arena.New[record](a)
		r.name, r.next = a.String(fmt.Sprintf("record %d", i)), last
		r.tags = arena.Append(a, r.tags, r.name[:3], r.name)
		if maps && i%10 == 0 {
			r.props = map[string]*record{r.name: last}
		}
		last = r
	}
	return last
}

func BenchmarkClone(b *testing.B) {
	ints := make([]int, 100)
	b.Run("work=ints", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Clone(ints)
		}
	})
	for _, n := range []int{1, 50, 1000, 100_000} {
		for _, maps := range []bool{false, true} {
			r := records(nil, n, maps)
			b.Run(fmt.Sprintf("work=records/n=%d/maps=%t", n, maps), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Clone(r)
				}
			})
		}
	}
}

func BenchmarkDetach(b *testing.B) {
	pool := arena.Pool{Policy: arena.RecycleAll}
	for _, n := range []int{1, 50, 1000, 100_000} {
		b.Run(fmt.Sprintf("work=records/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a := pool.Get()
				Detach(a, records(a, n, false))
				a.Free()
			}
		})
	}
}
