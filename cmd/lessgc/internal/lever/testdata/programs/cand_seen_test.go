package programs

import (
	"io"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandSeen(b *testing.B) {
	text := "a text of some characters, of which none has to be changed"
	words := strings.Fields(text)
	address := &url.URL{Scheme: "https", Host: "example.org", Path: "/a/path"}
	log := new(seenDiscard)
	value := reflect.ValueOf(new(seenConfig)).Elem()
	parser := newSeenParser()
	out, tokens := new(strings.Builder), new(seenTokens)
	program := make([]int, 100)
	records := make([]seenRecord, 4)
	for b.Loop() {
		sink = seenUnquoted(text)
		sink = seenFiltered(text)
		sink = seenShifted(text)
		sink = seenThinned(text)
		sink = seenNumbers(program)
		sink = seenRule(text)
		seenAnswer(log, address)
		seenFormatted(io.Discard, address)
		seenFilled(log, address)
		_, ok := seenField(value, "size")
		sink = ok
		seenSend(io.Discard, seenCodecs[0], words)
		seenKept(seenCodecs[1], words)
		sink = seenLines(parser, text[:10], text[10:])
		out.Reset()
		out.Grow(200)
		seenSample(out, text, "_of_it")
		seenLong(out, text, "_of_it")
		sink = seenToken(nil, len(text))
		sink = seenOften(io.EOF, len(text))
		sink = seenRun(program)
		sink = seenCollected(program)
		sink = seenCompile(program)
		words := strings.NewReader(text)
		for range 6 {
			sink = seenWord(words)
			seenLine(io.Discard, 20)
		}
		sink = seenSlashed([]byte(text))
		sink = seenParsed(tokens, 12)
		seenStatus(io.Discard, text, len(text))
		sink = seenNumbered(text, len(text))
		sink = seenRuns([]int{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3})
		sink = seenRunOf(len(text))
		sink = seenLookup(records)
	}
}
