package html

import "unsafe"

// view returns the bytes of b as a string, without a copy. The caller must not
// write to b while the result, or part of it, is in use.
//
// It relies on pattern "String" of package unsafe: the pointer is that of b and
// the length is b's. Three callers: the input, whose parts are copied before
// they reach a node; scratch buffers, the same; a string in an arena of the
// standard library, whose bytes are written once. TestInputReusable breaks if a
// part of the input or of a scratch buffer reaches a node.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
