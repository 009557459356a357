package ours

import (
	"lessgc/arena"
	"lessgc/arena/abytes"
	"lessgc/arena/amap"
)

func badMapGet(words []string) int {
	a := arenas.Get()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	a.Free()
	n, _ := counts.Get("the") // want "is used after"
	return n
}

func goodMapGet(words []string) int {
	a := arenas.Get()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	n, _ := counts.Get("the")
	a.Free()
	return n
}

func badMapRange(words []string) (n int) {
	a := arenas.Get()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	a.Free()
	for _, count := range counts.All() { // want "is used after"
		n += count
	}
	return n
}

func goodMapRange(words []string) (n int) {
	a := arenas.Get()
	counts := amap.New[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	for _, count := range counts.All() {
		n += count
	}
	a.Free()
	return n
}

func badMapRef(word string) int {
	a := arenas.Get()
	n := amap.New[string, int](a, 1).Ref(word)
	a.Free()
	return *n // want "is used after"
}

func goodMapRef(word string) int {
	a := arenas.Get()
	n := *amap.New[string, int](a, 1).Ref(word)
	a.Free()
	return n
}

func badBuffer(words []string) string {
	a := arenas.Get()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	a.Free()
	return b.String() // want "is used after"
}

func goodBuffer(words []string) string {
	a := arenas.Get()
	b := abytes.NewBuffer(a)
	for _, word := range words {
		b.WriteString(word)
	}
	text := b.String()
	a.Free()
	return text
}

func badSlab(n int) int {
	a := arena.NewArena()
	users := arena.Of[user](a)
	users.New().id = n
	a.Free()
	return users.New().id // want "is used after"
}

func goodSlab(n int) int {
	a := arena.NewArena()
	users := arena.Of[user](a)
	users.New().id = n
	a.Free()
	a = arena.NewArena()
	defer a.Free()
	users = arena.Of[user](a)
	return users.New().id
}

func goodSlabAfterReset(n int) int {
	a := arenas.Get()
	defer a.Free()
	users := arena.Of[user](a)
	users.New().id = n
	a.Reset()
	users = arena.Of[user](a)
	return users.New().id
}

func badSlabSlice(n int) int {
	a := arenas.Get()
	numbers := arena.Of[int](a).Make(n, n)
	a.Free()
	return numbers[0] // want "is used after"
}

func goodSlabSlice(n int) int {
	a := arenas.Get()
	numbers := arena.Of[int](a).Make(n, n)
	first := numbers[0]
	a.Free()
	return first
}

func badSubslice(numbers []int) int {
	a := arenas.Get()
	half := arena.Append(a, nil, numbers...)[len(numbers)/2:]
	a.Free()
	return half[0] // want "is used after"
}

func goodSubslice(numbers []int) int {
	a := arenas.Get()
	half := append([]int(nil), arena.Append(a, nil, numbers...)[len(numbers)/2:]...)
	a.Free()
	return half[0]
}
