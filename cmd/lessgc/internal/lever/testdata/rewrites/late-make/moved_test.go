package late

import (
	"slices"
	"testing"
)

func TestMoved(t *testing.T) {
	equal := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	it := moved("a", 4)
	equal("moved", it.name == "a" && it.count == 4 && it.at == place{line: 1}, true)
	equal("apart", moved("a", 4) != it, true)
	equal("dropped", moved("a", 3), (*item)(nil))
	n, ok := movedNew(4)
	equal("new", ok && n.value() == 0, true)
	equal("assigned", assigned("a", 4).count, 4)
	equal("part set", partSet(4).at, place{1, 4})
	equal("element set", elementSet(4).pair, [2]int{1, 4})
	equal("filled", slices.Equal(filled(4).sizes, []int{7, 4}), true)
	equal("read through", readThrough(&place{3, 4}).count, 3)
	calls = 0
	equal("called", called(4).count, 1)
	equal("calls", calls, 100)
	equal("shadowed", shadowed("a", 4).name, "a")
	equal("shadowed type", shadowedType(4).count, 4)
	equal("closed", closed(4).count, 4)
	equal("closed", closed(8).count, 8)
	it, err := named(4)
	equal("named", it.count == 4 && err == nil, true)
	equal("nested", nested(4).value(), 4)
	equal("aliased", aliased(4).sizes[0], 5)
	equal("twice", twice(5).name, "one")
	n, count := older(4)
	equal("older", n.(*item).name == "older" && count == 4, true)
	equal("older names", olderNames(4, 'x').name, "x")
}

func BenchmarkMoved(b *testing.B) {
	for range b.N {
		for i := range 40 {
			sink = moved("a", i)
			sink, _ = movedNew(i)
			sink = assigned("a", i)
			sink = partSet(i)
			sink = elementSet(i)
			sink = filled(i)
			sink = readThrough(&place{i, i})
			sink = called(i)
			sink = shadowed("a", i)
			sink = shadowedType(i)
			sink = closed(i)
			sink, _ = named(i)
			sink = nested(i)
			sink = aliased(i)
			sink = twice(i)
			sink, _ = older(i)
			sink = olderNames(i, 'x')
		}
	}
}
