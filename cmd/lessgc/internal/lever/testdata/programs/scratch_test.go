package programs

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// zeros is a reader that the compiler does not see through.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// BenchmarkScratch runs what is about scratch space.
func BenchmarkScratch(b *testing.B) {
	var texts []string
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("a b c d e f g h i j text with the number %d", i))
	}
	w := io.Writer(discard{})
	walkers := []walker{wordWalker(texts), wordWalker(texts)}
	t := &target{w: w}
	for b.Loop() {
		sumOf(zeros{}, 20)
		sumBytes(zeros{}, 200)
		t.texts(texts)
		writeNumbers(w, 20)
		textsShared(&shared{w: w}, &plainTarget{w}, texts)
		writeOnce(w, texts)
		var buf bytes.Buffer
		headers(&buf, 1<<20)
		readHeader(zeros{})
		numbers(w, make([]uint16, 40))
		anything(w, &header{Kind: 1})
		unfixed(w, user{})
		sink = dotted(texts[:3])
		sink = labels(user{texts[0], 5000})
		sink = trimmedRow(texts[:3])
		sink = filled()
		sink = bracketed("word")
		sink, _ = bracketedLength("word")
		sink = reused(texts)
		sink = count3(walkers)
		sink = countBy(walkers, &counter{})
		sink = countEach(walkers)
		sink = countOne(walkers[0])
		sink = countLast(walkers)
		sink = isDot(buf.Bytes())
	}
}
