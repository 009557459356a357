package estimatesize

import (
	"strings"
	"testing"
)

func TestLengths(t *testing.T) {
	check := func(name, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
	for _, n := range []int{0, 1, 7, 100, 1000} {
		text := strings.Repeat("a<b> \"é\"", n)
		check("escaped", escaped(text), strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text))
		check("quoted", quoted(text), `"`+strings.ReplaceAll(text, `"`, "&quot;")+`"`)
		check("dotted", dotted([]byte(strings.Repeat("a\n", n))), strings.Repeat("a.", n))
		check("letters", letters(text), strings.ReplaceAll(text, " ", ""))
		check("word", word(text+"."+text), text+".")
		check("trimmedText", trimmedText("  "+text), `"`+strings.TrimSpace(text))
		check("without", without("  "+text), `"`+strings.TrimSpace(text))
		check("otherLength", otherLength(text+"x", len(text)), text)
	}
	check("lengthens", lengthens("abc"), "abc")
	check("nearly", nearly("ab#"), "bca")
	check("some", some("ab.#"), "bca")
}

func BenchmarkLengths(b *testing.B) {
	for b.Loop() {
		for _, n := range []int{10, 12, 20, 300, 1000, 1100} {
			text := strings.Repeat("a<b> ", n)
			sink += len(escaped(text)) + len(quoted(text)) + len(dotted([]byte(text))) + len(letters(text)) + len(word(text))
			sink += len(nearly(text+"#")) + len(some(strings.Repeat("abcdefgh.#", n)))
			sink += len(trimmedText(text)) + len(without(text)) + len(lengthens(text)) + len(otherLength(text, len(text)))
		}
	}
}
