package copies

import "sync"

var tables = sync.Pool{New: func() any {
	m := map[string]int{}
	return &m
}}

type index struct{ of map[string]int }

func badMap(keys []string) map[string]int {
	p := tables.Get().(*map[string]int)
	defer tables.Put(p)
	m := *p
	for i, k := range keys {
		m[k] = i
	}
	return m // want "the value returned aliases p"
}

func (x *index) badMapStored() {
	p := tables.Get().(*map[string]int)
	x.of = *p // want "the value stored in x.of aliases p"
	tables.Put(p)
}

// The map is taken out.
func goodTaken() map[string]int {
	p := tables.Get().(*map[string]int)
	m := *p
	*p = map[string]int{}
	tables.Put(p)
	return m
}

func goodCounted(keys []string) int {
	p := tables.Get().(*map[string]int)
	defer tables.Put(p)
	m := *p
	for i, k := range keys {
		m[k] = i
	}
	n := len(m)
	clear(m)
	return n
}

// What is in the map is not pooled.
func goodElement(k string) int {
	m := *tables.Get().(*map[string]int)
	n := m[k]
	tables.Put(&m)
	return n
}
