package lever

import "testing"

// TestCountedRunes checks that runes which are only counted, more than once, become their number.
func TestCountedRunes(t *testing.T) {
	const begins = "package m\n\n"
	const source = "func f(a, b string, d int) float32 {\n\tra := []rune(a)\n\trb := []rune(b)\n\tif len(ra) >= len(rb) {\n\t\treturn float32(len(ra)-d) / float32(len(ra))\n\t}\n\treturn float32(len(rb)-d) / float32(len(rb))\n}\n"
	for _, c := range []struct{ at, want string }{
		{"[]rune(a)", "package m\n\nimport \"unicode/utf8\"\n\nfunc f(a, b string, d int) float32 {\n\traLen := utf8.RuneCountInString(a)\n\trbLen := utf8.RuneCountInString(b)\n\tif raLen >= rbLen {\n\t\treturn float32(raLen-d) / float32(raLen)\n\t}\n\treturn float32(rbLen-d) / float32(rbLen)\n}\n"},
	} {
		if got := editedAlone(t, "1.13", begins+source, "func f", c.at, runeText); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
