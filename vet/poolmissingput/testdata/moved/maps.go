package moved

import (
	"sort"
	"sync"
)

var tables = sync.Pool{New: func() any {
	m := map[string]uint32{}
	return &m
}}

type tagger struct{ tags map[string]uint32 }

// The map moves into what is returned, as in github.com/DataDog/agent-payload.
func goodTagger() *tagger {
	m := *tables.Get().(*map[string]uint32)
	return &tagger{tags: m}
}

func (t *tagger) close() {
	clear(t.tags)
	tables.Put(&t.tags)
}

func goodPutMap(k string) uint32 {
	m := *tables.Get().(*map[string]uint32)
	n := m[k]
	tables.Put(&m)
	return n
}

func badLookUp(k string) uint32 {
	m := *tables.Get().(*map[string]uint32) // want "is never put back"
	return m[k]
}

func badNames() []string {
	p := tables.Get().(*map[string]uint32) // want "p is never put back"
	var all []string
	for k := range *p {
		all = append(all, k)
	}
	sort.Strings(all)
	return all
}
