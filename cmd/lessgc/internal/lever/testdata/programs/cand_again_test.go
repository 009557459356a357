package programs

import (
	"io"
	"reflect"
	"strings"
	"testing"
)

func BenchmarkCandAgain(b *testing.B) {
	runes := []rune(strings.Repeat("a text of some length ", 10))
	marks := [][2]int{{0, 50}, {1, 60}, {2, 70}, {3, 80}}
	words := strings.Fields("one two three four five six seven eight nine ten")
	broken := []string{":one", ":two", ":three", ":four"}
	body := []byte(strings.Repeat("a text ", 50))
	kind := reflect.TypeFor[struct{ One, Two, Three, Four string }]()
	row := &againRow{Cells: words}
	config := &againConfig{Name: strings.ToLower}
	globals := againContext{}
	for _, w := range words {
		globals[w] = w
	}
	part := &loopPart{"all", loopList{{"one", loopList{{"five", nil}}}, {"two", loopList{{"three", loopList{{"six", nil}}}, {"four", nil}}}}}
	for b.Loop() {
		sink = part.longest()
		sink = part.isLonger(3)
		sink = againMarks(runes, marks)
		sink = againAppended(words)
		sink = againSet(words)
		sink = againCase(runes, marks)
		sink = againLast(runes, marks)
		sink = againInto(nil, words)
		sink = againLength(words)
		sink = againLookedUp(words)
		sink = againAddress(100)
		sink = againSum(words)
		sink = againDigits(words)
		sink = againAddresses(broken)
		sink = againURLs(broken)
		sink = againTexts(words)
		sink = againAll(words)
		sink = againCompared(words)
		sink = againResults(words)
		sink = againParts([][]byte{body, body})
		sink = againWordsOf(string(body))
		sink = new(againMessage).load(strings.NewReader("a text of some length"))
		sink = againLimited(body)
		sink = againStored(body)
		sink = againWriter(io.Discard, body)
		sink = againFields(config, kind)
		sink = againRows(row, kind)
		sink = againCounted(new(againCount), kind)
		sink = againExecute(globals)
		sink = againText(any(words[0]))
	}
}
