package arena

import "testing"

func TestLinks(t *testing.T) {
	if l := newTested(nil, 3); l.v != 3 {
		t.Error(l.v)
	}
	for name, sum := range map[string]func(int) int{
		"tested": testedLinks, "generic": genericLinks, "exported": exportedLinks, "plan9": plan9Links, "closure": closureLinks,
		"large": largeLinks, "locked": lockedLinks, "final": finalLinks, "shadow": shadowLinks, "spread": spreadLinks, "nil": nilLinks,
		"kept": keptLinks, "pooled": pooledLinks, "only": onlyLinks, "uncopied": uncopiedLinks, "made": madeLinks,
	} {
		if got := sum(200); got != 199*200/2 {
			t.Errorf("%s: %d", name, got)
		}
	}
	watched()
	for i, got := range []int{storedLinks(200), methodLinks(200), literalLinks(199), goLinks(200), deferLinks(200), againLinks(3), unnamedLinks(200), exprLinks(200), anotherNil()} {
		if want := []int{19901, 20100, 19900, 39800, 19901, 4, 200, 20100, 3}[i]; got != want {
			t.Errorf("%d: got %d, want %d", i, got, want)
		}
	}
}
