// Package clones is the published payload workload: a gRPC response is made
// of copies of one payload.
//
// One op takes one payload of size bytes, makes a list of clones copies of
// it, each in memory of its own and all live at once, and joins them into the
// message, which belongs to the caller. Copies and list die with the op. A
// response of one copy is that copy: there is nothing to join, and nothing that
// dies with the op.
//
// # Strategies
//
//   - heap: list and copies are ordinary slices.
//   - pool: list and copies come from a [sync.Pool], as one object.
//   - arena-recycle: list and copies come from an [arena.Arena] of a pool with policy
//     RecycleAll, the message from the heap.
//   - arena-safe: the same, and the message comes from an arena with policy
//     Safe, which is freed as well: its memory is valid for as long as the
//     caller has it, and shared with the messages before and after. Whoever
//     keeps one small message for long keeps up to 64 KiB.
//   - stdarena: list and copies come from an arena of the standard library,
//     freed at the end of the op. Needs GOEXPERIMENT=arenas.
//
// There is no in-place and no lazy strategy: the copies have to exist side by
// side.
//
// # Published
//
// Go 1.25.1, allocs/op in every row, on the heap and with the arena:
//
//	                   heap   arena
//	size=256/clones=8    10       3
//	size=1024/clones=8   10       3
//	size=4096/clones=1    1       1
//	size=4096/clones=32  34       3
//
// The op above has exactly these counts. On the heap they are the list, the
// copies and the message; with the arena two for the arena itself and one for
// the message. The write-up does not say what its message is, so times and
// B/op are comparable as ratios only.
//
// The published arena is slower than the heap in every row of more than one
// copy (256 B: +42 %), although it allocates less; the geomean of all rows is
// +1.5 %, that of Green Tea -5.1 %. A strategy wins if it is faster than the
// heap in each of these three rows, with no more allocs/op. The row of one
// copy is the same code in every strategy but arena-safe: it shows what a build
// costs those who do not use its arenas.
//
// # Two sets of benchmarks
//
// The benchmarks of this package are the four published rows and no others.
// They have no strategy in their names: it follows the build, the heap
// normally and the standard arena with GOEXPERIMENT=arenas. So a comparison
// of builds (two collectors, with and without arenas) finds the same four
// names everywhere, gives the published table, and ends in less than three
// minutes. The benchmarks of package clones/strategies run every strategy
// side by side in one build.
package clones
