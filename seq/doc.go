// Package seq has what the packages [iter], [slices] and [maps] lack to write a
// loop as a chain of stages without slices in between. Every stage takes an
// [iter.Seq] and returns one; sources and sinks are those of the standard library:
//
//	cheap := seq.Filter(slices.Values(items), seq.And2(Item.InStock, below(100)))
//	names := seq.Map(cheap, Item.String)
//	for name := range seq.Take(names, 2) {
//		fmt.Println(name)
//	}
//
// # Order and early stop
//
// Nothing runs before a loop starts. Then one value at a time goes through the
// whole chain before the next one is taken from the source, and when the loop
// stops, so does the source: no function is called for a later value. [Zip] takes
// one value more where it says so; [Sort] and [Least] take all values before they
// return the first. A panic in a function goes to the loop's caller.
//
// No stage writes to the source. What a stage returns can be looped over again,
// each time from the start, and by several goroutines at once if that is true of
// its source and functions; [Chunk] and [Least] use a buffer of the caller and
// are the exception.
//
// # Cost
//
// A chain that is written where the compiler sees it, from the source to the
// loop, allocates nothing: as one expression, or with variables that are assigned
// once. It becomes one loop without calls, as fast as if written by hand, if the
// functions are small and
//
//   - no stage and no source occurs twice: the compiler does not inline a function
//     into itself. So join filters with [And2], [And3] or [And4], and do in one
//     Map what two would do. With a stage that occurs again, every stage costs up
//     to two calls per value.
//   - the functions are literals, or named, or made by a function that is inlined.
//     One that the compiler does not see, because it is a parameter or in a
//     slice, is called for each value; all else is inlined still.
//
// [Zip] and [Sort] allocate in any case, and cost as much as they say.
//
// An iter.Seq that comes from elsewhere, such as a parameter, hides what it does
// with the stage behind it. Then each stage costs up to four small objects per
// loop, whatever the number of values, but [FlatMap] one more for each value.
//
// TestAllocs, TestAllocsHidden and TestInlined pin all of this.
package seq
