package layout

import (
	"fmt"
	"testing"
)

// A whole has all of its fields in one object.
type whole struct {
	key         uint64
	left, right *whole
	labels      []string
	origin      *whole
	errors      []error
	notes       map[string]string
}

// A hot is a whole without the fields that few objects use.
type hot struct {
	key         uint64
	left, right *hot
	cold        *cold // nil if all of its fields are zero
}

type cold struct {
	labels []string
	origin *hot
	errors []error
	notes  map[string]string
}

// objects is the number of objects of an operation.
const objects = 1000

// BenchmarkMake makes trees of objects of which a share, in percent, uses fields that the others do not.
func BenchmarkMake(b *testing.B) {
	for _, used := range []int{0, 10, 50, 100} {
		uses := func(i int) bool { return i%10*10 < used }
		b.Run(fmt.Sprintf("used=%d/fields=together", used), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var root *whole
				for i := range objects {
					x := &whole{key: uint64(i), left: root, right: root}
					if uses(i) {
						x.labels, x.origin, x.errors, x.notes = labels, root, nil, nil
					}
					root = x
				}
				wholes = root
			}
		})
		b.Run(fmt.Sprintf("used=%d/fields=apart", used), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var root *hot
				for i := range objects {
					x := &hot{key: uint64(i), left: root, right: root}
					if uses(i) {
						x.cold = &cold{labels, root, nil, nil}
					}
					root = x
				}
				hots = root
			}
		})
	}
}

var (
	labels = []string{"seldom"}
	wholes *whole
	hots   *hot
)
