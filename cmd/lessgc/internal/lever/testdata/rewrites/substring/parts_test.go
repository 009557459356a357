package parts

import (
	"slices"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for _, name := range []string{"", ".", "a", "a.b", "a.b.c", ".a", "a.", "..", "a/b/c", "/", "//", "/a", "a-b-c", "-", "a::b:::c", "a:::b", "x->y->z", "->", "->->", "a b c d", " ", "a  b"} {
		split := func(sep string) []string { return strings.Split(name, sep) }
		check := func(what, got, want string) {
			if got != want {
				t.Errorf("%s of %q: got %q, want %q", what, name, got, want)
			}
		}
		but := func(sep string) string { all := split(sep); return strings.Join(all[:len(all)-1], sep) }
		check("parent", parent(name), strings.Join(split(".")[1:], "."))
		dir, n := folder(name)
		check("folder", dir, but("/"))
		if n != len(split("/")) {
			t.Error(n)
		}
		if len(split("::")) > 2 {
			check("module", module(name), but("::"))
		}
		check("scope", scope(name), but("->"))
		check("rest", rest(name), strings.Join(split(" ")[1:], " "))
		check("whole", whole(name), name)
		a, b, first := both(name)
		check("both", first, split("-")[0])
		if c, d := neither(name); c != a || d != b {
			t.Error(c, d)
		}
		check("both", a, strings.Join(split("-")[1:], "-"))
		check("both", b, but("-"))
		check("once", once(name), "")
		check("other", other(name), strings.Join(split(".")[1:], "/"))
		check("builtin", builtin(name), but("/"))
		check("commented", commented(name), parent(name))
		check("set", set(name), parent(name)+"a.b")
		if _, err := second(name); (err == nil) != (len(split(".")) > 1) {
			t.Error(name, err)
		}
		u := url{name}
		check("base", u.base(), strings.Join(split("/")[1:], "/"))
	}
	if got := hosts([]string{"a.example.com", "b.example.org", "c"}); !slices.Equal(got, []string{"b"}) {
		t.Error(got)
	}
	if got := lastOf("a b c d"); got != "a b" {
		t.Error(got)
	}
	if kind("a.b.c", "b.c") != 2 || kind("a.b", "a") != 1 || ended("a.b") != 2 || ended("a") != 0 {
		t.Error("kinds")
	}
	if none("a.b", 0) != "" || none("a.b", 1) != "a.b" || three("a.b.c.d") != "a.b.c.d" {
		t.Error("none")
	}
	if letters("abc") != "bc" || lowered("A.B.C") != "b.C" || shorter("a.b.c") != "c" || shadowed("x.y") != "ya.b" || elseIf("a.com") != "a" {
		t.Error("others")
	}
	all := later([]string{"a.b", "c.d"})
	if all[0]() != "b" || all[1]() != "d" || module("a:::b::c") != "a:::b" {
		t.Error("later")
	}
}
