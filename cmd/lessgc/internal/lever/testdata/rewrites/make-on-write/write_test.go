package write

import (
	"reflect"
	"testing"
)

func TestWrite(t *testing.T) {
	equal := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	values, none := []int{1, -2, 3}, []int{1}
	equal("failures", failures(values)+failures(none), 2)
	equal("repeats", repeats([]string{"a", "a", "a"})*10+repeats(nil), 40)
	m := returned(none)
	m[1] = true
	equal("returned", len(m), 1)
	equal("compared", compared(none), false)
	equal("alias", alias(values), 1)
	equal("captured", captured(values), 1)
	n := 0
	equal("sized", sized(none, &n)+n, 1)
	equal("only", only(values), 1)
	equal("pairs", pairs(values), 2)
	c := make(chan int, 1)
	c <- 1
	equal("received", received(c, 31), 1)
	equal("copied", copied(values, m), 1)
	equal("setAgain", setAgain(append([]int{-1}, make([]int, 40)...), nil) != nil, true)
	equal("run", run(nil), &tx{map[string]int{}})
	a, b := appended(values)
	equal("appended", append(a, b...), []int{2, 2})
	equal("renamed", renamed(values), 1)
}

var sink any

func BenchmarkWrite(b *testing.B) {
	values, names := make([]int, 3), []string{"a", "b", "c"}
	n := 0
	for range b.N {
		for i := range 40 {
			if values[0] = 1; i == 30 {
				values[0] = -1
			}
			sink = failures(values)
			sink = repeats(names)
			sink = returned(values)
			sink = compared(values)
			sink = alias(values)
			sink = captured(values)
			sink = sized(values, &n)
			sink = only(values)
			sink = pairs(values)
			sink = received(nil, 3)
			sink = copied(values, nil)
			sink = setAgain(values, nil)
			sink = run(names)
			sink, _ = appended(values)
			sink = renamed(values)
		}
	}
}
