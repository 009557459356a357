package arena

import (
	"unsafe"

	"lessgc/internal/checked"
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
		return (*untyped.Slab)(unsafe.Pointer((*Arena)(a).unshared().slabOfType(ptr)))
	}
	untyped.Loose = func(ptr any) *untyped.Slab {
		info := infoOf(typeWord(ptr), ptr)
		s := &slab{size: info.size, record: newRecord(&loose, info)}
		s.record.own = true
		return (*untyped.Slab)(unsafe.Pointer(s))
	}
	untyped.Open = func(p, at unsafe.Pointer) unsafe.Pointer {
		a := (*Arena)(at)
		*a = Arena{}
		switch {
		case p != nil:
			a = (*Pool)(p).get(a)
		case watchAll:
			a = safeArenas.get(a)
		default:
			a.quota = fresh
		}
		return unsafe.Pointer(a)
	}
	untyped.Place = func(a unsafe.Pointer) *unsafe.Pointer {
		st := (*Arena)(a).unshared()
		st.check()
		return &st.place
	}
	untyped.Used = func(a unsafe.Pointer) (bytes, objects int64, kept bool) {
		own := (*Arena)(a)
		if own.small() {
			own.check()
			return own.bytesTaken(), 0, false
		}
		if sh := own.sharing(); sh != nil {
			sh.mu.Lock()
			defer sh.mu.Unlock()
			return untyped.Used(unsafe.Pointer(&sh.arena))
		}
		own.st.check()
		bytes = own.bytesTaken()
		for _, s := range own.st.all {
			if s.idle() {
				continue
			}
			used := s.used()
			bytes += int64(used)
			if !s.raw {
				objects += int64(used / max(s.size, 1))
			}
		}
		return bytes, objects, own.st.keepAll
	}
	untyped.Spans = func(a unsafe.Pointer) (spans []untyped.Span, arenas []unsafe.Pointer) {
		own := (*Arena)(a)
		if own.small() {
			own.check()
			return nil, nil
		}
		own.st.check()
		if !own.st.policy.recycles() {
			return nil, nil
		}
		return own.appendSpans(nil, nil)
	}
	untyped.AuditOf = func(p unsafe.Pointer) untyped.Audit {
		if p == nil {
			return everything.report()
		}
		return (*Pool)(p).audit.report()
	}
	untyped.KeptNow = everything.kept
	untyped.CallAt = func(pc uintptr) (function, position string) {
		f := frameOf(pc)
		return f.Function, locationOf(f)
	}
	untyped.Verify = verify
	untyped.Fault = explain
	untyped.Leave = func(a unsafe.Pointer) func() {
		if st := (*Arena)(a).st; checked.Strict && st != nil && st.life != nil {
			life := st.life
			return func() { life.left.Store(true) }
		}
		return func() {}
	}
	untyped.Grow = func(s *untyped.Slab) { (*slab)(unsafe.Pointer(s)).grow() }
	untyped.Take = func(s *untyped.Slab, n int) unsafe.Pointer { return (*slab)(unsafe.Pointer(s)).takeSlice(n) }
	untyped.Safe = func(a unsafe.Pointer) bool { return (*Arena)(a).safe() }
	untyped.TextRecycled = func(a unsafe.Pointer) bool {
		st := (*Arena)(a).unshared()
		return st.policy == RecycleAll && st.watch == nil
	}
	untyped.Unopened = func(a unsafe.Pointer) bool {
		own := (*Arena)(a)
		if !own.small() {
			return false
		}
		own.check()
		return !watchAll
	}
	untyped.Text = func(a unsafe.Pointer, n int) unsafe.Pointer {
		if a == nil {
			p, _ := makeRaw(n)
			return p
		}
		return (*Arena)(a).unshared().str.takeSlice(n)
	}
	untyped.Watched, untyped.AllHeap = watchAll, allHeap
	untyped.GrowText = func(p unsafe.Pointer, b []byte, n int) []byte {
		a := (*Arena)(p)
		if a.sliceFromHeap(cap(b)+n, 1) {
			return append(make([]byte, 0, max(64, 2*cap(b), len(b)+n)), b...)
		}
		st := a.state()
		if sh := a.sharing(); sh != nil {
			sh.mu.Lock()
			defer sh.mu.Unlock()
			st = sh.arena.st
		}
		return grown(st.str, b, n)
	}
	untyped.TrimText = func(p unsafe.Pointer, b []byte) []byte {
		a := (*Arena)(p)
		if a.small() {
			return b
		}
		sl := a.st.str
		lo := sl.lo
		if sl.shrink(unsafe.Pointer(unsafe.SliceData(b)), cap(b), len(b)); sl.lo != lo {
			b = b[:len(b):len(b)]
		}
		return b
	}
	untyped.Extend = func(s *untyped.Slab, p unsafe.Pointer, n, extra int) bool {
		return (*slab)(unsafe.Pointer(s)).growSlice(p, n, extra)
	}
}

// appendSpans appends the address ranges that a and its children handed out, and
// those arenas.
func (a *Arena) appendSpans(spans []untyped.Span, arenas []unsafe.Pointer) ([]untyped.Span, []unsafe.Pointer) {
	arenas = append(arenas, unsafe.Pointer(a))
	if sh := a.sharing(); sh != nil {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		return sh.arena.appendSpans(spans, arenas)
	}
	for _, s := range a.st.all {
		if s.drops {
			continue
		}
		for i := range s.chunks[:s.cur+1] {
			c := &s.chunks[i]
			lo, off := c.lo, c.off
			if i == s.cur {
				lo, off = s.lo, s.off
			}
			base := uintptr(c.base)
			if lo > 0 {
				spans = append(spans, untyped.Span{Base: base, Size: lo})
			}
			if off < c.size {
				spans = append(spans, untyped.Span{Base: base + off, Size: c.size - off})
			}
		}
	}
	for _, child := range a.st.children {
		if !child.freed() {
			spans, arenas = child.appendSpans(spans, arenas)
		}
	}
	return spans, arenas
}
