package ours

import (
	"cmp"
	"errors"

	"lessgc/arena"
	"lessgc/arena/abytes"
	"lessgc/arena/amap"
)

func open() *arena.Arena { return arenas.Get() }

func openFor(n int) (*arena.Arena, error) {
	if n > 1<<20 {
		return nil, errors.New("too much")
	}
	return arenas.Get(), nil
}

func release(a *arena.Arena) {
	if a != nil {
		a.Free()
	}
}

func badWrapper(line string) int {
	a := open() // want "is not freed"
	return len(a.String(line))
}

func goodWrapper(line string) int {
	a := open()
	defer release(a)
	return len(a.String(line))
}

func badWrapperError(line string) (int, error) {
	a, err := openFor(len(line)) // want "is not freed"
	if err != nil {
		return 0, err
	}
	u, err := parse(a, line)
	if err != nil {
		return 0, err
	}
	n := len(u.tags)
	release(a)
	return n, nil
}

func goodWrapperError(line string) (int, error) {
	a, err := openFor(len(line))
	if err != nil {
		return 0, err
	}
	u, err := parse(a, line)
	if err != nil {
		release(a)
		return 0, err
	}
	n := len(u.tags)
	release(a)
	return n, nil
}

func badClosure(lines []string) int {
	a := open() // want "is not freed"
	n := 0
	add := func(line string) { n += len(a.String("> " + line)) }
	for _, line := range lines {
		add(line)
	}
	return n
}

func goodClosure(lines []string) int {
	a := open()
	n := 0
	add := func(line string) { n += len(a.String("> " + line)) }
	free := func() { a.Free() }
	for _, line := range lines {
		add(line)
	}
	free()
	return n
}

func badMap(words []string) int {
	a := arenas.Get() // want "is not freed"
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	return counts.Len()
}

func goodMap(words []string) int {
	a := arenas.Get()
	defer a.Free()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	return counts.Len()
}

func badBuffer(words []string) int {
	a := arena.NewArena() // want "is not freed"
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return len(b.String())
}

func goodBuffer(words []string) int {
	a := arena.NewArena()
	defer a.Free()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return len(b.String())
}

func badSlab(lines []string) int {
	a := arenas.Get() // want "is not freed"
	users := arena.Of[user](a)
	var last *user
	for _, line := range lines {
		u := users.New()
		u.name, u.next = line, last
		last = u
	}
	return len(last.name)
}

func goodSlab(lines []string) int {
	a := arenas.Get()
	defer a.Free()
	users := arena.Of[user](a)
	var last *user
	for _, line := range lines {
		u := users.New()
		u.name, u.next = line, last
		last = u
	}
	return len(last.name)
}

func badGeneric[T cmp.Ordered](p *arena.Pool, values []T) T {
	a := p.Get() // want "is not freed"
	most := arena.New[T](a)
	for _, v := range values {
		*most = max(*most, v)
	}
	return *most
}

func goodGeneric[T cmp.Ordered](p *arena.Pool, values []T) T {
	a := p.Get()
	defer a.Free()
	most := arena.New[T](a)
	for _, v := range values {
		*most = max(*most, v)
	}
	return *most
}

// handlers are called by name.
var handlers = map[string]func(string) int{
	"count": func(line string) int {
		a := arenas.Get() // want "is not freed"
		return len(a.String(line))
	},
	"measure": func(line string) int {
		a := arenas.Get()
		defer a.Free()
		return len(a.String(line))
	},
}

// A source opens arenas in a way that cannot be seen.
type source interface{ Open() *arena.Arena }

// openFrom opens an arena for its caller.
//
//lessgc:acquire arena
func openFrom(s source) *arena.Arena { return s.Open() }

func badDirective(s source, line string) int {
	a := openFrom(s) // want "is not freed"
	return len(a.String(line))
}

func goodDirective(s source, line string) int {
	a := openFrom(s)
	defer a.Free()
	return len(a.String(line))
}

// finishLater frees the arena when everything else is done.
//
//lessgc:releases a
func finishLater(later func(func()), a *arena.Arena) { later(a.Free) }

func goodReleases(later func(func()), line string) int {
	a := arenas.Get()
	defer finishLater(later, a)
	return len(a.String(line))
}

// observe does not keep the arena, though it gives it away.
//
//lessgc:borrows a
func observe(f func(*arena.Arena), a *arena.Arena) { f(a) }

func badBorrowed(f func(*arena.Arena), line string) int {
	a := arenas.Get() // want "is not freed"
	observe(f, a)
	return len(a.String(line))
}

func goodBorrowed(f func(*arena.Arena), line string) int {
	a := arenas.Get()
	observe(f, a)
	n := len(a.String(line))
	a.Free()
	return n
}

// adopt takes over the arena.
//
//lessgc:owns a
func adopt(a *arena.Arena, n int) int { return int(a.Stats().Objects) + n }

func goodOwned(line string) int {
	a := arenas.Get()
	return adopt(a, len(line))
}

func goodIgnored(line string) int {
	//lessgc:ignore arenamissingfree the process ends right after
	a := arenas.Get()
	return len(a.String(line))
}
