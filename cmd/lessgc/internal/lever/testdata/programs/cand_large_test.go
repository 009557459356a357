package programs

import "testing"

func BenchmarkLargeObjects(b *testing.B) {
	data := []byte("some data of a message")
	for i := range b.N {
		ownSink = largeParse("a text of some words")
		ownSink = largeRead(data)
		ownSink = largeScan("a text", func(s *largeScanner) byte { return s.buf[0] })
		ownSink = NewLargeTable("table")
		ownSink = LargeHeader(i)
		ownSink = largeFill(data)
		largeKeep(i)
		ownSink = largeSmall(data)
	}
	largeKept = nil
}

func BenchmarkLargeRows(b *testing.B) {
	sizes := make([]int, 64)
	for i := range sizes {
		sizes[i] = 1 + i%20
	}
	sum := 0
	for range b.N {
		ownSink = rowTriangle(40)
		ownSink = rowRecords(sizes)
		ownSink = rowCut(20)
		ownSink = rowGrown(40)
		ownSink = rowLarge(40)
		ownSink = rowFew(5)
		ownSink = rowData(40)
		rowDropped(40, func(row []int) { sum += len(row) })
	}
	ownSink = sum
}
