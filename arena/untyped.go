package arena

import (
	"unsafe"

	"lessgc/internal/untyped"
)

// The fields that package untyped reads are where it expects them.
var (
	_ [unsafe.Offsetof(slab{}.off) - unsafe.Offsetof(untyped.Slab{}.Off)]struct{}
	_ [unsafe.Offsetof(untyped.Slab{}.Off) - unsafe.Offsetof(slab{}.off)]struct{}
	_ [unsafe.Offsetof(slab{}.lo) - unsafe.Offsetof(untyped.Slab{}.Lo)]struct{}
	_ [unsafe.Offsetof(slab{}.size) - unsafe.Offsetof(untyped.Slab{}.Size)]struct{}
	_ [unsafe.Offsetof(slab{}.chunk) - unsafe.Offsetof(untyped.Slab{}.Chunk)]struct{}
	_ [unsafe.Offsetof(untyped.Slab{}.Chunk) - unsafe.Offsetof(slab{}.chunk)]struct{}
)

func init() {
	untyped.ContextKey = contextKey{}
	untyped.Of = func(a unsafe.Pointer, ptr any) *untyped.Slab {
		return (*untyped.Slab)(unsafe.Pointer((*Arena)(a).state().slab(ptr)))
	}
	untyped.Place = func(a unsafe.Pointer) *unsafe.Pointer {
		st := (*Arena)(a).state()
		st.check()
		return &st.place
	}
	untyped.Used = func(a unsafe.Pointer) (bytes, objects int64, kept bool) {
		st := (*Arena)(a).state()
		st.check()
		for _, s := range st.all {
			s.park()
			for i := range s.chunks[:s.cur+1] {
				c := &s.chunks[i]
				bytes += int64(c.used())
				if !s.raw {
					objects += int64(c.used() / max(s.size, 1))
				}
			}
		}
		return bytes, objects, st.keepAll
	}
	untyped.Grow = func(s *untyped.Slab) { (*slab)(unsafe.Pointer(s)).grow() }
	untyped.Take = func(s *untyped.Slab, n int) unsafe.Pointer { return (*slab)(unsafe.Pointer(s)).takeSlice(n) }
	untyped.Text = func(a unsafe.Pointer, n int) unsafe.Pointer { return (*Arena)(a).state().str.takeSlice(n) }
	untyped.Extend = func(s *untyped.Slab, p unsafe.Pointer, n, extra int) bool {
		return (*slab)(unsafe.Pointer(s)).growSlice(p, n, extra)
	}
}
