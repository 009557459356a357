package lever

import (
	"strings"
	"testing"
	"unicode"
)

// TestFolds compares all characters with those of ASCII.
func TestFolds(t *testing.T) {
	for c := rune(0); c < 0x80; c++ {
		for by, change := range map[string]func(string) string{"ToLower": strings.ToLower, "ToUpper": strings.ToUpper} {
			ascii, same := string(c), true
			for r := rune(0); r <= unicode.MaxRune; r++ {
				if r < 0xd800 || r > 0xdfff {
					same = same && (change(string(r)) == ascii) == strings.EqualFold(string(r), ascii)
				}
			}
			if got := folds(ascii, by); got && !same || !got && same {
				t.Errorf("%s to %q: got %t", by, ascii, got)
			}
		}
	}
}
