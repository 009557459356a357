package sizemap

// An entry has a name of its own, or shares that of others.
type entry struct {
	name  string
	kind  int
	parts []int
}

func (e *entry) Name() string { return e.name }

type catalog struct {
	byName map[string]*entry
	byKind map[int]*entry
}

// Of a map whose loop goes over a slice with as many elements, the length is the size.

func cataloged(entries []*entry) *catalog {
	c := &catalog{
		byName: make(map[string]*entry), // length
		byKind: make(map[int]*entry, 1),
	}
	for _, e := range entries {
		name := e.Name()
		if e.kind == 0 {
			c.byName[name] = e // rewritten
		} else {
			c.byKind[e.kind] = e
		}
	}
	return c
}

func named(entries []*entry) map[string]*entry {
	m := map[string]*entry{} // length
	for _, e := range entries {
		m[e.Name()] = e // rewritten
	}
	return m
}

func firsts(all []*entry) map[string]*entry {
	entries := all[1:]
	m := make(map[string]*entry) // length
	for _, e := range entries {
		if _, ok := m[e.name]; !ok {
			m[e.name] = e // rewritten
		}
	}
	return m
}

func positions(text string) map[int]rune {
	m := make(map[int]rune) // length
	for i, r := range text {
		if r != '\n' {
			m[i] = r // rewritten
		}
	}
	return m
}

// Others stay, as the number that was observed is only right for the benchmarks.

func later(entries []*entry) map[string]*entry {
	m := make(map[string]*entry) // number: entries is reassigned between
	entries = entries[1:]
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func addressed(entries []*entry) map[string]*entry {
	drop := &entries
	m := make(map[string]*entry) // number: something else may change it
	*drop = (*drop)[1:]
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func captured(entries []*entry) map[string]*entry {
	drop := func() { entries = entries[1:] }
	m := make(map[string]*entry) // number: a function literal changes it
	drop()
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func pointed(entries *[48]*entry) map[string]*entry {
	m := make(map[string]*entry) // number: of a pointer that may be nil
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func ranged(entries map[string]*entry) map[string]*entry {
	m := make(map[string]*entry) // number: others may change a map
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func received(entries chan *entry) map[string]*entry {
	m := make(map[string]*entry) // number: of a channel
	for e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func nested(entries []*entry) map[int]*entry {
	m := make(map[int]*entry) // number: each iteration may set several
	for _, e := range entries {
		for _, k := range e.parts {
			m[k] = e // refused: no number is right for everybody
		}
	}
	return m
}

func labelled(entries []*entry) map[int]*entry {
	m := make(map[int]*entry)
	for _, e := range entries { // TestExecutedLabel counts its iterations
	parts:
		for range e.parts {
			for _, q := range e.parts {
				if q > 20 {
					continue parts
				}
			}
		}
		m[e.parts[0]%40] = e
	}
	return m
}

func added(m map[string]*entry, entries []*entry) {
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
}

func elsewhere(entries []*entry) map[string]*entry {
	m := make(map[string]*entry) // number: it is filled in another function
	added(m, entries)
	return m
}

type holder struct{ held map[string]*entry }

func field(c *holder, from *struct{ entries []*entry }) *holder {
	c.held = make(map[string]*entry) // number: a field may be changed by others
	for _, e := range from.entries {
		c.held[e.Name()] = e // refused: no number is right for everybody
	}
	return c
}

func few(entries []*entry) map[string]*entry {
	m := make(map[string]*entry) // number: far fewer have a name of their own
	for _, e := range entries {
		m[e.name[len(e.name)-2:]] = e // refused: no number is right for everybody
	}
	return m
}

func chosen(entries []*entry) map[string]*entry {
	m := make(map[string]*entry) // number: only some are set
	for _, e := range entries {
		if e.kind == 1 {
			m[e.Name()] = e // refused: no number is right for everybody
		}
	}
	return m
}

func late(all []*entry) map[string]*entry {
	m := make(map[string]*entry) // number: the slice comes after the map
	entries := all[1:]
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func maybe(entries []*entry, kind int) map[string]*entry {
	m := make(map[string]*entry) // number: it may be returned before the loop
	if kind < 0 {
		return m
	}
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	return m
}

func hidden(entries []*entry) map[string]*entry {
	len := func(all []*entry) int { return -1 }
	m := make(map[string]*entry) // number: len is another function
	for _, e := range entries {
		m[e.Name()] = e // refused: no number is right for everybody
	}
	if len(entries) > 0 {
		return nil
	}
	return m
}
