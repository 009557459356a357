// Package gosyntax is the syntax-tree workload: Go sources are parsed into the
// nodes of [go/ast], the tree is used and dropped.
//
// One op parses one source, which is in memory, comments included, into a tree
// that shares no memory with the source. The benchmark parses five files of the
// release in turn.
//
// # Strategies
//
//   - goparser: [go/parser.ParseFile] with ParseComments and
//     SkipObjectResolution, the mode of tools that look at syntax.
//   - heap: the parser of this package, nodes from new.
//   - stdarena: nodes, lists and text from an arena of the standard library.
//     Needs GOEXPERIMENT=arenas.
//   - arena-safe: from an [lessgc/arena.Arena] that leaves its memory to the
//     collector.
//   - arena-typed: from a pool that recycles nodes and lists but not text.
//   - arena-recycle: from a pool that recycles everything.
//   - handle: arena-recycle, with a slab for each type of node instead of a
//     search for it at each node.
//
// There is no pool strategy: a tree is 60 types of object with pointers
// between them, and to put each one back costs a walk that drops every pointer.
//
// # The parser
//
// All strategies but goparser share one parser, so that they differ in where
// the tree is and in nothing else. It accepts and rejects what the go/parser of
// the same release does, generic methods from Go 1.27 on included, and its trees
// are equal: every node, position, list (nil where go/parser's is) and comment,
// and the same places share a node. TestCorpus compares some 2,000 files of the
// release, TestMutated and FuzzParse what is nearly Go. It differs in this:
//
//   - It stops at the first error, without a tree. go/parser goes on, and
//     returns what it could make of the rest.
//   - Both stop at a depth of 100,000, but count levels differently, and
//     go/parser does not count the terms of a union. TestDepth pins that.
//   - Nodes that go/parser makes and drops, such as the statement around the
//     condition of an if or around range x, are not made, or made and not in
//     the tree.
//   - Lists are collected on stacks that are kept from one source to the next,
//     and then copied: they have no spare capacity.
//
// The scanner is its own. With go/scanner no arena can help with text: it makes
// a string on the heap of every name, literal, keyword and comment, 22,300 for
// the five files, a quarter of all allocations, and alone takes three times as
// long as ours. Go/parser's tree does not share memory with the source, and
// neither does ours: one copy of the source is made, in the memory of the tree,
// and all text is part of it. So a name that is kept keeps the source, and with
// arena-recycle and handle a name must be cloned to be kept; TestKept pins what
// the others promise.
//
// # Results
//
// Nobody has published numbers; syntax trees are named as promising. CPU time
// against goparser for the five files (354 kB, 44,000 nodes), and allocations,
// from bench/results/workloads.md, where the command and the intervals are:
//
//	               CPU time  allocs
//	goparser                  88450
//	heap               -31%   58579
//	stdarena           -32%      17
//	arena-safe         -26%     669
//	arena-typed        -62%       8
//	arena-recycle      -67%       2
//	handle             -70%       2
//
// The parser, mostly its scanner, takes off a third before any arena does: text
// that is not copied needs no memory. Recycling more than halves what is left;
// the rest is scanning. An arena that is not recycled gains nothing here: it
// gives the collector the same bytes in fewer pieces, and some more, since each
// of fifty types has a chunk that is not full. Two allocations are those of package
// go/build/constraint, for the one file that has a build constraint. Where trees
// are kept, as in a server for an editor, there is nothing to drop together, and
// only the first part of the gain can be had.
package gosyntax
