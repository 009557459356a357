// Package structures measures data structures that are built, searched and
// freed as a whole, in memory of lessgc's arenas, of public Go allocators and of
// the heap, and the same structures written by hand as the limit. All of it
// is tests and benchmarks:
//
//	go run ./cmd/lessgc compare -col /alloc -bench Structures ./bench/structures
//	go run ./cmd/lessgc compare -col /alloc -bench 'Structures/work=skiplist' ./bench/structures
//
// # Structures
//
// One op gets memory from an allocator, builds a structure from input that is
// always the same, searches it, frees everything and returns a checksum.
//
//   - btree100k, btree100: a B-tree of degree 32 of keys in random order, whose
//     slices grow by append. Each key is looked for, and another.
//   - skiplist100k, skiplist100: a skip list, each node with a slice of links.
//   - matrix1000, matrix8: rows of float64, each allocated for itself, filled and
//     multiplied with a vector.
//   - json300, json20k, json1m: the tree of a document of so many bytes, with
//     a copy of each string.
//   - regexp: the syntax tree of one pattern, of 5 to 60 nodes.
//   - intern100k: 100,000 words, of which 10,000 are distinct, each replaced by
//     its one copy in a table.
//   - bfs5m: 5 million edges between 500,000 vertices as lists that grow by
//     append, searched breadth first.
//   - map1m, map5: a hash table of so many entries that grows from 8 slots.
//   - radix50k: a radix tree of 50,000 paths with a copy of each suffix.
//
// The code of a structure is generated from its template in folder gen, with
// the expressions of one allocator filled in, so that no allocation is a call that
// the library does not make itself. What does not allocate is the same function for
// all allocators. The metric loop-cpu-ns/op is the CPU time of the process,
// collector included, after the third op.
//
// # Allocators
//
//   - heap: new, make, append and strings.Clone; for intern100k and the maps, the
//     map of the language. There heaptable is the code of the others on the heap.
//   - safe, typed, recycle, handle: lessgc/arena. NewArena; a Pool with policy
//     RecycleTyped; a Pool with RecycleAll; the same with a slab for each type
//     from Of.
//   - slab: jokruger/slab, one Slab for each type and one SliceSlab for each
//     type of slices. Larger slices, and those that outgrow theirs, are on the heap.
//     Not for bfs and maps, whose slices have no usual size.
//   - nuke, goarena, ristretto: ortuman/nuke, wundergraph/go-arena and the
//     z.Allocator of dgraph-io/ristretto, each with one buffer that holds the
//     whole op. The collector does not look into it: they are correct here only
//     because nothing in it points to the heap.
//   - floor: one slice for each type, emptied by setting its length to 0. Memory
//     is not zeroed but where the structure relies on it, when it is handed out. What
//     is left is the structure itself: an allocator of typed memory can
//     only save the zeroing of objects, or put them elsewhere.
//   - hand: the structure as one would write it to allocate nothing: slices with
//     indexes instead of pointers, adjacency lists in one slice, a table that is
//     large enough from the start. handsplit is a skip list with its links in
//     a slice of their own, where hand has them next to the node.
//   - heapjoined, handlejoined: skip lists only, new and handle with a node and its
//     links in one object.
//
// Each library gets its size in advance, by a run that counts; a region is in
// a sync.Pool between ops.
package structures

//go:generate go run ./gen
