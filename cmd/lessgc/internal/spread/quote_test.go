package spread

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/visible"
)

// hostile are strings that would mean something to YAML, to a service or to a shell. bench/jobrun
// has them pass through the readers of all of them.
var hostile = []string{
	``, ` `, `a b`, `'`, `"`, `\`, `\'`, `'"'"'`, `a'b"c\d`, "`id`", `$(id)`, `$HOME`, `${HOME}`, `$$`, `$$(X)`, `$(JOB_COMPLETION_INDEX)`,
	`$`, `${{ github.head_ref }}`, `$${{ x }}`, `'${{ x }}'`, `$[[ inputs.x ]]`, `{{.Name}}`, `#`, ` # x`, `a: b`, `: `, `- x`, `-`, `--`, `-x`, `---`, `...`,
	`*`, `&a`, `!tag`, `|`, `>`, `%x`, `@x`, `[a]`, `{a: b}`, `? x`, `~`, `~root`, `no`, `null`, `0x10`, `1e3`, `<<`, `;rm -rf x`, `a&&b`, `a|b`, `>x`, `!!`, `\n`, `\U00000041`,
	`EOF`, `ä`, `日本`, `😀`, `a b`, `*.go`, `a?`, `[ab]`, `=x`, `a=b`, `x `, ` x`, `%(id)s`, `^x$`,
}

// TestWord has a shell read what word writes.
func TestWord(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	out, err := exec.Command(sh, "-c", `printf '%s\0' `+commandLine(hostile)).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(got) != len(hostile) {
		t.Fatalf("%d words came back of %d", len(got), len(hostile))
	}
	for i, want := range hostile {
		if got[i] != want {
			t.Errorf("%q came back as %q, from %s", want, got[i], word(want))
		}
		for _, expression := range []string{"${{", "$[["} {
			if strings.Contains(word(want), expression) {
				t.Errorf("word(%q) = %s, in which a service sees an expression", want, word(want))
			}
		}
	}
}

// expand replaces references as Kubernetes does: $(X) by its value if there is one, $$ by $.
func expand(s string, value func(string) (string, bool)) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		rest := s[i+1:]
		switch {
		case s[i] != '$' || rest == "":
			b.WriteByte(s[i])
		case rest[0] == '$':
			b.WriteByte('$')
			i++
		case rest[0] == '(' && strings.Contains(rest, ")"):
			name := rest[1:strings.Index(rest, ")")]
			i += len(name) + 2
			if v, ok := value(name); ok {
				b.WriteString(v)
			} else {
				b.WriteString("$(" + name + ")")
			}
		default:
			b.WriteByte('$')
		}
	}
	return b.String()
}

func FuzzQuote(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Add("a\nb\x00\u2028\u0085\ufeff")
	f.Fuzz(func(t *testing.T, s string) {
		everything := func(string) (string, bool) { return "replaced", true }
		if got := expand(literal(s), everything); got != s {
			t.Errorf("literal: %q came back as %q", s, got)
		}
		if plain("x", s) != nil {
			return
		}
		// Without escapes for characters, a scalar is a string of JSON.
		var got string
		if err := json.Unmarshal([]byte(scalar(s)), &got); err != nil || got != s {
			t.Errorf("scalar: %q came back as %q, %v", s, got, err)
		}
		if w := word(s); strings.Contains(w, "${{") || strings.Contains(w, "$[[") {
			t.Errorf("word(%q) = %s", s, w)
		} else if got, rest := unquote(w); got != s || rest != "" {
			t.Errorf("word: %q came back as %q and %q", s, got, rest)
		}
		for _, r := range scalar(s) + word(s) {
			if !visible.Plain(r) {
				t.Errorf("%q is written with %q", s, r)
			}
		}
	})
}

// unquote reads one word as a shell does, if it has apostrophes, backslashes and bare characters only.
func unquote(w string) (got, rest string) {
	var b strings.Builder
	for w != "" {
		switch {
		case w[0] == '\'':
			text, after, ok := strings.Cut(w[1:], "'")
			if !ok {
				return b.String(), w
			}
			b.WriteString(text)
			w = after
		case w[0] == '\\' && len(w) > 1:
			b.WriteByte(w[1])
			w = w[2:]
		case bare.MatchString(w[:1]):
			b.WriteByte(w[0])
			w = w[1:]
		default:
			return b.String(), w
		}
	}
	return b.String(), ""
}
