package stacktree

import "unsafe"

// view returns the bytes of b as a string, without a copy.
//
// Rule of unsafe.String: the bytes must not change while the string is in use.
// Callers either drop the string before b can change, or are the only ones who
// have b. TestNames would notice.
func view(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
