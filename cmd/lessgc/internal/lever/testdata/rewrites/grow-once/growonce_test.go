package growonce

import (
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
	check(t, "pair", pair("a", "b"), "a=b")
	check(t, "frame", frame([]byte("a"), []byte("b")), []byte("ab"))
	check(t, "frame of nothing", frame(nil, []byte{}), []byte(nil))
	check(t, "listed", listed("a", []string{"b"}), []string{"a", "", "b"})
	check(t, "ruled", ruled("äb"), "äb\n--")
	check(t, "message", message("a", []byte("b")), []byte("ab"))
	check(t, "message of nothing", message("", nil), []byte(nil))
	_, text := copied("")
	check(t, "copied", text, "end")
	check(t, "optional", optional("", "b"), []byte("-b"))
	check(t, "changed", changed("a", "b"), "abb")
	check(t, "called", called("a", &user{"b"}), "ab!")
	check(t, "left", left("", "b"), "")
	check(t, "letters", letters(nil, "äb"), []rune("äb"))
	check(t, "shadowed", shadowed("a", "b"), "")
	check(t, "pointed", pointed([]byte("a"), []byte("b")), []byte("a"))
	check(t, "handed", handed("a", "b"), "ab")
	check(t, "bracketed", bracketed("a[b]c"), "[b]")
	check(t, "vowels", vowels("seed"), "ee")
	check(t, "quoted", quoted(`"ä"`), `\"ä\"`)
	none := func(string) {}
	check(t, "nested", nested([]string{"a"}, []string{"b"}, none), []string{"", "a"})
	check(t, "repeated", repeated("a", []string{"b"}, none), "a\n")
}

// TestMemory checks what would differ if something that must not be grown were.
func TestMemory(t *testing.T) {
	check(t, "room", room("a", strings.Repeat("b", 8)), 16)
	check(t, "spare", spare([]byte("a"), nil), 63)
	a, b := kept([]byte("abcdefgh"), []byte("x"))
	check(t, "kept", string(a)+string(b), "abcdefgh!bcdefghx")
	a, b = held([]byte(strings.Repeat("a", 64)), []byte("x"))
	b[0] = '!'
	check(t, "held", a[0], byte('a'))
	a, b = branches([]byte("a"), []byte("b"))
	check(t, "branches", string(a)+string(b), "abyaby")
	check(t, "capacity", capacity(make([]byte, 8), make([]byte, 1)), 16)
	steps = 0
	func() {
		defer func() { check(t, "panic", recover() != nil, true) }()
		stepped("a", nil)
	}()
	check(t, "steps", steps, 1)
}
