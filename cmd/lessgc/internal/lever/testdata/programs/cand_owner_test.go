package programs

import (
	"strings"
	"testing"
)

var ownSink any

func BenchmarkOwners(b *testing.B) {
	for i := range b.N {
		ownWrite()
		ownCopy(strings.Repeat("text", 50))
		ownRuns(5)
		ownLoad()
		ownSink = newOwnTree("tree")
		ownSink = ownFiles(i)
		ownLog1(i)
		ownSink = ownKeys(i)
	}
}

func BenchmarkOwnReset(b *testing.B) {
	for range b.N {
		ownWords(strings.NewReader("a b c"))
		ownSums()
		ownSink = ownOpen("s")
		ownKeep("s")
		ownSink = ownBuffer("s")
		pooled := ownTake()
		ownSink = pooled
		pooled.close()
		w, done := ownSelect("a")
		ownSink = w
		done()
		small, end := ownCounted(2)
		ownSink = small
		end()
		ownGiven(new([64]byte))()
	}
}

func BenchmarkOwnScratch(b *testing.B) {
	done := make(chan float64)
	for i := range b.N {
		ownCalls(i)
		ownWriteInt(i)
		ownHas("name")
		ownInsert("name")
		ownMean(20 + i)
		ownTotal(20 + i)
		ownResults(20 + i)
		ownRecord(20 + i)
		ownSink = newOwnSample(20 + i)
		ownAside(20+i, done)
		<-done
	}
}

func BenchmarkOwnDemand(b *testing.B) {
	for i := range b.N {
		ownDecode("some text")
		d := newOwnDecoder("text of it")
		ownSink = d
		ownSink = ownShown(d)
		ownOften(i+1, d)
		ownAccumulate(i)
	}
}
