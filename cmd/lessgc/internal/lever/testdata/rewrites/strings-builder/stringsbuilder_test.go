package stringsbuilder

import (
	"reflect"
	"slices"
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
	check(t, "path", path("a", "b"), "a/b")
	check(t, "listed", listed([]string{"a", "b"}), "0: aé1: bé")
	check(t, "listed of none", listed(nil), "none")
	check(t, "either", either("a", "")+either("a", "b"), "a of nonea of b")
	check(t, "varied", varied([]string{"a", "b"}), ">ab")
	check(t, "mayBeEmpty", mayBeEmpty(nil)+mayBeEmpty([]string{"a"}), "a")
	check(t, "mayWriteNone", mayWriteNone("", "")+mayWriteNone("a", "b"), "ababa")
	check(t, "mayEnd", mayEnd(`"`)+mayEnd(`a"`), "a")
	check(t, "roomy", roomy([]string{"a"}), "a")
	check(t, "single", single("a"), "a.")
	check(t, "trimmed", trimmed([]byte(" a ")), 1)
	s, b := asBytes("a")
	check(t, "asBytes", s+string(b), "aa")
	check(t, "copied", copied(strings.NewReader("a")), "a")
	check(t, "encoded", encoded(1), "1\n")
	check(t, "none", none(), "<nil>")
	s, c := twice("a")
	check(t, "twice", s+c, "aa!")
	check(t, "shown", shown("a"), "aa")
	check(t, "begun", begun("abc"), "a")
	s, c = again("a")
	check(t, "again", s+c, "aother")
	_, n := room("a")
	check(t, "room", n, 64)
	s, _ = read("abc")
	check(t, "read", s, "bc")
	check(t, "handed", handed("", func(write func(string) (int, error)) { write("a") }), "a")
	s, _ = kept("a")
	check(t, "kept", s, "a")
	check(t, "shadowed", shadowed("abc"), "bc")
	check(t, "noted", noted("a"), "a")
	defer func() { check(t, "panic", recover(), "bytes.Buffer.Grow: negative count") }()
	sized("a", -1)
}

func BenchmarkTexts(b *testing.B) {
	const name = "a name of 20 letters"
	names := slices.Repeat([]string{"ten letters"}, 5)
	all := slices.Repeat([]string{name}, 20)
	for b.Loop() {
		for i := range 20 {
			path(name, "a/b")
			listed(names)
			either(name, "ab")
			varied(all[:i+1])
			mayBeEmpty(names)
			mayWriteNone(name, name)
			mayEnd(name + `"`)
			roomy(names)
			single(name)
			asBytes(name)
			copied(strings.NewReader(name))
			encoded(name)
			none()
			sized(name, 20)
			twice(name)
			shown(name)
			begun(name)
			again(name)
			room(name)
			read(name)
			handed(name, func(write func(string) (int, error)) { write(name) })
			kept(name)
			shadowed(name)
			noted(name)
		}
	}
}
