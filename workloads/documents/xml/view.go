package xml

import "unsafe"

// view returns the bytes of b as a string, without a copy. The caller must not
// write to b while the result, or part of it, is in use.
//
// It relies on pattern "String" of package unsafe: the pointer is that of b and
// the length is b's. Three callers: the input, whose parts are copied before
// they reach a node; the scratch buffer, the same; a string in an arena, whose
// bytes are written once. TestInputReusable breaks if part of the input or
// the scratch buffer reaches a node.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
