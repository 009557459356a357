package sizemap

import "testing"

// upTo counts from 1 to n.
func upTo(n int) next {
	i := 0
	return func() (int, bool) {
		i++
		return i, i <= n
	}
}

func TestMaps(t *testing.T) {
	self := func(i int) int { return i }
	for _, n := range []int{0, 1, 8, 9, 40, 200} {
		for i, m := range []map[int]int{counts(upTo(n)), dozens(upTo(n)), small(upTo(n)), varied(upTo(n)), large(upTo(n)), sized(upTo(n)), noted(upTo(n)), shadowed(upTo(n)), either(upTo(n), n%2 == 0), keyed(upTo(n), self)} {
			if m == nil || len(m) != n || m[n] != min(n, 1) {
				t.Errorf("%d: map %d has %d entries", n, i, len(m))
			}
		}
		if m := literal(upTo(n)); len(m) != n+1 || m[0] != 1 {
			t.Errorf("%d: %v", n, m)
		}
		if d := digested(upTo(n)); d == nil || len(d) != n {
			t.Errorf("%d: the digest has %d", n, len(d))
		}
		if s := shaped(upTo(n)); s == nil || len(s) != n {
			t.Errorf("%d: the shape has %d", n, len(s))
		}
		if x := indexed(upTo(n)); x.names == nil || len(x.names) != min(n, len(letters)) {
			t.Errorf("%d: the index has %d names", n, len(x.names))
		}
		if len(wide(upTo(n))) != n || len(boxed(upTo(n))) != n || local(upTo(n)) != n {
			t.Errorf("%d: entries are missing", n)
		}
	}
}

var (
	sink int
	last any
)

// keep makes the heap have a map.
func keep[M any](m M) { last = m }

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		for n := 100; n < 108; n++ {
			keep(dozens(upTo(n)))
		}
		for n := 40; n < 56; n++ {
			keep(counts(upTo(n)))
			keep(digested(upTo(n)))
			keep(indexed(upTo(n)))
			keep(shaped(upTo(n)))
			keep(small(upTo(6)))
			keep(varied(upTo(9)))
			keep(sized(upTo(n)))
			keep(literal(upTo(n)))
			keep(noted(upTo(n)))
			keep(shadowed(upTo(n)))
			keep(either(upTo(n), n%2 == 0))
			keep(keyed(upTo(n), func(i int) int { return i }))
			keep(boxed(upTo(n)))
			sink += local(upTo(n))
			m := map[int]int{}
			given(m, upTo(n))
			keep(m)
		}
		keep(small(upTo(30)))
		keep(large(upTo(5000)))
		keep(wide(upTo(800)))
		for i := range 4 {
			keep(varied(upTo(400 + 100*i)))
		}
	}
}
