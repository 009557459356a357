package late

import "testing"

func TestPlaced(t *testing.T) {
	equal := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	calls = 0
	equal("line above", lineAbove("a", 4).count, 4)
	equal("calls", calls, 1)
	equal("lines above", linesAbove("a", 4).count, 4)
	equal("calls", calls, 2)
	equal("value of new", *valueOfNew(4).p, 4)
	equal("call in new", *callInNew(4).p, 3)
	equal("comment inside", commentInside("four").name, "four")
}

func BenchmarkPlaced(b *testing.B) {
	for range b.N {
		for i := range 40 {
			sink = lineAbove("a", i)
			sink = linesAbove("a", i)
			sink = valueOfNew(i)
			sink = callInNew(i)
			sink = commentInside("123456"[:i%5])
		}
	}
}
