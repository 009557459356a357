package visible

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	check := func(in, want string) {
		t.Helper()
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %s, want %s", in, got, want)
		}
		if again := Text(Text(in)); again != want {
			t.Errorf("Text of Text(%q) = %s, want %s", in, again, want)
		}
	}
	check("", "")
	check("main.(*T).get[...]", "main.(*T).get[...]")
	check(`"quoted" C:\dir`, `"quoted" C:\dir`)
	check("Größe/日本=1 a\u00a0b 🙂", "Größe/日本=1 a\u00a0b 🙂")
	check("a\nb\tc\rd", `a\nb\tc\rd`)
	check("\x1b[2J\a\x00\x7f", `\x1b[2J\x07\x00\u007f`)
	check("\u009b31m", `\u009b31m`)                                         // a control sequence in one character
	check("a\u202eb\u2066c\u200fd", `a\u202eb\u2066c\u200fd`)               // turns text around
	check("a\u200bb\u200dc\ufeffd\u00ade", `a\u200bb\u200dc\ufeffd\u00ade`) // takes no room
	check("a\u3164b\u115fc\ufe0fd\u034fe", `a\u3164b\u115fc\ufe0fd\u034fe`) // letters and marks that take none
	check("a\u2028b\U000e0041\U000e0100", `a\u2028b\U000e0041\U000e0100`)
	check("a\xff\xc0\xafb\xe2\x80", `a\xff\xc0\xafb\xe2\x80`)
	check("a\ufffdb", "a\ufffdb") // a replacement character in the input is not an invalid byte
}

func TestLines(t *testing.T) {
	if got, want := Lines("a\tb\r\nc\x1b[1m\n\rd"), "a\tb\nc\\x1b[1m\n\\rd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestShort checks that both ends stay, and that characters are whole.
func TestShort(t *testing.T) {
	if got := Short("abcdef", 6); got != "abcdef" {
		t.Errorf("%s was cut", got)
	}
	for _, s := range []string{"abcdefghij", strings.Repeat("ä日", 50), strings.Repeat("\x1b", 100), strings.Repeat("x", 1<<20), strings.Repeat("日", 1<<18), strings.Repeat("\xff", 1<<20)} {
		got := Short("<"+s+">", 9)
		if n := utf8.RuneCountInString(got); n > 9 || !utf8.ValidString(got) || !strings.HasPrefix(got, "<") || !strings.HasSuffix(got, ">") || !strings.Contains(got, "…") {
			t.Errorf("%d characters %q", n, got)
		}
	}
}

type kind string

type tree struct {
	Name   string
	Kind   kind
	Detail string `visible:"lines"`
	Names  []string
	Sub    []*tree
	ByName map[string]any
	Plain  []float64
	inner  string
}

// TestAll checks that all strings are reached, and that the original stays as it is.
func TestAll(t *testing.T) {
	build := func(s, lines string) *tree {
		return &tree{Name: s, Kind: kind(s), Detail: lines, Names: []string{s, "b"}, Sub: []*tree{{Name: s, Plain: []float64{1}}, nil},
			ByName: map[string]any{s: s, "n": 1.5, "l": []any{s, nil}}, inner: "\x1b"}
	}
	in, before := build("a\x1b", "a\x1b\n\tb"), build("a\x1b", "a\x1b\n\tb")
	if got, want := All(in, 100), build(`a\x1b`, "a\\x1b\n\tb"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !reflect.DeepEqual(in, before) {
		t.Errorf("the original was changed: %+v", in)
	}
	if got := All((*tree)(nil), 100); got != nil {
		t.Errorf("%+v of nil", got)
	}
	long := strings.Repeat("x", 1<<20)
	got := All(tree{Name: long, Detail: long, Names: []string{"it is " + long + " that is long", strings.Repeat("word ", 1<<18)}}, 100)
	if utf8.RuneCountInString(got.Name) != 100 || len(got.Detail) > mostLines || len(got.Names[0]) > 130 || !strings.HasSuffix(got.Names[0], " that is long") || len(got.Names[1]) > 2100 {
		t.Errorf("lengths %d, %d, %d, %d", len(got.Name), len(got.Detail), len(got.Names[0]), len(got.Names[1]))
	}
	if got := All(long, 0); got != long {
		t.Errorf("without a limit %d of %d characters are left", len(got), len(long))
	}
}

// TestJSON checks that a text means the same, and that a terminal has nothing to obey.
func TestJSON(t *testing.T) {
	in := map[string]string{"a\x1b\x7f\u009b": "b\u202e\U000e0041\u200b\n🙂<>", "plain": "plain"}
	data, err := json.MarshalIndent(in, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	data = JSON(data)
	var out map[string]string
	if err := json.Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%v: %q, want %q", err, out, in)
	}
	if got := Lines(string(data)); got != string(data) {
		t.Errorf("%q", data)
	}
}

func TestWriter(t *testing.T) {
	check := func(codes bool, want string, parts ...string) {
		t.Helper()
		var b bytes.Buffer
		w := NewWriter(&b, codes)
		for _, p := range parts {
			if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
				t.Errorf("%d, %v of %q", n, err, p)
			}
		}
		if b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
	check(false, "a\tb\n", "a\tb\n")
	check(false, `\x1b[1ma\r\u202e`+"\n", "\x1b[1ma\r\u202e\n")
	check(false, "日本é", "\xe6", "\x97\xa5\xe6\x9c", "\xac\xc3", "\xa9") // a character in two writes
	check(false, `\xe6a`, "\xe6", "a")
	check(true, "\x1b[1ma\x1b[0m\r\x1b[12A\x1b[K\x1b[J", "\x1b[1ma\x1b[0m\r\x1b[12A\x1b[K\x1b[J")
	check(true, `\x1b[2;3H\x1b]0;title\x07\x1b\x1b[?25l\x1b[`, "\x1b[2;3H\x1b]0;title\a\x1b\x1b[?25l\x1b[")
}
