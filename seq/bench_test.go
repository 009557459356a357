package seq

import (
	"slices"
	"testing"
)

// BenchmarkStages has the stages over the same 1,000 numbers, each in a loop that
// the compiler sees. The module bench compares them with loops by hand.
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
	run("none", func() {
		for v := range slices.Values(numbers) {
			sink += v
		}
	})
	run("Pointers", func() {
		for v := range Pointers(numbers) {
			sink += *v
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
	run("Distinct", func() {
		for v := range Distinct(slices.Values(numbers), func(v int) int { return v % 64 }) {
			sink += v
		}
	})
}
