package late

import "testing"

func TestLate(t *testing.T) {
	equal := func(what string, got, want any) {
		if got != want {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	a, _ := parse(4)
	b, _ := parse(4)
	equal("apart", a != b, true)
	equal("parse", a.value(), 5)
	equal("n", a.(*sum).n, 1)
	a, _ = parse(3)
	equal("left", a, number(3))
	a, text := parseLiteral(8)
	equal("literal", a.value(), 8)
	equal("text", text, "0")
	a, text = parseLiteral(-1)
	equal("negative", a.(*sum).left, number(-1))
	equal("text", text, "negative")
	a, _ = parseLiteral(3)
	equal("first", a, number(3))
	equal("single", single(4).value(), 5)
	equal("compared", compared(4).value(), 5)
	equal("given", given(4), node(kept))
	equal("method", method(4).(*sum).n, 1)
	a, n := addressed(4)
	*n = 3
	equal("addressed", a.(*sum).n, 3)
	a, all := sliced(4)
	all[1] = 3
	equal("sliced", a.(*sum).pair[1], 3)
	a, b = both(4)
	equal("both", a, b)
	equal("deferred", literal(4).value(), 13)
	equal("again", again(0).value(), 2)
	equal("alias", alias(4).value(), 9)
	equal("channel", channel(4).value(), 8)
	equal("lock", lock(4).n, 4)
	equal("larger", larger(4).all[3], 4)
	a, m := key(4)
	equal("key", m[a.(*sum)], 4)
	_, text = printed(4)
	equal("printed", text, "*late.sum")
}

var sink any

func BenchmarkLate(b *testing.B) {
	for range b.N {
		for i := range 40 {
			sink, _ = parse(i)
			sink, _ = parseLiteral(i)
			sink = single(i)
			sink = compared(i)
			sink = given(i)
			sink = method(i)
			sink, _ = addressed(i)
			sink, _ = sliced(i)
			sink, _ = both(i)
			sink = literal(i)
			sink = again(i)
			sink = alias(i)
			sink = channel(i)
			sink = lock(i)
			sink = larger(i)
			sink, _ = key(i)
			sink, _ = printed(i)
		}
	}
}
