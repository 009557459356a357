package pipelines

// A loop is a shape in one implementation.
type loop[E any] struct {
	shape, impl string
	run         func(d *data[E]) int
}

// data holds the slices that the loops go over.
type data[E any] struct {
	in, other []E
	nested    [][]E // in, by 10
	buf       []E   // room for 10
}

// elements is the number of elements that a loop goes over.
const elements = 1000

func newData[E any](of func(i int) E) *data[E] {
	d := &data[E]{buf: make([]E, 10)}
	for i := range elements {
		d.in = append(d.in, of(i))
		d.other = append(d.other, of(elements-i))
	}
	for i := 0; i < elements; i += 10 {
		d.nested = append(d.nested, d.in[i:i+10])
	}
	return d
}

type (
	elem8   struct{ A int64 }
	elem16  struct{ A, B int64 }
	elem32  struct{ A, B, C, D int64 }
	elem40  struct{ A, B, C, D, E int64 }
	elem56  struct{ A, B, C, D, E, F, G int64 }
	elem120 struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O int64 }
)
