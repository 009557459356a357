// Package merge makes maps of the entries of others.
package merge

import (
	"maps"
	"sync"
)

type settings map[string]int

// update is called for new maps, and for others.
func (s settings) update(other settings) settings {
	for k, v := range other {
		s[k] = v // rewritten
	}
	return s
}

func put(from, into map[string]int) {
	for k, v := range from {
		into[k] = v // rewritten
	}
}

type config struct {
	all   settings
	next  *config
	limit int
}

func (c *config) merged(own settings) settings {
	all := make(settings)
	all.update(c.all)
	if own != nil {
		all.update(own)
		all["own"] = len(own)
	}
	return all
}

func (c *config) child() *config {
	d := &config{
		all:   settings{},
		limit: c.limit,
	}
	d.next = c
	d.limit = 7
	d.all.update(c.all)
	return d
}

func both(a, b map[string]int) map[string]int {
	m := map[string]int{}
	put(a, m)
	put(b, m)
	return m
}

func kept(m settings, more settings) { m.update(more) }

func copied(defaults, own map[string]int) map[string]int {
	m := map[string]int{}
	m["zero"] = 0
	maps.Copy(m, defaults) // rewritten
	for k, v := range own {
		m[k] = v
	}
	return m
}

func sometimes(c *config, own map[string]int) map[string]int {
	m := make(map[string]int)
	if len(own) > 0 {
		maps.Copy(m, own) // rewritten
	}
	return m
}

func unmade(own map[string]int) (panics bool) {
	defer func() { panics = recover() != nil }()
	var m map[string]int
	maps.Copy(m, own) // refused: the map is nil, and the copy panics
	return false
}

func given(m, own map[string]int) {
	maps.Copy(m, own) // refused: the map is not new
}

func sized(own map[string]int) map[string]int {
	m := make(map[string]int, 100)
	maps.Copy(m, own) // refused: it has a size
	return m
}

func loaded(load func() map[string]int) map[string]int {
	m := map[string]int{}
	maps.Copy(m, load()) // refused: the function is called once
	return m
}

var calls int

func between(own map[string]int, change func()) map[string]int {
	m := map[string]int{}
	change()
	maps.Copy(m, own) // refused: what is called in between may end the function
	return m
}

var (
	mu     sync.Mutex
	shared = map[string]int{"a": 1}
)

func locked() map[string]int {
	m := map[string]int{}
	mu.Lock()
	maps.Copy(m, shared) // refused: the map may be read with the lock only
	mu.Unlock()
	return m
}

func optional(c *config) map[string]int {
	m := map[string]int{}
	if c != nil {
		maps.Copy(m, c.all) // refused: there may be no object to take the length from
	}
	return m
}

func early(c *config) map[string]int {
	m := map[string]int{}
	if c == nil {
		return m
	}
	maps.Copy(m, c.all) // refused: it is returned before, if there is nothing
	return m
}

func element(all []map[string]int) map[string]int {
	m := map[string]int{}
	for _, one := range all {
		maps.Copy(m, one) // refused: how many there are is not known where it is made
	}
	return m
}

func later(own map[string]int) map[string]int {
	m := map[string]int{}
	own = trimmed(own)
	maps.Copy(m, own) // refused: it is another map where the new one is made
	return m
}

func trimmed(own map[string]int) map[string]int {
	if len(own) > 2 {
		return nil
	}
	return own
}

func shadowed(own map[string]int) map[string]int {
	len := func(map[string]int) int { return -1 }
	m := map[string]int{}
	maps.Copy(m, own) // refused: len is another function here
	m["len"] = len(m)
	return m
}

func commented(own map[string]int) map[string]int {
	m := map[string]int{ /* of its own */ }
	maps.Copy(m, own) // refused: a comment would go
	return m
}

type linked struct{ *config }

func promoted(c, d *config) (m map[string]int) {
	l := struct {
		linked
		m map[string]int
	}{linked: linked{c}, m: map[string]int{}}
	l.next = d
	maps.Copy(l.m, c.next.all) // refused: there is no next one where the map is made
	return l.m
}

func twice(own map[string]int) map[string]int {
	m := map[string]int{}
	maps.Copy(m, m) // refused: it is the new map that is copied
	maps.Copy(m, own)
	return m
}

// counted does more than to merge.
func counted(into, from map[string]int) {
	for k, v := range from {
		into[k] = v // refused: it does something else, too
		calls++
	}
}

func many(own map[string]int) map[string]int {
	m := map[string]int{}
	counted(m, own)
	return m
}
