package room

import (
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, s := range []string{"", "a", `say "so"`, "straße", "\xff.", strings.Repeat("many ", 100)} {
		if got, want := upper(s), strings.ToUpper(strings.ToValidUTF8(s, "�")); got != want {
			t.Errorf("upper(%q) = %q", s, got)
		}
		if got, want := quoted(s), `"`+strings.ReplaceAll(s, `"`, `\"`)+`"`; got != want {
			t.Errorf("quoted(%q) = %q", s, got)
		}
	}
}

// BenchmarkTexts has each buffer grow.
func BenchmarkTexts(b *testing.B) {
	s := "a text of more than some words, without a full stop"
	for b.Loop() {
		for range 20 {
			upper(s)
			quoted(s)
			quoted(`"` + s)
			trimmed([]byte(s))
			filtered(s)
			strip(s, &[256]string{'a': "a text of more than some words"})
			asBytes(s)
			declaredLater([]string{s, s})
			changed(s)
			grown(strings.Repeat(s, 5))
			ended(s)
			cut(s)
			shadowed(s)
		}
	}
}
