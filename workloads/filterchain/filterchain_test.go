package filterchain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lessgc/internal/alloctest"
)

// plain is the chain as one loop.
func plain(in []int, chain Chain) int {
	total := 0
	for _, v := range in {
		if chain[0](v) && chain[1](v) && chain[2](v) && chain[3](v) {
			total += v
		}
	}
	return total
}

func TestStrategies(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, s := range Strategies {
		t.Run("strategy="+s.Name, func(t *testing.T) {
			check := func(values []int, n int) {
				t.Helper()
				in := slices.Clone(values)
				if got, want := s.Sum(in, n), plain(values, NewChain(n)); got != want {
					t.Fatalf("%d values, n=%d: sum %d, want %d", len(values), n, got, want)
				}
				if !s.Mutates && !slices.Equal(in, values) {
					t.Fatalf("%d values, n=%d: input changed", len(values), n)
				}
			}
			check(nil, 0)
			check([]int{}, 100)
			for range 300 {
				n := 1 + rnd.IntN(1000)
				values := make([]int, rnd.IntN(1000))
				for i := range values {
					values[i] = rnd.IntN(2*n) - n/2
				}
				check(values, n)
			}
		})
	}
}

// TestChains gives the strategies that take any chain some that keep all or
// nothing.
func TestChains(t *testing.T) {
	all := Filter(func(int) bool { return true })
	none := Filter(func(int) bool { return false })
	sums := map[string]func([]int, Chain) int{
		"slices": newSlices, "inplace": inPlace, "lazy": lazy, "seq-array": seqArray,
	}
	for name, sum := range sums {
		check := func(chain Chain, want int) {
			t.Helper()
			if got := sum([]int{1, 2, 3}, chain); got != want {
				t.Errorf("strategy=%s: sum %d, want %d", name, got, want)
			}
		}
		check(Chain{all, all, all, all}, 6)
		for i := range 4 {
			chain := Chain{all, all, all, all}
			chain[i] = none
			check(chain, 0)
			chain[i] = func(v int) bool { return v != 2 }
			check(chain, 4)
		}
	}
}

// TestMutates checks that in place means it: a strategy that says it mutates
// and does not would need no fresh input.
func TestMutates(t *testing.T) {
	values := rand.New(rand.NewPCG(1, 2)).Perm(100)
	for _, s := range Strategies {
		in := slices.Clone(values)
		s.Sum(in, len(in))
		if got := !slices.Equal(in, values); got != s.Mutates {
			t.Errorf("strategy=%s: mutates its input: %v, want %v", s.Name, got, s.Mutates)
		}
	}
}

// TestShare checks what the comment of NewChain says.
func TestShare(t *testing.T) {
	for _, n := range sizes {
		left := 0
		chain := NewChain(n)
		for v := range n {
			if chain[0](v) && chain[1](v) && chain[2](v) && chain[3](v) {
				left++
			}
		}
		if left < n*4/10 || left > n*6/10 {
			t.Errorf("n=%d: %d values left, want about half", n, left)
		}
	}
}

// TestAllocs pins the counts in the package comment. They include the four
// filters.
func TestAllocs(t *testing.T) {
	want := map[string]int{
		"slices":    8,
		"inplace":   4,
		"lazy":      15,
		"seq-array": 4,
		"seq":       0,
	}
	for _, s := range Strategies {
		want, ok := want[s.Name]
		if !ok {
			t.Errorf("strategy=%s: no count", s.Name)
		}
		for _, n := range sizes {
			values := rand.New(rand.NewPCG(1, 2)).Perm(n)
			in := make([]int, n)
			got := alloctest.PerRun(t, func() {
				copy(in, values)
				s.Sum(in, n)
			})
			if got != want {
				t.Errorf("strategy=%s/n=%d: %d allocations, want %d", s.Name, n, got, want)
			}
		}
	}
}

// sizes are the published lengths.
var sizes = []int{100, 5000}

func BenchmarkFilterChain(b *testing.B) {
	for _, s := range Strategies {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("strategy=%s/n=%d", s.Name, n), func(b *testing.B) {
				values := rand.New(rand.NewPCG(1, 2)).Perm(n)
				in := make([]int, n)
				b.ReportAllocs()
				for b.Loop() {
					copy(in, values)
					s.Sum(in, n)
				}
			})
		}
	}
}
