// Package list is the published linked-list workload: a doubly linked list of
// the shape of [container/list] is filled with n values and dropped.
//
// One op makes an empty list, appends the values 0 to n-1 and drops the list.
// An element is two links, the pointer to its list and an any. The any holds
// an *int in every strategy: an int would be boxed on the heap wherever its
// element is. Boxing it costs what new(int) costs, except for 0 to 255, which
// the runtime has ready. So a value is one object of 8 bytes, and strategies
// differ only in where it and its element are.
//
// # Strategies
//
//   - heap: element and value from new.
//   - pool: elements from a [sync.Pool], each with a value that it keeps; to
//     drop the list is to put every element back.
//   - arena-safe: both from a [arena.Arena] that leaves its memory to the
//     collector when the list is dropped.
//   - arena-typed, arena-recycle: both from an arena of a pool, with policy
//     RecycleTyped and RecycleAll. Without strings they do the same.
//   - handle: as arena-recycle, through one handle for each type.
//   - stdarena-elements: elements from an arena of the standard library,
//     values from the heap. To drop the list is to free the arena. Needs
//     GOEXPERIMENT=arenas.
//   - stdarena: elements and values from the arena. Needs
//     GOEXPERIMENT=arenas.
//
// There is no in-place and no lazy strategy: the list is what is asked for.
//
// # Published
//
// Go 1.20, time of the heap and against the heap:
//
//	           heap      stdarena-elements  stdarena
//	n=10000     0.30 ms   -4.2 %             -8.4 %
//	n=100000    4.58 ms  -39.5 %            -42.1 %
//	n=1000000  62.07 ms  -54.9 %            -56.8 %
//
// With Free forgotten the arena was three times slower. A strategy wins if it
// is faster than heap and stdarena at every n, in time and in CPU time: the
// collector runs beside the op, and the time of the op alone hides part of what
// it costs.
package list
