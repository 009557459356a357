// Package stacktree is the published continuous-profiler workload: the stacks
// of a profile are parsed and inserted into a prefix tree.
//
// One op parses one profile, as collapsed stacks or as a pprof file, makes its
// tree, and drops the tree. A node has a name, what the stacks that end in it
// count, what all stacks through it count, and children in the order of their
// names. A name is a copy: a service hands the input's buffer on as soon as it
// is parsed. Collapsed stacks are copied frame by frame, one copy per node; a
// pprof file has a table of names, one copy per name that is in the tree.
//
// Both parsers are complete. What is wrong with an input is an error that says
// where, and what would need too much memory or time is an error too: a small
// file may unpack to a large one, and a pprof file may repeat a long stack in a
// few bytes. A ';' inside a name becomes ':', since a tree can be written as
// collapsed stacks; the names of Go's generic functions have some.
//
// # Strategies
//
//   - heap: nodes, their slices of children and names are ordinary objects.
//   - pool: nodes, with their slices, come from a [sync.Pool], all nodes of a
//     tree as one object. Names are on the heap: a string must not change.
//   - arena-safe: all three from an arena that leaves its memory to the
//     collector.
//   - arena-typed: from a pooled arena that uses all but names again.
//   - arena-recycle: from a pooled arena that uses everything again.
//   - handle: the same, nodes and slices through typed handles.
//   - stdarena: from an arena of the standard library. Needs
//     GOEXPERIMENT=arenas.
//
// There is no in-place and no lazy strategy: the tree is what is asked for. The
// parsers and the tree are the same code in all strategies, with a branch where
// memory is asked for, and what a parser needs besides the tree comes from a
// pool in all of them. So they differ in the memory of the tree only.
//
// # Profiles
//
// Every strategy runs with two profiles in both formats. One is [Synthetic],
// the same bytes everywhere. The other is real: a process of its own parses and
// prints the source of go/parser, with every allocation recorded, and writes
// its profile with runtime/pprof. It is a tree of about 19,000 nodes, follows
// the release of Go, and its stacks are deeper, with fewer new nodes in each:
// there most of the time is searching, and little is left for memory to save.
// Times of different profiles say nothing about each other.
//
// Allocations of one op with the synthetic profile, as TestAllocs counts them:
// the tree, its root, then
//
//	                    collapsed           pprof, not compressed
//	heap                about 3 per node    about 2 per node, 1 per name
//	pool                1 per node          1 per name
//	arena-safe          1 per chunk         1 per chunk
//	arena-typed         1 per chunk         1 per chunk
//	                    of names            of names
//	arena-recycle       none                none
//	handle              none                none
//	stdarena            3 for the arena     3 for the arena
//
// In all strategies but heap the root is in the memory of the tree. A
// compressed file adds what package compress/gzip allocates, a few hundred
// objects, the same in all.
//
// # Published
//
// Go 1.20, a service that ingests profiles:
//
//	the insertion's share of all allocated objects   65 %
//	CPU in runtime.mallocgc                          about 14 %
//	CPU in runtime.gcBgMarkWorker                    about 5 %
//	CPU of the whole service with std arenas         -8 %
//	overhead of the collector with std arenas        halved
//
// The two shares of CPU add up to 19 %: no memory can save that service more.
// The write-up has no benchmark of the parser alone, so no time here compares
// with it. A strategy wins if it is faster than heap and stdarena in both
// formats and with both profiles, in time and in CPU time.
package stacktree
