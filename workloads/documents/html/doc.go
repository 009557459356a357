// Package html is a workload that the linked-list write-up names as promising
// for arenas and does not measure: a page is parsed into a tree and written
// again, as a server does that changes pages on their way.
//
// One op parses a page from memory, writes it into a buffer that the caller
// keeps, and drops the tree. The page of the benchmark is go1.html, the release
// notes of Go 1, 78 kB and 4,086 nodes. The tests take the other inputs that
// golang.org/x/net/html is tested with, see [Testdata].
//
// The trees are made of [html.Node] of golang.org/x/net/html, so all that
// works on those works on a tree in an arena, as long as the arena lives.
//
// # Strategies
//
//   - xnethtml: [html.Parse] and [html.Render].
//   - heap: the tokenizer, parser and renderer of this package, nodes, slices
//     and strings from new, make and [strings.Clone]. All others share them, and
//     differ in where these live.
//   - stdarena: an arena of the standard library. Needs GOEXPERIMENT=arenas.
//   - arena-safe: an arena that leaves what it is given to the collector.
//   - arena-typed: an arena from a pool with the default policy: nodes and
//     slices are used again, strings are not.
//   - arena-recycle: the same with strings used again.
//   - handle: the same with a typed slab for nodes and one for attributes,
//     which saves looking them up by type.
//
// # The parser
//
// The tokenizer is our own, since the one of golang.org/x/net/html allocates:
// for each tag, each attribute and for its buffer. It makes the same tokens of
// all pages (TestTokens, FuzzHTML). It asks package html for rare character
// references, which allocates; common ones cost nothing.
//
// Trees are built by the rules of HTML for elements that have no end tag or
// need none, implied elements, raw text, lists, forms, controls, ruby, tables,
// frames and what follows the body. The limit of 512 open elements is that of
// html.Parse. Not covered, and read as the elements they look like:
//
//   - Formatting elements that are not closed where they were opened: the list
//     of active formatting elements, their reconstruction and the adoption
//     agency. An end tag of b closes the innermost b.
//   - Content of a table that belongs before it (foster parenting): it stays
//     inside the table.
//   - svg and math: no name spaces, no CDATA sections, no self-closing
//     elements.
//   - template.
//   - Document types of before HTML 4 that stand for quirks mode.
//
// So 1267 of the 1728 different pages of the corpus, which was made to test
// just these, have the tree of html.Parse, go1.html among them; each of the
// others has one of the above (TestTrees). One difference is not counted: html.Parse
// sorts the attributes of formatting elements, ours keeps their order.
//
// A page that has been parsed and written is parsed and written as it is, but
// for 26 pages of the corpus, which change once more: a script without an end
// gets an end tag that is not one, a form inside a form is dropped, a document
// type in upper case, which html.Parse takes for quirks mode, comes out in lower
// case (TestFixedPoint).
//
// # Results
//
// CPU time against xnethtml, from bench/results/workloads.md, where the command
// and the intervals are:
//
//	heap            -36%
//	stdarena        -43%
//	arena-safe      -48%
//	arena-typed     -67%
//	arena-recycle   -70%
//	handle          -70%
//
// The recycling strategies take half of the time of heap and leave next to no
// allocations (TestAllocs). Which of them makes no difference: reading and
// writing is most of what is left.
package html
