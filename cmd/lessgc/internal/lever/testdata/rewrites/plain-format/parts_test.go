package plainformat

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
)

// TestParts checks what is written, and that nothing is before a panic.
func TestParts(t *testing.T) {
	check(t, "query", query([]string{"a b", "c"}, map[string][]string{"a b": {""}, "c": {"=", "1"}}), "a b=a+b&c=%3Dc&c=1c")
	var buf bytes.Buffer
	wrote := func(name, want string) {
		t.Helper()
		check(t, name, buf.String(), want)
		buf.Reset()
	}
	escapedPair(&buf, "", "a&b")
	wrote("escapedPair", "=a%26b")
	var text strings.Builder
	numbers(&text, -1234, 255, 2.55)
	check(t, "numbers", text.String(), "-1234, ff: 2.5")
	var out strings.Builder
	w := bufio.NewWriterSize(&out, 16)
	toWriters(&buf, w, "red", 0xd800)
	w.Flush()
	wrote("toWriters", "<red\ufffd>\nred true\n")
	check(t, "toWriters", out.String(), "<red>\ufffd")
	firstMayPanic(&buf, []string{"a"}, 0)
	ofField(&tag{name: "b"}, &buf)
	lateMayPanic(&buf, []string{"c"}, 0)
	literalFirst(&buf, []string{"d"}, 0)
	ofPointer(&tag{name: "f"}, &buf, "e")
	wrote("fields", "a=0b=b0=c<de=f")
	buf.WriteByte('0')
	seesBuffer(&buf, "a")
	wrote("seesBuffer", "0a=1")
	buf.WriteByte('0')
	changesBuffer(&buf, "a")
	wrote("changesBuffer", "a=reset")
	repeated(&buf, "a", 2)
	divided(&buf, "b", 2)
	many(&buf, "c", "d", "e")
	wrote("repeated", "a=aab=50c, d, e.")
	for i, panics := range []func(){
		func() { firstMayPanic(&buf, nil, 0) }, func() { ofField(nil, &buf) }, func() { lateMayPanic(&buf, nil, 0) }, func() { literalFirst(&buf, nil, 0) },
		func() { ofPointer(nil, &buf, "a") }, func() { lengthOnly(&buf, nil) }, func() { numbersOnly(&buf, nil) }, func() { repeated(&buf, "a", -1) }, func() { divided(&buf, "a", 0) }, func() { escapedPair(nil, "a", "b") },
	} {
		func() {
			defer func() {
				if recover() == nil || buf.Len() > 0 {
					t.Errorf("%d: no panic, or %q is written", i, &buf)
				}
			}()
			panics()
		}()
	}
	if n := lengthWanted(&buf, "a", "b"); n != 3 {
		t.Error(n, "bytes")
	}
	if err := errorWanted(&buf, "c", "d"); err != nil || !inCondition(&buf, "e", "f") {
		t.Error(err)
	}
	writtenLater(&buf, "g", "h")
	toInterface(&buf, "i", "j")
	wrote("wanted", "a=bc=de=f:g=hi=j")
	check(t, "inPortions", strings.Join(inPortions("0123456789", "0123456789"), "|"), "0123456789=01234|56789")
	var f filler
	toOwn(&f, "a", "b")
	check(t, "toOwn", f.String(), "")
	labelled(&buf, "a", "b")
	oneString(&buf, "c", "d")
	boxedText(&buf, "e", 1)
	commented(&buf, "f", "g")
	wrote("labelled", "a=ba=bc1=e=highf=g")
	for _, v := range []any{"a", 12, []int{3}, true} {
		inCases(&buf, v)
	}
	commentedOutside(&buf, "b", "c")
	wrote("inCases", "<a>12;1;3trueb=c")
	tg := &tag{b: &buf, name: "p"}
	swapsBuffer(tg, "a")
	check(t, "swapsBuffer", tg.name, "p+")
}
