package writers

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
)

// A bare has no WriteString, and keeps what it is written.
type bare struct{ all [][]byte }

func (b *bare) Write(p []byte) (int, error) {
	b.all = append(b.all, p)
	return len(p), errors.New("full")
}

func (b *bare) Close() error { return nil }

type sized struct{ n int }

func (s *sized) Write(p []byte) int { s.n += len(p); return s.n }

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %q; want %q", name, got, want)
	}
}

func TestTexts(t *testing.T) {
	var b bytes.Buffer
	n, err := text(&b, "ab")
	check(t, "text", n, 2)
	check(t, "text", err, nil)
	check(t, "named", named(&b, ""), nil)
	sunk(&b, "c")
	check(t, "written", b.String(), "abc")
	k := &bare{}
	n, err = text(k, "d")
	check(t, "bare", n, 1)
	check(t, "bare", err.Error(), "full")
	constant(k)
	check(t, "kept", string(bytes.Join(k.all, nil)), "da text that never changes, and is not short")
	r := httptest.NewRecorder()
	served(r, "<p>")
	check(t, "served", r.Body.String(), "<P>")
	check(t, "served", r.Header().Get("Content-Type"), "text/html; charset=utf-8")
	noted(&b, "d")
	shadowed(&b, "e")
	both(&b, "f")
	generic(&b, "g")
	runes(&b, []byte("h"))
	deferred(&b, "i")
	check(t, "others", b.String(), "abcde-ghi")
}

func TestWriters(t *testing.T) {
	var b bytes.Buffer
	c := &tracer{w: &b}
	text(c, "ab")
	check(t, "tracer", c.n, 2)
	(&tracer{w: &passer{&passer{&looper{&b}}}}).line("c")
	check(t, "lines", b.String(), "abc")
	h := &hopper{to: new(bytes.Buffer)}
	n, _ := text(h, "abc")
	check(t, "hopper", n, 3)
	check(t, "hopper", h.n, 3)
	var s sized
	printed(&s, "ab")
	check(t, "sized", s.n, 2)
	sum := sha256.New()
	hashed(sum, "a")
	check(t, "hashed", sum.Sum(nil)[0], byte(0xca))
	l := &log{&b}
	l.indexed([]string{"d"})
	check(t, "indexed", b.String(), "abcd")
	func() {
		defer func() { check(t, "a panic", strings.Contains(recover().(error).Error(), "out of range"), true) }()
		(&log{}).indexed(nil)
	}()
	func() {
		defer func() { check(t, "a panic", strings.Contains(recover().(error).Error(), "nil pointer"), true) }()
		text(nil, "")
	}()
}

func TestLate(t *testing.T) {
	reached := false
	func() {
		defer func() { recover() }()
		func() {
			deferred(nil, "a")
			reached = true
		}()
	}()
	check(t, "reached", reached, false)
	l := &log{&bytes.Buffer{}}
	l.changed()
}
