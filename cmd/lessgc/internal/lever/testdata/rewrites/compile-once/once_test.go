package once

import (
	"strings"
	"testing"
)

func TestOnce(t *testing.T) {
	for range 2 {
		var out strings.Builder
		if err := hello(&out, "you"); err != nil || out.String() != "hello, you" {
			t.Error(out.String(), err)
		}
		if got := slug("a1b"); got != "a-b" {
			t.Error(got)
		}
		if got := words([]string{"a b", "c"}); got != 3 {
			t.Error(got)
		}
		if got := (&page{"<a>"}).escaped(); got != "&lt;a&gt;" {
			t.Error(got)
		}
		if got := leftmost("aab"); got != "aa" {
			t.Error(got)
		}
		if got := longest("aab"); got != "aab" || earlyName != "a-" {
			t.Error(got, earlyName)
		}
		if a := checksum([]byte("x")); a != checksums([]byte("x"), 0xd5828281) {
			t.Error(a)
		}
		if got := encoded([]byte{1, 2, 3}); got != "AQID" {
			t.Error(got)
		}
	}
	if posix("1") || broken("(") || !separated("a/b") {
		t.Error("patterns")
	}
	if a, b := newTable(), newTable(); a == b || a[0] != 1 {
		t.Error("one table")
	}
	if a, b := newPattern(), newPattern(); a == b {
		t.Error("one pattern")
	}
	if p := replaced(newPattern()); p == nil || p.String() != "[a-z]" {
		t.Error(p)
	}
	if kept("a") != "b" || kept("c") != "d" || replacers[0] == replacers[1] {
		t.Error("one replacer")
	}
	var out strings.Builder
	if err := greeting(&out, "you"); err != nil || out.String() != "you" {
		t.Error(out.String(), err)
	}
	if err := unparsed(&out, ""); err != nil || odd("<") != "" || shortAlphabet(nil) != "" {
		t.Error(err)
	}
}
