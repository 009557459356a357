package plainformat

import (
	"bufio"
	"bytes"
	"math"
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
	check(t, "anything", anything("a", nil), "a:<nil>")
	check(t, "wrapped", wrapped("a", nil)+wrapped("b", errNone), "a: <nil>b: none")
	if pointed("a", nil) {
		t.Error("a pointer is printed as nothing")
	}
	check(t, "stepped", stepped(&counter{}), "1 next")
	var f filler
	filled(&f, "a", 1)
	check(t, "filled", f.String(), "a=1")
	var written portions
	w := bufio.NewWriterSize(&written, 16)
	flushed(w, strings.Repeat("a", 20), 1)
	w.Flush()
	check(t, "flushed", strings.Join(written, "|"), strings.Repeat("a", 20)+"=1")
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
