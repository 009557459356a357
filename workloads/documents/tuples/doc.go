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
// Nobody has published numbers; database tuples are named as promising. CPU
// time against heap, from bench/results/workloads.md, where the command and the
// intervals are:
//
//	               n=10000  n=100000
//	presize           -27%      -24%
//	pool              -42%      -28%
//	stdarena          +12%       -9%
//	arena-safe         -2%      -12%
//	arena-typed       -39%      -18%
//	arena-recycle     -46%      -26%
//	handle            -45%      -34%
//
// No arena beats a pool of presized slices by more than the runs differ, and
// presizing alone gets more than half of the gain without any lifetime to keep:
// where the size is known, take that lever first. An arena gets as far with code
// that knows no sizes. arena-safe cannot be distinguished from heap. What is left is
// the sort, two thirds of the time at n=10000, which no place in memory makes faster.
package tuples
