package merge

import (
	"maps"
	"testing"
)

func TestMerge(t *testing.T) {
	c := &config{all: settings{"a": 1, "b": 2}}
	for _, m := range []map[string]int{
		c.merged(nil), c.child().all, both(c.all, nil), sometimes(c, c.all), sized(c.all), optional(c), early(c), later(c.all), many(c.all), commented(c.all), twice(c.all),
		loaded(func() map[string]int { return c.all }), between(c.all, func() {}), element([]map[string]int{c.all, nil}), promoted(new(config), c),
	} {
		if m == nil || !maps.Equal(m, c.all) {
			t.Error(m)
		}
	}
	if m := c.merged(settings{"c": 3}); len(m) != 4 || m["own"] != 1 {
		t.Error(m)
	}
	if d := c.child(); d.next != c || d.limit != 7 {
		t.Error(d)
	}
	if m := copied(c.all, map[string]int{"b": 5}); len(m) != 3 || m["b"] != 5 {
		t.Error(m)
	}
	if m := both(nil, nil); m == nil || len(m) != 0 {
		t.Error("nil")
	}
	if sometimes(nil, nil) == nil || optional(nil) == nil || early(nil) == nil || locked()["a"] != 1 || shadowed(c.all)["len"] != -1 || !unmade(c.all) {
		t.Error("nil")
	}
	m := map[string]int{}
	given(m, c.all)
	kept(m, settings{"d": 1})
	if len(m) != 3 || calls != 2 {
		t.Error(m)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	(*config)(nil).merged(nil)
}
