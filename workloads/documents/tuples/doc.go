// Package tuples is the database workload: a query reads the rows of two
// tables, sorts one by two columns, joins it with the other by hash, and
// aggregates.
//
// One op decodes n orders and n/10 customers from an encoded page, sorts the
// orders by city and falling amount (ties stay in order), builds a hash table
// of the customers, looks every order up in it, and computes a sum and a
// checksum over the matches. An order is two int64, a float64, a string, a
// nullable *string and a slice of int32; a customer is alike. The result is
// used and everything is dropped.
//
// # Strategies
//
//   - heap: rows, texts and slices one by one from the heap; lists by append;
//     the join with a map of slices.
//   - presize: what the head of a page says is used: rows, notes and items each
//     from one slice of the right size, one buffer for all text, lists with
//     their capacity, a map with its size, and customers linked instead of in
//     slices.
//   - pool: what presize makes is kept in a [sync.Pool] for the next op, except
//     the text.
//   - stdarena: the code of heap with an arena of the standard library, but
//     the join with a hash table that is in the arena. Needs
//     GOEXPERIMENT=arenas.
//   - arena-safe, arena-typed, arena-recycle: the same with an
//     [lessgc/arena.Arena] that leaves its memory to the collector, with one
//     from a pool that recycles all but text, and that recycles everything.
//   - handle: arena-recycle, with a slab for each type of row.
//
// The arenas do not presize: they are for code that does not know how much
// there will be. There is no in-place strategy: what a page holds are bytes,
// not rows.
//
// # Results
//
// Nobody has published numbers; database tuples are named as promising. Go
// 1.26, two shared cores: CPU time of the op and of the collection it causes,
// median of interleaved runs, against heap. Runs differed by a tenth.
//
//	               n=10000  n=100000  allocs at n=10000
//	heap              1.00      1.00  45220
//	presize           0.70      0.75     14
//	pool              0.50      0.70      1
//	stdarena          1.20      1.40      2
//	arena-safe        0.75      0.80     90
//	arena-typed       0.55      0.70      6
//	arena-recycle     0.50      0.55      0
//	handle            0.45      0.55      0
//
// At n=10000 no arena beats a pool of presized slices by more than the runs
// differ, and presizing alone gets more than half of the gain without any
// lifetime to keep: where the size is known, take that lever first. An arena
// gets as far with code that knows no sizes. At n=100000 recycled arenas are
// ahead, in part because their hash table is a plain one and not a map. What is
// left is the sort, two thirds of the time at n=10000, which no place in memory
// makes faster. The standard arena is slower than the heap.
package tuples
