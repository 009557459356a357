package plainformat

import (
	"bufio"
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func check(t *testing.T, name string, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %q; want %q", name, got, want)
	}
}

func TestResults(t *testing.T) {
	check(t, "key", key("a\xff", -1), "a\xff:-1")
	check(t, "share", share("a", 1e21, true), "a \"1000000000000000000000.00%\" 1e+21 true 1")
	check(t, "share", share("", math.Inf(1), false), " \"+Inf%\" +Inf false 0")
	check(t, "share", share("", math.NaN(), false), " \"NaN%\" NaN false 0")
	var b bytes.Buffer
	line(&b, "a", math.MinInt64)
	check(t, "line", b.String(), "a=-9223372036854775808;")
	check(t, "list", list([]string{"a", ""}), "0 a\n1 \n")
	check(t, "at", at("red", point{1, 2}), "redp1 2")
	check(t, "leveled", leveled("a", 7), "a %!v(PANIC=String method: runtime error: index out of range [7] with length 2)")
	check(t, "failed", failed("a", "b"), "a failed: b")
	check(t, "secret", secret("a", "b"), "a ***")
	check(t, "wide", wide("a", 1), "a:   1")
	check(t, "cut", cut("abcd", 1), "abc:1")
	check(t, "missing", missing("a", "%s"), "a%!(EXTRA int=1)")
	check(t, "raw", raw([]byte("a"), 1), "a:1")
	for _, v := range []any{-7, uint8(200), "ab", []string{"n"}, point{1, 2}} {
		names := map[string]int{"n": 5}
		want := map[any]string{-7: "-7", uint8(200): "200", "ab": "<ab 2>", point{1, 2}: "{1 2}  1"}
		if list, ok := v.([]string); ok {
			check(t, "described", described(list, names), "5")
		} else {
			check(t, "described", described(v, names), want[v])
		}
	}
	check(t, "anything", anything("a", nil), "a:<nil>")
	check(t, "wrapped", wrapped("a", nil)+wrapped("b", errNone), "a: <nil>b: none")
	if pointed("a", nil) {
		t.Error("a pointer is printed as nothing")
	}
	check(t, "stepped", stepped(&counter{}), "1 next")
	b.Reset()
	b.Grow(64)
	filledBy(&b, &counter{})
	to := &b
	starred(&to, 2)
	check(t, "filledBy", b.String(), "x1;2;")
	var f filler
	filled(&f, "a", 1)
	check(t, "filled", f.String(), "a=1")
	var written portions
	w := bufio.NewWriterSize(&written, 16)
	flushed(w, strings.Repeat("a", 20), 1)
	w.Flush()
	check(t, "flushed", strings.Join(written, ""), strings.Repeat("a", 20)+"=1")
	check(t, "seen", strings.Join(seen(strings.Repeat("a", 20), 1), "|"), strings.Repeat("a", 20)+"=1")
	n, _ := counted(&b, "a", 1)
	check(t, "counted", strings.Repeat("a", n), "aaa")
	b.Reset()
	for _, panics := range []func(){func() { partial(&b, "a", nil) }, func() { constant() }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			panics()
		}()
	}
	check(t, "partial", b.String(), "")
	check(t, "shadowed", shadowed("a", 123456789), "a:12345678")
	check(t, "noted", noted("a", 1), "a:1")
	check(t, "generic", generic("a", 1), "a:1")
}

type portions []string

func (p *portions) Write(b []byte) (int, error) {
	*p = append(*p, string(b))
	return len(b), nil
}

// A full writer takes so many bytes.
type full int

func (f *full) Write(b []byte) (int, error) {
	if int(*f) < len(b) {
		n := int(*f)
		*f = 0
		return n, errors.New("full")
	}
	*f -= full(len(b))
	return len(b), nil
}

func TestWrites(t *testing.T) {
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 16)
	for _, name := range []string{"a", strings.Repeat("b", 40)} {
		spoken(w, name, -7)
	}
	check(t, "wrote", strings.Repeat("x", wrote(w, "a", 1)), "xxx")
	w.Flush()
	check(t, "spoken", out.String(), "a=-7é\n"+strings.Repeat("b", 40)+"=-7é\na=1")
	for n := range 60 {
		f := full(n)
		w := bufio.NewWriterSize(&f, 16)
		if err := fails(w, strings.Repeat("b", 40), -7); (err != nil) != (n < 46) {
			t.Errorf("%d bytes: %v", n, err)
		}
		f = full(n)
		w.Reset(&f)
		spoken(w, strings.Repeat("b", 40), -7)
		if err := w.Flush(); (err != nil) != (n < 46) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	var b bytes.Buffer
	tg := &tag{b: &b, name: "p"}
	tg.open("a\"b", -1)
	tg.open("\xff", 0xd800)
	check(t, "open", b.String(), "<p class=a\"b>\ufffd<p class=\xff>\ufffd")
	b.Reset()
	tg.of = tg
	tg.inside(&b, "q")
	check(t, "inside", b.String(), "<q p p><q p>")
	tg.of = nil
	b.Reset()
	for _, panics := range []func(){func() { tg.inside(&b, "q") }, func() { (*tag)(nil).inside(&b, "q") }, func() { tg.all(&b, []string{"0", "1"}) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			panics()
		}()
	}
	check(t, "panics", b.String(), "[0 1]")
	b.Reset()
	tg.picked([]string{"a"}, 0)
	check(t, "picked", b.String(), "<a>")
	tg.renamed(&b) // both are in no order
	tg.moved()
	if err := never(&b, "a", 1); err != nil {
		t.Error(err)
	}
	check(t, "raws", raws([][]byte{nil, []byte("a")}), "<><a>")
	b.Reset()
	b.WriteString("0123456789abcdef")
	lent(&b)
	check(t, "lent", b.String(), "89abcdef<01234567>")
	b.Reset()
	deferred(&b, "a", 1)
	check(t, "deferred", b.String(), ":a=1")
	whole(&b, "!")
	check(t, "whole", b.String(), ":a=1!")
	f, err := os.Create(filepath.Join(t.TempDir(), "text"))
	if err != nil {
		t.Fatal(err)
	}
	filed(f, "red")
	parts(f, "a", 1)
	f.Close()
	data, _ := os.ReadFile(f.Name())
	check(t, "filed", string(data), "reda=1")
	check(t, "listedOff", listedOff([]string{"a", "b"}, 'é'), "0: aé1: béin all 12\n")
	check(t, "oneWide", oneWide("a", 1), "a=  1")
	text, n := oneCounted("a")
	check(t, "oneCounted", text, "a=")
	if n += pointedOff("a", 12); n != 5 {
		t.Error(n)
	}
	check(t, "alsoGiven", alsoGiven("a")+alsoHanded("b")+alsoCaptured("c")+alsoReturned("d").String()+alsoPrinted("e")[:1], "a=ab=b=1;c=cd=e")
	if os.Getenv("LESSGC_EDITED") != "" {
		if got := testing.AllocsPerRun(100, func() { listedOff([]string{"a"}, 'b') }); got != 1 {
			t.Errorf("%g allocations", got)
		}
	}
	b.Reset()
	alsoJoined("", &b)
	check(t, "alsoJoined", b.String(), "=")
}
