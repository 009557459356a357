// Package xml is a workload that the linked-list write-up names as promising
// for arenas and does not measure: a document is decoded into a tree, looked
// at and dropped.
//
// One op decodes one document from memory and drops the tree. Two documents:
//
//   - sheet: the sheet of an .xlsx file that the package writes in the shape
//     that Excel writes, 5,000 rows of 10 cells. Nearly all markup: 2.1 MB
//     become 165,000 nodes with 105,000 attributes.
//   - notes: the release notes of Go 1, 78 kB, mostly text with elements and
//     references in it. It is go1.html from the test data of
//     golang.org/x/net/html, written as XHTML by encoding/xml. Nothing in a Go
//     installation is a large XML file, and this one is the same for a given
//     requirement in go.mod, wherever Go is.
//
// A tree has elements, attributes, text, comments and processing instructions,
// linked as in a browser. Names are kept as written, prefix and local part, and
// nothing refers to the input.
//
// # Strategies
//
//   - encodingxml: tokens of encoding/xml, every node and string from the heap.
//     It is what a service does today. The tokens are raw, see the function.
//   - heap: the parser of this package, nodes, slices and strings from new,
//     make and [strings.Clone]. All others share it, and differ in where these
//     live.
//   - stdarena: an arena of the standard library. Needs GOEXPERIMENT=arenas.
//   - arena-safe: an arena that leaves what it is given to the collector.
//   - arena-typed: an arena from a pool with the default policy: nodes and
//     slices are used again, strings are not.
//   - arena-recycle: the same with strings used again.
//   - handle: the same with a typed slab for nodes and one for attributes,
//     which saves looking them up by type.
//
// There is no lazy strategy: who needs a few cells of a sheet reads tokens.
//
// # The parser
//
// It accepts XML 1.0 in UTF-8, fifth edition, up to [MaxDepth]. It is not
// validating: a document type is passed over, so the only entities are the five
// that every document has, and its inside is read no further than its end
// demands. Prefixes are not looked up. Errors carry the offset.
//
// encoding/xml and it agree on the tree of what both accept, but for white
// space in attribute values, which encoding/xml leaves as it is. It refuses
// some documents that encoding/xml accepts and XML does not, and accepts a
// few that it refuses. TestDifferences has one of each kind, and FuzzXML
// looks for others.
//
// A text without references is copied once, straight into the tree. A name is
// copied about once per document: the parser remembers those it has met.
//
// # Results
//
// CPU time against encodingxml, from bench/results/workloads.md, where the
// command and the intervals are:
//
//	               sheet  notes
//	heap            -54%   -58%
//	stdarena        -63%   -62%
//	arena-safe      -63%   -70%
//	arena-typed     -80%   -81%
//	arena-recycle   -80%   -83%
//	handle          -81%   -83%
//
// The parser alone saves half. Recycling takes away more than half of the rest
// and leaves next to no allocations (TestAllocs); which way makes little
// difference, for what is left is reading.
package xml
