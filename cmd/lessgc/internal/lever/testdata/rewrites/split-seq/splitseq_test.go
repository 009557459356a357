package splitseq

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
	check(t, "longest", longest("a,,bcd"), 3)
	check(t, "number", number(" a b "), 2)
	check(t, "number of none", number(""), 0)
	check(t, "find", find("a b", "b"), true)
	check(t, "find", find("a b", "c"), false)
	check(t, "positions", positions("a,bc"), []int{1, 3})
	check(t, "twice", twice("a,b"), 4)
	_, asked := words("a b")
	check(t, "words", asked, 0)
	check(t, "marked", marked([]byte("a,b")), 2)
	check(t, "extended", string(extended(append(make([]byte, 0, 4), "a,b"...))), "a,b!")
	check(t, "nested", nested(2, "a,b"), 4)
	n, all := kept("a,b")
	check(t, "kept", n, len(all))
	check(t, "limited", limited("a,b,c"), "b,c")
	check(t, "noted", noted("a,b"), 2)
	check(t, "recovered", recovered("a"), "a")
	text := ""
	closed("a,b", func(part string) { text += part })
	check(t, "closed", text, "ba")
	check(t, "last", last("a,b;c"), "c")
	count := later("a,b")
	check(t, "later", count()+count(), 4)
}
