package ours

import "lessgc/arena"

func badMapGet(words []string) int {
	a := arenas.Get()
	counts := arena.NewMap[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	a.Free()
	n, _ := counts.Get("the") // want "is used after"
	return n
}

func goodMapGet(words []string) int {
	a := arenas.Get()
	counts := arena.NewMap[string, int](a, len(words))
	for _, word := range words {
		*counts.Ref(word)++
	}
	n, _ := counts.Get("the")
	a.Free()
	return n
}

func badMapRange(words []string) (n int) {
	a := arenas.Get()
	counts := arena.NewMap[string, int](a, len(words))
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
	counts := arena.NewMap[string, int](a, len(words))
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
	n := arena.NewMap[string, int](a, 1).Ref(word)
	a.Free()
	return *n // want "is used after"
}

func goodMapRef(word string) int {
	a := arenas.Get()
	n := *arena.NewMap[string, int](a, 1).Ref(word)
	a.Free()
	return n
}

func badList(numbers []int) int {
	a := arenas.Get()
	l := arena.NewList[int](a)
	for _, n := range numbers {
		l.PushBack(n)
	}
	a.Free()
	return l.Len() // want "is used after"
}

func goodList(numbers []int) int {
	a := arenas.Get()
	l := arena.NewList[int](a)
	for _, n := range numbers {
		l.PushBack(n)
	}
	defer a.Free()
	return l.Len()
}

func badElement(n int) int {
	a := arenas.Get()
	e := arena.NewList[int](a).PushBack(n)
	a.Free()
	return e.Value // want "is used after"
}

func goodElement(n int) int {
	a := arenas.Get()
	l := arena.NewList[int](a)
	v := l.Remove(l.PushBack(n))
	a.Free()
	return v
}

func badBuilder(words []string) string {
	a := arenas.Get()
	b := arena.NewBuilder(a)
	for _, word := range words {
		b.WriteString(word)
	}
	a.Free()
	return b.String() // want "is used after"
}

func goodBuilder(words []string) string {
	a := arenas.Get()
	b := arena.NewBuilder(a)
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
	half := arena.AppendSlice(a, nil, numbers)[len(numbers)/2:]
	a.Free()
	return half[0] // want "is used after"
}

func goodSubslice(numbers []int) int {
	a := arenas.Get()
	half := append([]int(nil), arena.AppendSlice(a, nil, numbers)[len(numbers)/2:]...)
	a.Free()
	return half[0]
}
