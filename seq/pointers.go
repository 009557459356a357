package seq

import "iter"

// Pointers returns a pointer to each element of v, in order. The elements are not
// copied: a function that writes through its pointer changes v, and a pointer that
// is kept keeps all of v's array.
//
// It is the source for elements of more than four words, which slices.Values
// would copy; see the package comment.
func Pointers[E any](v []E) iter.Seq[*E] {
	return func(yield func(*E) bool) {
		for i := range v {
			if !yield(&v[i]) {
				return
			}
		}
	}
}
