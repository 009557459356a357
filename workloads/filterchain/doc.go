// Package filterchain is the published filter workload: four filters over a
// slice of n ints, then the sum of what is left.
//
// One op makes the four filters and sums a slice through them. About half of
// the values are left. The benchmarks give every strategy a fresh copy of the
// values in each op, because one of them overwrites its input: the copy is
// part of the time, the same part in all.
//
// # Strategies
//
//   - slices: each filter makes a new slice of its input's capacity.
//   - inplace: each filter moves what it keeps to the front of its input. The
//     caller's values are overwritten.
//   - lazy: each filter is an [iter.Seq]; a value goes through the whole chain
//     before the next one starts.
//   - seq-array: lazy with lessgc/seq, and one function for the four filters.
//     They are called through the func values of an array, as in all of the above.
//   - seq: the same with the four filters written where they are used. The
//     compiler inlines them, and the chain is one loop without calls.
//
// There is no stdarena and no pool strategy: slices that can be dropped
// altogether need no better place.
//
// # Published
//
// Go 1.23:
//
//	                         ns/op     B/op  allocs/op
//	strategy=slices/n=100     1256     3720          8
//	strategy=inplace/n=100    1051      136          4
//	strategy=slices/n=5000   74062   163977          8
//	strategy=lazy/n=5000     66137      336         12
//
// In place there is nothing to allocate but the filters, so each of the four
// is a closure on the heap, because it captures something and the compiler does
// not see who calls it: 136 B with what the published ones capture, 80 B with
// the one or two ints of ours. The slices are the same: 4 of 896 B for n=100,
// 4 of 40960 B for n=5000. The lazy chain of the write-up allocates 8 objects
// besides its filters, ours 11: one for the values, two for each filter, two
// for the loop at the end. Neither number depends on n. seq-array allocates
// nothing besides its filters, seq nothing at all.
//
// A strategy wins if it is faster than slices at both n and what it allocates
// does not grow with n. The mark for lessgc/seq is higher: faster than the best
// of the three at either n, and seq at most a third of the time of slices at
// n=5000. For seq-array a third is about what the 16,000 calls of filters cost
// and no chain can go below. In the service of the write-up, lazy chains took CPU
// time down by 57 % and allocated bytes by 99.4 %, far more than the ns/op above
// promise: a benchmark has next to no live heap for the collector to mark.
package filterchain
