package presizemap

import (
	"reflect"
	"testing"
)

var users = []user{{1, "ann"}, {2, "bob"}, {1, "cyd"}}

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestResults(t *testing.T) {
	last := map[int]user{1: {1, "cyd"}, 2: {2, "bob"}}
	check(t, "byID", byID(users), last)
	check(t, "byID of none", byID(nil), map[int]user{})
	check(t, "copied", copied(map[string]int{"a": 1}), map[string]int{"a": 1})
	check(t, "copied of none", copied(nil), map[string]int{})
	check(t, "places", places([]string{"a", "a", "b"}), map[string]int{"a": 1, "b": 2})
	m, _ := numbered([]string{"a"})
	check(t, "numbered", m, map[int]string{0: "a"})
	m, _ = numbered([]string{""})
	check(t, "numbered of nothing", m, map[int]string(nil))
	check(t, "together", len(together()), 2)
	check(t, "shadowed", shadowed(users), last)
	check(t, "length", length(users), last)
	check(t, "team", (*team)(nil).byID(), map[int]user{})
	check(t, "seen", seen([]string{"a", "a"}), map[string]bool{"a": true})
	check(t, "counted", counted([]string{"a", "a"}), map[string]int{"a": 2})
	check(t, "summed", summed(users)["ann"], 1)
	check(t, "early", early(users, false), map[int]user{})
	check(t, "reassigned", len(reassigned(nil, users)), 2)
	check(t, "firstOf", len(firstOf([]user{{}, {1, "a"}})), 0)
	check(t, "named", len(named([]user{{}, {1, "a"}})), 1)
	check(t, "noted", noted(users), last)
	check(t, "none", none(make([]struct{}, 9)), map[int]struct{}(nil))
	check(t, "replaced", len(replaced([]user{{1, "a"}, {2, ""}})), 0)
	for _, panics := range []func(){func() { unmade([]string{"a"}) }, func() { decoded(1<<40, users) }} {
		func() {
			defer func() { check(t, "panic", recover() != nil, true) }()
			panics()
		}()
	}
}
