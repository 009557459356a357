package builder

import (
	"reflect"
	"testing"
)

var words = []string{"a", "b"}

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestResults(t *testing.T) {
	check(t, "joined", joined(words), "A\nB\n")
	check(t, "joined of none", joined(nil), "")
	s, n := listed(words)
	check(t, "listed", s, "[a, b]")
	check(t, "listed", n, 4)
	s, _ = listed(nil)
	check(t, "listed of none", s, "none")
	s, err := checked([]string{"a", ""})
	check(t, "checked", s, "a")
	check(t, "checked", err, errEmpty)
	func() {
		defer func() { check(t, "panic", recover() != nil, true) }()
		checked(nil)
	}()
	check(t, "named", named([]name{"a", "b"}), name("ab"))
	check(t, "begun", begun(words), "<ab")
	check(t, "given", given("<", words), "<ab")
	check(t, "result", result(words), "ab")
	check(t, "doubled", doubled(words), "aba")
	check(t, "mirrored", mirrored(words), "ba")
	check(t, "deferred", deferred(words, func(s string) { check(t, "used", s, "ab") }), "ab")
	check(t, "lines", lines([]string{"a", "b.", "c"}), []string{"ab.", "c"})
	check(t, "pointed", pointed([]string{"a", "", "b"}), "againb")
	s, last := both(words)
	check(t, "both", s+last, "abb")
	check(t, "shadowed", shadowed(words), "")
	check(t, "noted", noted(words), "ab")
	check(t, "remarked", remarked(words), "ab")
	check(t, "ended", ended(words), "b")
	check(t, "kept", kept([]string{"a", "", "b"}), "ab")
}
