// Package arenas measures lessgc's arena side by side with the heap, sync.Pool,
// the standard library's experimental arena and the public Go allocators for
// things that die together, and states what goes wrong with each of them. All
// of it is tests and benchmarks:
//
//	go run ./cmd/lessgc compare -col /alloc ./bench/arenas
//	GOEXPERIMENT=arenas go test ./bench/arenas -update
//
// The second command rewrites the table in docs/arenas-compared.md.
//
// # Workloads
//
// One op gets memory from an allocator, builds, walks what it built, and gives
// everything back.
//
//   - list10k, list100k, list1m: a list of n elements of 40 bytes, each with a
//     value of 16 bytes in an any.
//   - tree18: a binary tree of 2^19-1 nodes of two pointers.
//   - req: 1000 objects of {int64, string}, a slice of pointers to them and the
//     bytes of the strings, on every processor at once.
//   - trie: 2000 stacks of 8 to 40 functions in a prefix tree of about 34,000
//     nodes, each with its own copy of the name and a growing slice of children.
//   - clones256x1 to clones4096x32: copies of a payload, alive at once.
//
// Every op is generated from one template, gen/op.tmpl, with the expressions of
// one allocator filled in: the same loop for all, and no call through an
// interface or a closure that the library does not make itself. Only sync.Pool,
// which takes back object by object, is written by hand. All ops of a workload
// return the same checksum. The metric loop-cpu-ns/op is the CPU time of the
// process, collector included, while the loop ran: in a steady state, where the
// figures of lessgc compare hold the first filling of a region as well.
//
// # Allocators
//
// Each is used as its documentation asks, in the configuration in which it is
// fastest and still correct. A region that can be emptied is kept in a
// sync.Pool between ops, large enough that it never grows again.
//
//   - heap: new and make.
//   - syncpool: objects from a sync.Pool, put back one by one; in req, one
//     object with all that a request needs.
//   - stdarena: package arena of the standard library (GOEXPERIMENT=arenas).
//   - safearena: scttfrdmn/safearena, its Pool (GOEXPERIMENT=arenas). Slices are
//     on the heap: that is what its AllocSlice does.
//   - nuke: ortuman/nuke, one buffer that holds the whole op. Several buffers
//     are searched from the first to the last in every allocation.
//   - goarena: wundergraph/go-arena, its monotonic arena with one buffer.
//   - slab: jokruger/slab, one Slab for each type; SliceSlabs where sizes are
//     known, and the heap for the strings and children of trie.
//   - ristretto: z.Allocator of dgraph-io/ristretto/v2; AllocateAligned, because
//     Allocate neither aligns nor clears.
//   - offheap: Arena of xDarkicex/memory, aligned to 8 bytes. Objects are
//     cleared by the caller, because Reset leaves old contents.
//   - malloc: modernc.org/memory, UnsafeCalloc and Close, which is its only way
//     to free everything at once and unmaps it.
//   - bytearena: package arena of siddontang/go; bytes only.
//   - safe, typed, recycle, handle: lessgc/arena. NewArena (Free leaves the
//     memory to the collector); a Pool with policy RecycleTyped; a Pool with
//     RecycleAll; the same with a typed handle for each type.
//
// nuke, goarena, ristretto, offheap and malloc are correct here only because
// the workloads copy every string into the region and keep no pointer to the
// heap in it but that of the list, which the stack keeps alive. What happens
// otherwise is in docs/arenas-compared.md.
package arenas

//go:generate go run ./gen
