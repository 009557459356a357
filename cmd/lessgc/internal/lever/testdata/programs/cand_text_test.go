package programs

import (
	"bufio"
	"io"
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandText(b *testing.B) {
	text := "a text; with some characters; and one or two more of these"
	bytes := []byte(text)
	scratch := new(textScratch)
	all := []string{"one of the texts, not short", "another one of the texts", "a third", "and a fourth", "a fifth", "and a sixth"}
	out := new(textOut)
	service := &textService{"a name", "a.domain.of.some.length"}
	node := new(textNode)
	values := reflect.ValueOf(make([]string, 80))
	decoder := new(textDecoder)
	if len(all) == 0 {
		textMethods(scratch, nil, node, out, service, decoder)
	}
	for b.Loop() {
		sink = textEscaped(text)
		sink, _ = textLine(bufio.NewReader(strings.NewReader(text + "\n")))
		sink = textOfCopy(bytes)
		sink = scratch.upper(text)
		sink = textSmall(len(text) - 58)
		sink = textPart(bytes)
		sink = textBoth(text)
		lexer := textLexed(text)
		sink = lexer.token(40)
		sink = textRunes(nil, text)
		sink = textLower(text)
		textBytes(lexer, bytes)
		sink = textCount(text)
		sink = textMade(40)
		n := textNew(text)
		n.write(io.Discard)
		textMarked(node, text)
		textGrows(node, text)
		sink = textGiven(io.Discard, text)
		sink = textChanges(text)
		sink = textReturned(text)
		sink = textShifted(strings.Repeat("b", 40), strings.Repeat("a", 40), strings.Repeat("a", 20))
		out.head = ""
		out.add(all)
		textNames(append([]string(nil), all...), "suffix of the text")
		textNamed(out, text, text)
		sink = textPrefixed(all, "a prefix of the text")
		sink = textTwoSums(text, text)
		for range 6 {
			sink = service.full()
			sink = service.in(text)
		}
		r := textRequested(text)
		textOther(r, text, text[1:])
		textBranch(r, text)
		r.host = text
		textBranch(r, text)
		decoder.fill(values, bytes)
		sink, _ = textAddress("Some Body <somebody@example.org>")
		sink = textUnescaped(text)
	}
}
