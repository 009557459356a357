package seq

import (
	"cmp"
	"slices"
	"testing"
)

// BenchmarkStages has the stages over the same 1,000 numbers, each in a loop that
// the compiler sees, and what the standard library has for the same.
func BenchmarkStages(b *testing.B) {
	run := func(name string, loop func()) {
		b.Run("stage="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				loop()
			}
		})
	}
	even := multipleOf(2)
	buf := make([]int, 10)
	run("none", func() {
		for v := range slices.Values(numbers) {
			sink += v
		}
	})
	run("Filter", func() {
		for v := range Filter(slices.Values(numbers), even) {
			sink += v
		}
	})
	run("Filter-twice", func() {
		for v := range Filter(Filter(slices.Values(numbers), even), even) {
			sink += v
		}
	})
	run("Map", func() {
		for v := range Map(slices.Values(numbers), double) {
			sink += v
		}
	})
	run("Take", func() {
		for v := range Take(slices.Values(numbers), len(numbers)) {
			sink += v
		}
	})
	run("Chunk", func() {
		for v := range Map(Chunk(slices.Values(numbers), buf), func(c []int) int { return c[0] }) {
			sink += v
		}
	})
	run("Least", func() {
		for v := range Least(slices.Values(numbers), buf, cmp.Compare) {
			sink += v
		}
	})
	run("Sort-first-10", func() {
		for v := range Take(Sort(slices.Values(numbers), cmp.Compare), 10) {
			sink += v
		}
	})
	run("Sort-all", func() {
		for v := range Sort(slices.Values(numbers), cmp.Compare) {
			sink += v
		}
	})
	run("slices.SortedFunc", func() {
		for v := range slices.Values(slices.SortedFunc(slices.Values(numbers), cmp.Compare)) {
			sink += v
		}
	})
	run("Zip", func() {
		for v, w := range Zip(slices.Values(numbers), slices.Values(numbers)) {
			sink += v + w
		}
	})
}
