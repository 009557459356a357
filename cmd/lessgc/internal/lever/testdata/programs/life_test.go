package programs

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkLife runs what makes objects that could be kept together, or used again.
func BenchmarkLife(b *testing.B) {
	data := bytes.Repeat([]byte("some words that are short "), 50)
	names := strings.Fields("some names of which there are more than eight in the slice of the matcher")
	xs := make([]int, 100)
	for i := range xs {
		xs[i] = i
	}
	for b.Loop() {
		sink = lifeWords(data)
		sink = lifeValues(data)
		sink = lifeKeys(data)
		sink = lifeLines(bytes.Repeat(data, 4))
		sink = lifeCopies(data)
		sink = lifeFields(data)
		sink = lifePoints(xs)
		sink = lifeAppended(xs)
		sink = lifeChosen(xs)
		sink = lifeBest(xs)
		sink = lifePairs(100)
		sink = lifeHandles(xs)
		sink = lifeUntil(string(data))
		sink = lifeNames(20)
		lifeInside(5)
		sink = lifeMade(10)
		sink = lifeCount(5)
		sink = lifeKeep(5)
		sink = lifeChain(5)
		sink = lifeMatch(names)
		sink = lifeRequests(names)
	}
	sink = nil
	runtime.GC() // nothing of it is live
	runtime.GC()
}
