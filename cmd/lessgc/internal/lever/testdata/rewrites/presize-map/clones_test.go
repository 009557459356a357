package presizemap

import (
	"math"
	"testing"
)

func TestClones(t *testing.T) {
	one := map[string]int{"a": 1}
	s := &set{rules: one, named: table(one)}
	for name, got := range map[string]map[string]int{
		"inner": s.inner(), "compared": s.compared(), "within": within(one).rules, "maybeNil": s.maybeNil(), "oneOfTwo": s.oneOfTwo(true), "stays": s.stays(false),
		"otherField": otherField(s, s), "otherType": s.otherType(), "commented": commented(one), "commentedBefore": commentedBefore(one),
	} {
		check(t, name, got, one)
	}
	clone := s.inner()
	clone["b"] = 2
	check(t, "the map of a clone", one, map[string]int{"a": 1})
	check(t, "inner of nil", (*set)(nil).inner(), map[string]int{})
	check(t, "inner of none", (&set{}).inner(), map[string]int{})
	check(t, "compared of none", (&set{}).compared(), map[string]int{})
	check(t, "compared of empty", (&set{rules: map[string]int{}}).compared(), map[string]int{})
	check(t, "within none", within(nil), (*set)(nil))
	first, second := made([]string{"a", "b"})
	check(t, "made", first, second)
	check(t, "maybeNil of none", (&set{}).maybeNil(), map[string]int{})
	check(t, "oneOfTwo of none", (&set{}).oneOfTwo(false), map[string]int{})
	check(t, "stays of none", (&set{}).stays(true), map[string]int{})
	check(t, "called", (&set{rules: one}).called(), map[string]int{})
	check(t, "calledBehind", (&set{rules: one}).calledBehind(), map[string]int{})
	check(t, "assigned", (&set{rules: one}).assigned(nil), map[string]int{})
	check(t, "redeclared", redeclared(one), map[string]int{"": 1})
	check(t, "otherField of none", otherField(&set{}, s), map[string]int{})
	check(t, "captured", captured(), map[string]int{})
	check(t, "pointed", pointed(func(m *map[string]int) { *m = nil }), map[string]int{})
	check(t, "assignedByLoop", assignedByLoop([]map[string]int{{}}), map[string]int{"seen": 1})
	check(t, "again", again(one), map[string]int{})
	check(t, "widened", widened(one), map[string]any{"a": 1})
	check(t, "apart", apart(one), map[string]int{"first": 1, "a": 1})
	check(t, "local", local(one, []string{"a", "b"}), 1)
	check(t, "shadowedMaps", shadowedMaps(one), one)
	_, last := outer(one)
	check(t, "outer", last, "a")
	check(t, "boxed", boxed(map[any]int{1: 1, "a": 2}), map[any]int{1: 1, "a": 2})

	numbers := map[float64]any{math.NaN(): 1, math.Copysign(0, -1): 2}
	numbers[math.NaN()] = 3
	got := notANumber(numbers)
	sum := 0
	for k, v := range got {
		sum += v.(int)
		if k == 0 && !math.Signbit(k) {
			t.Error("the sign of a key is gone")
		}
	}
	check(t, "keys that are not equal to themselves", []int{len(got), sum}, []int{3, 6})
	anything := map[any]int{math.NaN(): 1}
	anything[math.NaN()] = 2
	check(t, "keys in interfaces that are not equal to themselves", len(boxed(anything)), 2)
}
