package appendtext

import (
	"bufio"
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
)

func check(t *testing.T, name string, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %q; want %q", name, got, want)
	}
}

func TestResults(t *testing.T) {
	check(t, "ids", string(ids([]*user{{1}, {-20}})), "1 18446744073709551596 ")
	check(t, "line", string(line([]byte("<"), "a", 1)), "<a=1")
	check(t, "called", called(&user{1}), "2!")
	var b bytes.Buffer
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	stamped(&b, at, 7)
	check(t, "stamped", b.String(), "2020-01-02T03:04:05Z7       7 7\n")
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 16)
	buffered(w, 1)
	w.Flush()
	written(&out, 2)
	texts(&out, 3)
	check(t, "out", out.String(), "123")
	if err := heard(bufio.NewWriterSize(full{}, 4), at); err == nil {
		t.Error("no error")
	}
	check(t, "portions", strings.Join(portions(at), "|"), "<202|0-01|-02")
	b.Reset()
	summed(&b, "a")
	check(t, "summed", b.String(), "ca978112YT0=")
	check(t, "hexed", string(hexed([]byte("x"), "\xff")), "xff")
	coded(&b)
	check(t, "coded", b.String(), "63613937")
	check(t, "within", string(within([]byte("abcdefgh"))), "6162636465666768")
	check(t, "built", built(at, -123456789), "-12345678920-01")
	var k keeper
	kept(&k, 1)
	kept(&k, 2)
	check(t, "kept", string(bytes.Join(k.all, nil)), "12")
	var u upper
	raised(&u, 10)
	check(t, "raised", u.String(), "A")
	l := &log{[]byte("x")}
	logged(l)
	check(t, "logged", string(l.buf), "x#1")
	check(t, "own", string(own(nil, 1)), "1")
	check(t, "shifted", string(shifted(nil, 3)), "8")
	check(t, "shadowed", string(shadowed(nil, 123)), "23")
	check(t, "noted", string(noted(nil, 1)), "1")
	b.Reset()
	late(&b, 1)
	check(t, "late", b.String(), "=1")
	_, s := wanted(nil, 1)
	check(t, "wanted", s, "1")
	func() {
		defer func() {
			if _, nilPointer := recover().(interface{ Addr() uintptr }); nilPointer {
				t.Error("the buffer panics first")
			}
		}()
		picked(nil, nil, 1)
	}()
}

// TestMemory checks that the memory behind a slice that is appended to is not touched if the text does not fit.
func TestMemory(t *testing.T) {
	for _, add := range []func([]byte){
		func(b []byte) { quoted(b, "a text that is long") }, func(b []byte) { number(b, -1.25e100) }, func(b []byte) { dated(b, time.Now()) },
		func(b []byte) { line(b, "a text that is long", 1) },
	} {
		all := []byte("________________")
		add(all[:2:6])
		check(t, "memory", string(all), "________________")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }
