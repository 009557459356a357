package texttwice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var texts = []string{"", "_", "a", "SomeName", "some_name_ä", "a\xff\"b\n\n", strings.Repeat("Some_Name ", 5), strings.Repeat("längerer Text\n", 7), "\xed\xa0\x80 日本語"}

func TestTexts(t *testing.T) {
	for _, s := range texts {
		var quoted strings.Builder
		for i, r := range s {
			switch {
			case r == '"':
				quoted.WriteString(`\"`)
			case r == '\n' && i > 0:
				quoted.WriteString(`\n`)
			default:
				quoted.WriteRune(r)
			}
		}
		name, invalid := "", ""
		for _, r := range s {
			if strings.ToLower(string(r)) != string(r) && name != "" {
				name += "_"
			}
			name += strings.ToLower(string(r))
			invalid += string([]rune{r, '\n', 'ä', r + 0xd800, -r})
		}
		camels := strings.Split(string([]rune(s)), "_")
		for i := range camels {
			if i > 0 && camels[i] != "" {
				runes := []rune(camels[i])
				camels[i] = strings.ToUpper(string(runes[:1])) + string(runes[1:])
			}
		}
		half, same := pieces(label(s), []byte(s))
		for _, c := range []struct{ got, want any }{
			{without(s), strings.ReplaceAll(s, "_", "")},
			{escaped(s, "'"), "'" + quoted.String() + "'"},
			{snake(s), name},
			{camel(s), strings.Join(camels, "")},
			{strings.Join(surrogates(s), ""), invalid + invalid},
			{half, s + " " + s[:len(s)/2] + s + " " + s},
			{same, s[len(s)/2:] == ""},
		} {
			if c.got != c.want {
				t.Errorf("%q: %q, want %q", s, c.got, c.want)
			}
		}
	}
}

func TestOthers(t *testing.T) {
	text, bytes := copied("ab")
	_, runes := result("ab")
	got := fmt.Sprint(trimmed("abc"), again("ab"), set("ab"), looked("aab"), numbers("a", 1), given("ab"), captured("ab"), fromNothing("ab"), anyRoom("ab", 2), large("ab"),
		zeros("a"), counted("ab"), decoded("a"), isNil(""), doubled("ab"), sized("ab"), ordered(&reader{s: "abc"}), text, string(bytes), other("ab"), joined([]byte("a"), []byte("b")),
		typed("ab"), commented("ab"), inCondition("ab"), two("ab"), small("ab"), runes, hidden([]string{"ab"}))
	if want := "ab[ab ab]!babaa1ABabababab\x00aaba.nilabab\x00a\x02b\x01a\x02bababababababababababab"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestShortened(t *testing.T) {
	for _, s := range texts {
		if got := shortened(s); got != s+"…" {
			t.Errorf("%q", got)
		}
		if got := cleaned(s); got != strings.ReplaceAll(s, "_", "") {
			t.Errorf("%q", got)
		}
	}
}

func BenchmarkTexts(b *testing.B) {
	var keep []any
	for range b.N {
		keep = keep[:0]
		for _, s := range slices.Concat(texts[6:8], texts[6:8], texts[6:8]) {
			s += s
			a, b := returned(s)
			keep = append(keep, shortened(s), hiding([]string{s}), switched([]string{s}), cleaned(s), a, b)
			half, _ := pieces(label(s), []byte(s))
			text, bytes := copied(s)
			_, runes := result(s)
			keep = append(keep, without(s), escaped(s, "'"), snake(s), camel(s), surrogates(s), half, trimmed(s), again(s), set(s), looked(s), numbers(s, 1), given(s),
				captured(s), fromNothing(s), anyRoom(s, len(s)), large(s), zeros(s), counted(s), decoded(s), isNil(s), doubled(s), sized(s), ordered(&reader{s: s}), text, bytes,
				other(s), joined([]byte(s), []byte(s)), typed(s), commented(s), inCondition(s), two(s), small(s[:min(60, len(s))]), runes, hidden([]string{s}))
		}
	}
}
