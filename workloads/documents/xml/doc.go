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
// How many times the CPU time of a strategy goes into that of encodingxml, Go
// 1.26, medians of three runs of four to seven rounds on two busy cores, where
// less than 1.3 apart is not apart:
//
//	                 sheet      notes
//	heap           1.9-2.0    3.3-4.4
//	stdarena       2.4-2.9    2.5-3.8
//	arena-safe     1.9-2.7    3.2-4.8
//	arena-typed    5.1-7.6    6.7-7.6
//	arena-recycle  5.1-7.2    6.3-8.0
//	handle         5.4-8.1    6.7-9.7
//
// The recycling strategies take a quarter to two fifths of the time of heap on
// the sheet, about half on the notes, and allocate next to nothing
// (TestAllocs). Which of them makes no difference: what is left is reading.
// arena-safe does not win: on the notes it is level with heap, on the sheet it
// is little better. stdarena is little better on the sheet and slower than heap
// on the notes.
package xml
