package apply

import (
	"path/filepath"
	"strings"
	"testing"

	"lessgc/cmd/lessgc/internal/attempt"
	"lessgc/cmd/lessgc/internal/lever"
)

const stacked = `package x

import (
	"bytes"
	"io"
)

func text(s string) int {
	b := new(bytes.Buffer)
	b.WriteString(s)
	return b.Len()
}

func write(w io.Writer, s string) {
	b := new(bytes.Buffer)
	b.WriteString(s)
	w.Write(b.Bytes())
}
`

// TestStack checks that the compiler is asked where the memory of a change is.
func TestStack(t *testing.T) {
	r := runnerOn(t, "x.go", stacked)
	const made = "b := bytes.NewBuffer(make([]byte, 0, 64))"
	for _, c := range []struct {
		fn, stack string
		want      attempt.Outcome
		why       string
	}{
		{"func text", made, "", ""},
		{"func write", made, attempt.NoEffect, "the compiler has make([]byte, 0, 64) on the heap: it is passed to w.Write, which may keep it"},
		{"func write", "", "", ""},
	} {
		before, rest, _ := strings.Cut(stacked, c.fn)
		files := map[string][]byte{"x.go": []byte(before + c.fn + strings.Replace(rest, "b := new(bytes.Buffer)", made, 1))}
		if err := r.tree.Write(files); err != nil {
			t.Fatal(err)
		}
		x := &candidate{lever: lever.ByName("stack-buffer"), edits: []lever.Edit{{File: filepath.Join(r.tree.Top, "x.go"), Text: made, Stack: c.stack}}}
		if err := r.stack(t.Context(), x, "x", files); err != nil {
			t.Fatal(err)
		}
		if x.Outcome != c.want || x.Why != c.why {
			t.Errorf("%s: %q, %q, want %q, %q", c.fn, x.Outcome, x.Why, c.want, c.why)
		}
	}
}
