package parts

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"
)

func check(t *testing.T, name, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %q; want %q", name, got, want)
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}

func TestParts(t *testing.T) {
	n := &node{name: "p"}
	n.open("a\"b", -100)
	check(t, "open", n.b.String(), "<p class=a&#34;b id=-100>")
	panics(t, func() { (*node)(nil).open("", 1) })
	var sb strings.Builder
	if err := attrs(&sb, "", "b"); err != nil {
		t.Error(err)
	}
	check(t, "attrs", sb.String(), "=b")
	var b bytes.Buffer
	indexed(&b, []string{"a", "b"}, 1)
	panics(t, func() { indexed(&b, nil, 0) })
	panics(t, func() { n.chained(&b) })
	(&node{next: n}).chained(&b)
	i := 0
	called(&b, func() string { i++; return strings.Repeat("x", i) })
	panics(t, func() {
		called(&b, func() string {
			if i++; i == 4 {
				panic("late")
			}
			return "y"
		})
	})
	called(&b, func() string { b.WriteString("?"); return "z" })
	check(t, "written", b.String(), "[b]<p><xxx>??<zz>")
	b.Reset()
	runes(&b, "aé\xff")
	check(t, "runes", b.String(), "aé\ufffd")
	check(t, "list", list(nil)+list([]string{"a"})+list([]string{"", "b"}), "a, b")
}

func TestBuffered(t *testing.T) {
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 16)
	lines(w, nil, "-")
	lines(w, []string{"a", strings.Repeat("b", 20), ""}, "-")
	buffered(w, -1, 0xff)
	w.Flush()
	check(t, "lines", out.String(), "[][a-"+strings.Repeat("b", 20)+"-]\ufffd\xff=\n")
	check(t, "portions", strings.Join(portions("0123456789", "0123456789"), "|"), "0123456789=01234|56789")
	if err := heard(bufio.NewWriterSize(full{}, 16), "a", strings.Repeat("b", 20)); err == nil {
		t.Error("no error")
	}
}

type full struct{}

func (full) Write(b []byte) (int, error) { return 0, errors.New("full") }

func TestOthers(t *testing.T) {
	var b bytes.Buffer
	check(t, "counted", strings.Repeat("a", counted(&b, "a", "b")), "aaa")
	var all portioned
	whole(&all, "a", "b")
	check(t, "whole", strings.Join(all, "|"), "a=b")
	var l lister
	listed(&l, "a", "b")
	check(t, "listed", l.String(), "a=b\n")
	panics(t, func() { joined(nil, nil) })
	panics(t, func() { separated(&b, []string{"a"}, nil) })
	b.Reset()
	h := &holder{&b}
	h.at([]string{"a"}, 0)
	deferred(&b, "a", "b")
	typed(&b, "a", "b")
	noted(&b, "a", "b")
	shadowed(&b, 1)
	check(t, "kept", kept(&b, "a", "b"), "a=b")
	if !condition(&b, "a", "b") {
		t.Error("an error")
	}
	check(t, "others", b.String(), "<a>:a=ba=ba=bid=1a=ba=b")
	h.swapped()
	(&node{}).again()
}
