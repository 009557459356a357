package programs

import (
	"bytes"
	"image"
	"io"
	"strings"
	"testing"
)

var bigLabels = []bigLabel{{"method", "get"}, {"path", "/index.html"}, {"status", "two hundred"}, {"zone", "the first"}}

func BenchmarkBigSlices(b *testing.B) {
	for i := range b.N {
		ownSink = bigMarshal(bigLabels)
		ownSink = bigJoin(bigLabels, "zone")
		ownSink = bigNames(bigLabels, "zone")
		bigKeep(100 + i)
		bigWrite(io.Discard, 100+i)
		bigLarge(2 + i)
		ownSink = bigAnswers(5)
		ownSink = bigRead(500)
	}
}

func BenchmarkBigDiffs(b *testing.B) {
	diffs := make([]bigDiff, 20)
	for i := range diffs {
		diffs[i] = bigDiff{i % 4, strings.Repeat("text", 10)}
	}
	for range b.N {
		ownSink = bigMerge(diffs)
		bigCounts(diffs)
		ownSink = bigGroups(diffs)
		bigCut(diffs)
		bigOnce(diffs)
		bigCalled(diffs)
	}
}

func BenchmarkBigMaps(b *testing.B) {
	other := map[string][]string{}
	for range b.N {
		ownSink = bigHeader(bigLabels)
		ownSink = bigForms(bigLabels)
		ownSink = bigLasts(bigLabels)
		ownSink = bigOther(bigLabels, other)
		ownSink = bigSingle(bigLabels[0])
		ownSink = bigLiterals(bigLabels)
	}
}

func BenchmarkBigCopies(b *testing.B) {
	text := strings.Repeat("text", 300)
	for i := range b.N {
		bigSum(text)
		bigSumN(text)
		kept := new(bytes.Buffer)
		ownSink = kept
		bigToBuffer(text, kept)
		bigToDiscard(text)
		bigFromText(text)
		bigOwnBuffer(text, 600+i)
	}
}

func BenchmarkBigLate(b *testing.B) {
	for range b.N {
		for _, text := range []string{"one", "three", "four", "five", "six"} {
			ownSink, _ = bigSequence(text+".........", []byte("one......"))
			ownSink, _ = bigParse(text)
			ownSink, _ = bigSeldom(text)
			ownSink, _ = bigShown(text)
			ownSink, _ = bigUnused(text)
			ownSink, _ = bigAlways(text, []byte("long enough"))
		}
	}
}

func BenchmarkBigPasses(b *testing.B) {
	src := image.NewGray(image.Rect(0, 0, 50, 50))
	done := make(chan int)
	for i := range b.N {
		bigScale(50 + i)
		bigAside(50+i, done)
		<-done
		ownSink = BigBlur(src)
	}
}
