package mode

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var splits = []struct {
	in   string
	want []string
	err  string // part of it
}{
	{in: ""},
	{in: " \t\r\n "},
	{in: "a", want: []string{"a"}},
	{in: " a  b\tc\nd\re ", want: []string{"a", "b", "c", "d", "e"}},
	{in: "'a b'", want: []string{"a b"}},
	{in: `"a b"`, want: []string{"a b"}},
	{in: `"it's" 'say "hi"'`, want: []string{"it's", `say "hi"`}},
	{in: "X='a b'", want: []string{"X=a b"}},
	{in: `X='a'"b"c`, want: []string{"X=abc"}},
	{in: "'a''b' 'c'", want: []string{"ab", "c"}},
	{in: `'' "" a`, want: []string{"", "", "a"}},
	{in: "X=''", want: []string{"X="}},
	{in: `a\ b \'`, err: "quote '"},
	{in: `a\ b`, want: []string{`a\`, "b"}},
	{in: "$HOME `x` * #c", want: []string{"$HOME", "`x`", "*", "#c"}},
	{in: "a\u00a0b", want: []string{"a\u00a0b"}}, // no ASCII space
	{in: "'a\nb'", want: []string{"a\nb"}},
	{in: "ü 日本", want: []string{"ü", "日本"}},
	{in: "'", err: "quote '"},
	{in: `a "b c`, err: `quote "`},
	{in: `'a" b`, err: "quote '"},
}

func TestSplitWords(t *testing.T) {
	for _, test := range splits {
		got, err := SplitWords(test.in)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("SplitWords(%q) = %q, %v; want an error with %q", test.in, got, err, test.err)
			}
		} else if err != nil {
			t.Errorf("SplitWords(%q): %v", test.in, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("SplitWords(%q): (-want +got)\n%s", test.in, diff)
		}
	}
}

// A file name need not be UTF-8.
func TestSplitWordsBytes(t *testing.T) {
	in := "run /tmp/caf\xe9/x"
	got, err := SplitWords(in)
	if want := []string{"run", "/tmp/caf\xe9/x"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("SplitWords(%q) = %q, %v; want %q", in, got, err, want)
	}
}

// quoted writes a word so that SplitWords reads it as one.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

func FuzzSplitWords(f *testing.F) {
	for _, test := range splits {
		f.Add(test.in)
	}
	for _, test := range parsed {
		f.Add(test.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words, err := SplitWords(s)
		if err != nil {
			if strings.Count(s, "'")+strings.Count(s, `"`) == 0 {
				t.Errorf("SplitWords(%q): %v, but it has no quote", s, err)
			}
			words = strings.Split(s, "\x00") // any words will do
		}
		if !utf8.ValidString(s) {
			return // TestSplitWordsBytes
		}
		var line []string
		for _, w := range words {
			line = append(line, quoted(w))
		}
		again, err := SplitWords(strings.Join(line, " "))
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q, quoted as %q, splits to %q, %v", words, line, again, err)
		}
	})
}
