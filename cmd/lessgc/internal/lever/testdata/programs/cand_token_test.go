package programs

import (
	"bufio"
	"strings"
	"testing"
)

func BenchmarkToken(b *testing.B) {
	text := strings.Repeat("a-word-that-is-longer-than-thirty-two-characters-and-than-forty ", 3)
	for b.Loop() {
		for range 4 {
			l := tokenLexer{text: text}
			l.next()
			sink = l.word()
			sink = l.runes()
			l.next()
			sink = l.upper()
		}
		sink = tokenSigns(text)
		sink = tokenRead(bufio.NewReader(strings.NewReader(text)))
	}
}
