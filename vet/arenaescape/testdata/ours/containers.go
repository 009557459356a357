package ours

import (
	"lessgc/arena"
	"lessgc/arena/abytes"
	"lessgc/arena/amap"
	"lessgc/arena/deep"
)

func badSlab(names []string) *user {
	a := arenas.Get()
	defer a.Free()
	users := arena.Of[user](a)
	var last *user
	for _, name := range names {
		u := users.New()
		u.name, u.friend = name, last
		last = u
	}
	return last // want "outlives"
}

func goodSlab(names []string) string {
	a := arenas.Get()
	defer a.Free()
	users := arena.Of[user](a)
	var last *user
	for _, name := range names {
		u := users.New()
		u.name, u.friend = name, last
		last = u
	}
	return last.name
}

func badSlabSlice(n int) []int {
	a := arenas.Get()
	defer a.Free()
	numbers := arena.Of[int](a)
	s := numbers.Make(0, n)
	for i := range n {
		s = numbers.Append(s, i)
	}
	return s // want "outlives"
}

func goodSlabSlice(n int) []int {
	a := arenas.Get()
	defer a.Free()
	numbers := arena.Of[int](a)
	s := numbers.Make(0, n)
	for i := range n {
		s = numbers.Append(s, i)
	}
	return arena.Clone(s)
}

func badMap(words []string) *amap.Map[string, int] {
	a := arenas.Get()
	defer a.Free()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	return counts // want "outlives"
}

func goodMap(words []string) map[string]int {
	a := arenas.Get()
	defer a.Free()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	all := make(map[string]int, counts.Len())
	for word, n := range counts.All() {
		all[word] = n
	}
	return all
}

func goodMapParameter(a *arena.Arena, words []string) *amap.Map[string, int] {
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	return counts
}

func badRef(word string) *int {
	a := arenas.Get()
	defer a.Free()
	return amap.New[string, int](a, 1).Ref(word) // want "outlives"
}

func goodGet(word string) (int, bool) {
	a := arenas.Get()
	defer a.Free()
	return amap.New[string, int](a, 1).Get(word)
}

func badBuffer(words []string) string {
	a := recycled.Get()
	defer a.Free()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return b.String() // want "outlives"
}

func goodBuffer(words []string) string {
	a := arenas.Get()
	defer a.Free()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return b.String()
}

func badArenaAppend(numbers []int) []int {
	a := arenas.Get()
	defer a.Free()
	var even []int
	for _, n := range numbers {
		if n%2 == 0 {
			even = arena.Append(a, even, n)
		}
	}
	return even // want "outlives"
}

func goodHeapAppend(numbers []int) []int {
	a := arenas.Get()
	defer a.Free()
	var even []int
	for _, n := range arena.Append(a, nil, numbers...) {
		if n%2 == 0 {
			even = arena.Append(nil, even, n)
		}
	}
	return even
}

// A server has pools of its own.
type server struct {
	arenas arena.Pool
	texts  arena.Pool
	kept   arena.Pool
}

func newServer() *server {
	return &server{
		arenas: arena.Pool{Policy: arena.RecycleTyped},
		texts:  arena.Pool{Policy: arena.RecycleAll},
		kept:   arena.Pool{Policy: arena.Safe},
	}
}

func (s *server) badUser(name string) *user {
	a := s.arenas.Get()
	defer a.Free()
	return build(a, name) // want "outlives"
}

func (s *server) goodUser(name string) *user {
	a := s.kept.Get()
	defer a.Free()
	return build(a, name)
}

func (s *server) badText(name string) string {
	a := s.texts.Get()
	defer a.Free()
	return a.String("user " + name) // want "outlives"
}

func (s *server) goodText(name string) string {
	a := s.arenas.Get()
	defer a.Free()
	return a.String("user " + name)
}

func badLocalPool(names []string) (last string) {
	pool := arena.Pool{Policy: arena.RecycleAll}
	for _, name := range names {
		a := pool.Get()
		last = a.String("user " + name)
		a.Free()
	}
	return last // want "outlives"
}

func goodLocalPool(names []string) (last *user) {
	pool := arena.Pool{Policy: arena.Safe}
	for _, name := range names {
		a := pool.Get()
		last = build(a, name)
		a.Free()
	}
	return last
}

func badLocalPointer(names []string) (last string) {
	pool := &arena.Pool{Policy: arena.RecycleAll}
	for _, name := range names {
		a := pool.Get()
		last = a.String("user " + name)
		a.Free()
	}
	return last // want "outlives"
}

const careful = arena.Safe

var carefully = arena.Pool{Policy: careful}

func goodConstant(name string) *user {
	a := carefully.Get()
	defer a.Free()
	return build(a, name)
}

// finders are called by name.
var finders = map[string]func(string) *user{
	"wrong": func(name string) *user {
		a := arenas.Get()
		defer a.Free()
		return build(a, name) // want "outlives"
	},
	"right": func(name string) *user {
		a := arenas.Get()
		defer a.Free()
		return deep.Clone(build(a, name))
	},
}

func badBufferBytes(words []string) []byte {
	a := recycled.Get()
	defer a.Free()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return b.Bytes() // want "outlives"
}

func goodBufferBytes(words []string) []byte {
	a := recycled.Get()
	defer a.Free()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	return arena.Clone(b.Bytes())
}
