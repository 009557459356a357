package cut

import (
	"reflect"
	"testing"
)

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestResults(t *testing.T) {
	k, v := pair("a=b=c")
	check(t, "pair", k+"|"+v, "a|b=c")
	k, v = pair("a")
	check(t, "pair", k+"|"+v, "a|none")
	check(t, "checked", checked("a= b"), "b")
	check(t, "checked", checked("a"), "")
	check(t, "both", both([]string{"a:b", "c", "d:", "e:fg"}), 3)
	check(t, "media", media("Text/plain; charset=utf-8"), "text/plain")
	check(t, "media", media(""), "")
	check(t, "kind", kind("A;B;C")+kind(""), "a")
	check(t, "isText", []bool{isText("text/plain"), isText("*/*"), isText("")}, []bool{true, true, false})
	check(t, "shorter", shorter("ab/"), 2)
	check(t, "header", (&header{"a"}).kind(), "a;a")
	check(t, "late", late("a;b")(), "b")
	check(t, "parts", parts("/a/b"), 3)
	check(t, "parts", parts(""), 1)
	for _, panics := range []func(){func() { trusting("a") }, func() { swapped("a") }, func() { passed("a") }, func() { either("a", true) }} {
		func() {
			defer func() { check(t, "panic", recover() != nil, true) }()
			panics()
		}()
	}
	check(t, "third", third("a=b=c"), "")
	check(t, "second", second("a=b=c"), "")
	check(t, "characters", characters("äb"), "ä")
	check(t, "separated", separated("äb", ""), 2)
	check(t, "kept", kept("a=b"), []string{"a", "b"})
	check(t, "last", last("a"), "a")
	check(t, "set", set("a=b"), 1)
	check(t, "has", has("a"), answer(false))
	check(t, "noted", noted("a;b"), "a")
	check(t, "sizes", sizes("ab=c"), 4)
}
