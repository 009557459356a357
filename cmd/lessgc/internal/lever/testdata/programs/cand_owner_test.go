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
	}
}
