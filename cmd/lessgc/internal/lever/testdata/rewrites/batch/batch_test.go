package batch

import "testing"

func TestBatch(t *testing.T) {
	equal := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	equal("parse", parse("a b ( c ( (").String(), "a0aab2100bc45100cend0endreally0reallyc")
	equal("none", parse("").String(), "end0endendreally0really")
	equal("control", control(4)+control(0), 10)
	equal("keep", keep(1), 7)
	equal("store", store(1), 2)
	equal("compare", compare(1), false)
	equal("hole", hole(1), true)
	equal("length", length(1), 0)
	equal("change", change(1), 2)
	equal("call", call(1), 9)
	equal("share", share(1), 50)
	equal("sorts", sorts(3), 2)
	equal("capacity", capacity(1), 8)
	equal("cuts", cuts(1), 1)
	equal("pointer", pointer(1), 7)
	equal("arrays", arrays(1), 7)
	equal("literals", literals(1), 2)
	equal("copies", copies(1), 3)
	all := hand(1)
	first := all[0]
	all = append(all, &part{})
	first.kind = 3
	equal("hand", all[0].kind, 3)
	equal("large", large(1), 1)
	equal("others", others(1, &part{}), 8)
	equal("escapes", escapes(1), 9)
}
