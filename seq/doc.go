// Package seq has the stages that the packages [iter], [slices] and [maps] lack to
// write a loop as a chain, without slices in between. Every stage takes an
// [iter.Seq] and returns one. Sources and sinks are those of the standard library,
// and [Pointers]:
//
//	cheap := seq.Filter(seq.Pointers(items), func(i *Item) bool { return i.InStock() && i.Price < 100 })
//	names := seq.Map(cheap, (*Item).String)
//	for name := range seq.Take(names, 2) {
//		fmt.Println(name)
//	}
//
// Nothing runs before a loop starts. Then each value goes through the whole chain
// before the next one is taken; when the loop stops, so does the source. A panic in
// a function goes to the loop's caller. A chain can be looped over again, and by
// several goroutines at once if that is true of its source and functions.
//
// # Cost
//
// A chain that is written as one expression, or with variables that are assigned
// once, allocates nothing, but [Distinct] a map. It becomes one loop without
// calls, as fast as if written by hand, if
//
//   - its values are at most four words, structs of at most four fields, and arrays
//     of one element. The compiler copies others through memory at each stage, 5
//     to 35 times the loop by hand: begin with [Pointers], not slices.Values.
//   - no stage and no source occurs twice, be it for another type: the compiler
//     does not inline a function into itself. Join what two Filters or two Maps
//     would do in one function, or else each stage costs up to two calls per
//     value, 5 to 10 times a loop that does little else.
//   - its functions are small, and literals, or named, or made by an inlined
//     function. One that is a parameter or in a slice is called for each value.
//
// A loop that stops early, by [Take] or break, tests after each value whether to
// go on: up to half of the cost of a loop that only adds. With a source that
// is a parameter each stage costs up to four small objects per loop, and [FlatMap]
// one for each value. TestAllocs, TestAllocsHidden and TestInlined pin this; the
// speeds are in bench/results/seq.md.
package seq
