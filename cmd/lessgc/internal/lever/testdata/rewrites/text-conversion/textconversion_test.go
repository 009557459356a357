package textconversion

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestResults(t *testing.T) {
	check(t, "has", has([]byte("aé")), true)
	check(t, "has", has(nil), false)
	check(t, "numbered", numbered([]byte("é12")), []int{2, 4})
	check(t, "numbered", numbered(nil), []int(nil))
	check(t, "letters", letters("a\xff"), int('a')+0xfffd)
	x, err := decode(`{"a":1}`)
	check(t, "decode", x, any(map[string]any{"a": 1.0}))
	check(t, "decode", err, nil)
	_, err = decode("")
	check(t, "decode", err, io.EOF)
	name := filepath.Join(t.TempDir(), "text")
	f, err := os.Create(name)
	check(t, "create", err, nil)
	check(t, "write", write(f, "a"), nil)
	f.Close()
	data, _ := os.ReadFile(name)
	check(t, "written", string(data), "a")
	check(t, "joined", joined([][]byte{[]byte("a"), nil, []byte(" b")}), "a b")
	check(t, "positions", positions("éa"), []int{0, 1})
	b := bytes.NewBuffer([]byte("0123456789abcdef"))
	rotated(b)
	check(t, "rotated", b.String(), "89abcdef01234567")
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 16)
	buffered(w, "a text that is longer")
	lent(w, append(w.AvailableBuffer(), "b"...))
	w.Flush()
	check(t, "heard", heard(bufio.NewWriterSize(new(failing), 16), "0123456789abcdefg") != nil, true)
	check(t, "buffered", out.String(), "a text that is longerb")
	check(t, "portions", portions("0123456789abcdefghijklmnopqrstuvwxyz"), portioned{"<0123456789abcde", "fghijklmnopqrstuvwxyz"})
	var c counter
	counts(&c, "ab")
	check(t, "counts", []any{c.n, c.b.String()}, []any{2, "ab"})
	n, err := wraps(wrapped{&c.b}, "c")
	check(t, "wraps", []any{n, err, c.b.String()}, []any{1, nil, "abc"})
	var d double
	doubles(&d, "a")
	check(t, "doubles", d.String(), "aa")
	var r ranger
	ranges(&r, "é")
	check(t, "ranges", r.n, 2)
	var u upper
	raised(&u, "a")
	response{&u}.send("b")
	check(t, "raised", u.String(), "ab")
	var k keeper
	text := []byte("a")
	kept(&k, text)
	text[0] = 'b'
	check(t, "kept", string(k.all[0]), "a")
	check(t, "source", source("a", func(r io.Reader) bool { _, ok := r.(*bytes.Reader); return ok }), true)
	check(t, "prefixed", prefixed([]byte("ab"), "a"), true)
	check(t, "replaced", replaced([]byte("aa")), "bb")
	check(t, "found", found([]byte("a1")), "1")
	check(t, "keyed", keyed(map[string]int{}, []byte("a")), 1)
	check(t, "noted", noted([]byte("é")), true)
	check(t, "shadowed", shadowed([]byte("é")), true)
}

// A failing takes so many bytes at most.
type failing struct{}

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > 16 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}
