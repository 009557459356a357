package programs

import "testing"

func BenchmarkCandEscapes(b *testing.B) {
	names := []string{"one", "two", "three"}
	var kept []*escHeader
	series := &escSeries{index: &escFixed{names}}
	shared := &escShared{scan: func(h *escHeader) bool { h.size = 3; return true }}
	stacks := make([]EscStack, 1)
	var ints []int
	var last *EscStack
	for i := 0; b.Loop(); i++ {
		sink, _ = escRecordOf(escHeader{size: 2, name: "some"}, []byte("bytes"))
		sink = escWrapped(i, true)
		for k := range 4 {
			sink = escHalf(k, k%2 == 0)
		}
		sink = escStored(i, false, &kept)
		sink = escGiven(i, func(h *escHeader) { h.size = 3 })
		sink = escLogged(names, func(...any) {})
		sink, _ = escChanged(i % 50)
		for range 4 {
			sink = series.next()
		}
		sink = series.nested(2)
		sink = escScanned(4, shared.scan)
		sink = escAny(4, func(v any) bool { *v.(*any) = 1; return true })
		sink = shared.one()
		sink = escKept(4, shared.scan)
		sink = escOnce(shared.scan)
		sink = escSorted(names)
		n, _ := escCounts(names)
		sink = n + escCount(names) + escApart(names) + escLater(names)
		sink = escCopies(i, i, func(f func() int) { sink = f })
		for range 3 {
			chunk, stack := newEscChunk(), newEscStack()
			chunk.add(1)
			stack.add(1)
			sink, last = chunk, stack
		}
		sink = newEscLarge()
		sink = newEscSized(len(names) + 10)
		sink = newEscBoth(&ints)
		newEscValue(stacks)
		sink = escServed(escMap{})
		sink = last.Values
	}
}
