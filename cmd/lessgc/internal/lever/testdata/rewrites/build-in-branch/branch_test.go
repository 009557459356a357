package branch

import (
	"math/big"
	"testing"
)

func TestBranch(t *testing.T) {
	equal := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	panics := func(what string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s does not panic", what)
			}
		}()
		f()
	}
	c := &cache{recent: map[int]string{}, text: []byte("abc")}
	equal("get", c.get(3)+c.get(3), "item/3item/3")
	equal("misses", c.misses, 1)
	equal("check", check("kind", "name", 7).Error(), "the KIND of name: seven")
	equal("none", check("kind", "name", 6), nil)
	equal("counted", counted([]int{1, 1, 2}, 7)+counted(nil, 6), 2)
	panics("repeated", func() { repeated("a", -1, 6) })
	panics("based", func() { based(1, 1, 6) })
	panics("made", func() { made(-1, 6) })
	panics("divided", func() { divided(1, 0, 6) })
	panics("asserted", func() { asserted(1, 6) })
	equal("locked", c.locked(7), "abc")
	equal("joined", joined([]string{"a", "b"}, 7), "a, b")
	equal("set", set("a", 7), "a is what it was before, not afterother")
	equal("pointed", pointed("a", 7, func(s *string) { *s = "b" }), "a is what it was before, not after")
	equal("renamed", c.renamed(7), "after so many misses: 1")
	equal("printed", printed(big.NewInt(1), 7), "1 and some more text behind it")
	stringed(1, 6)
	equal("calls", calls, 1)
	equal("labels", labels(7), 3)
	all := loop("a", 7)
	equal("loop", all[0] == all[1], true)
	f := literal("a", 7)
	equal("literal", f() == f(), true)
	equal("shadowed", shadowed("a", 7), 28)
	equal("renames", renames("a", 7), "a is what was givenother")
}

var sink any

func BenchmarkBranch(b *testing.B) {
	c := &cache{recent: map[int]string{1: "a", 2: "b"}, text: []byte("abc")}
	names := []string{"a", "b"}
	for range b.N {
		for i := range 40 {
			sink = c.get(1 + i%2)
			sink = check("kind", "name", i)
			sink = counted([]int{1, 1, 2}, i)
			sink = repeated("a", 100, i)
			sink = based(1000, 10, i)
			sink = made(1000, i)
			sink = divided(1000, 3, i)
			sink = asserted("abc", i)
			sink = c.locked(i)
			sink = joined(names, i)
			sink = set("a", i)
			sink = pointed("a", i, func(s *string) {})
			sink = c.renamed(i)
			sink = printed(big.NewInt(1), i)
			sink = stringed(1, i)
			sink = labels(i)
			sink = loop("a", i)
			sink = literal("a", i)()
			sink = shadowed("a", i)
			sink = renames("a", i)
		}
	}
}
