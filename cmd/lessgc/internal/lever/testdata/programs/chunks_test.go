package programs

import (
	"strings"
	"testing"
)

// BenchmarkChunks runs what makes many small objects, and what appends to a buffer of its caller.
func BenchmarkChunks(b *testing.B) {
	text := strings.Repeat("(ab(cd)e)", 100)
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = "ab"
	}
	names := []string{"some names", "that are long enough", "to grow", "what they are appended to", "and then some more of it"}
	m := &chunksMessage{names, 100}
	for b.Loop() {
		sink = chunksParse(text)
		sink = chunksLex(text)
		sink = chunksVariables(text)
		sink = chunksLexEach(texts)
		sink = chunksLexSaving(text)
		sink = chunksOpen(100)
		sink, _ = chunksMake()
		sink = chunksMarshal(m)
		sink, _ = chunksMarshalNumbers()
		sink = chunksNames(names)
		sink = chunksAppendTexts(nil, names)
		w := &chunksWriter{}
		chunksWrite(w, "a name that is written")
		sink = w.b
		sink = chunksOnce(text)
		sink = ChunksAppendLines(nil, names)
	}
}
