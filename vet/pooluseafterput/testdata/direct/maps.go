package direct

import "sync"

var tables = sync.Pool{New: func() any {
	m := map[string]int{}
	return &m
}}

func badMap(k string) int {
	p := tables.Get().(*map[string]int)
	m := *p
	tables.Put(p)
	return m[k] // want "p is used after it was put back"
}

func goodMap(k string) int {
	p := tables.Get().(*map[string]int)
	m := *p
	n := m[k]
	clear(m)
	tables.Put(p)
	return n
}
