package ours

import "lessgc/arena"

func ids(users []*user) (sum int) {
	for _, u := range users {
		sum += u.id
	}
	return sum
}

// The list is on the heap, what its elements lead to is not.
func badListElement(n int) int {
	a := arenas.Get()
	users := make([]*user, 0, n)
	for i := range n {
		u := arena.New[user](a)
		u.id = i
		users = append(users, u)
	}
	sum := ids(users)
	a.Free()
	last := users[n-1]
	return sum + last.id // want "is used after"
}

func goodListElement(n int) int {
	a := arenas.Get()
	users := make([]*user, 0, n)
	for i := range n {
		u := arena.New[user](a)
		u.id = i
		users = append(users, u)
	}
	last := users[n-1].id
	a.Free()
	return len(users) + last
}

func badListIndexed(lines []string) (names []string) {
	a := arenas.Get()
	users := make([]*user, len(lines))
	for i, line := range lines {
		users[i] = parse(a, line)
	}
	a.Free()
	for _, u := range users {
		names = append(names, u.account.owner) // want "is used after"
	}
	return names
}

func badListOfSlices(n int) (sum int) {
	a := arenas.Get()
	var rows [][]int
	for range n {
		rows = append(rows, arena.MakeSlice[int](a, n, n))
	}
	a.Free()
	for _, row := range rows {
		for _, x := range row { // want "is used after"
			sum += x
		}
	}
	return sum
}

// Some elements are not of the arena.
func goodListMixed(n int, first *user) int {
	a := arenas.Get()
	users := []*user{first}
	for range n {
		users = append(users, arena.New[user](a))
	}
	a.Free()
	return users[0].id
}

func goodListMore(n int, more []*user) int {
	a := arenas.Get()
	var users []*user
	for range n {
		users = append(users, arena.New[user](a))
	}
	users = append(users, more...)
	a.Free()
	return users[len(users)-1].id
}

func fill(users []*user) {
	for i := range users {
		users[i] = new(user)
	}
}

// Another function replaces the elements.
func goodListFilled(n int) int {
	a := arenas.Get()
	var users []*user
	for range n {
		users = append(users, arena.New[user](a))
	}
	a.Free()
	fill(users)
	return users[0].id
}

// Each round has elements of its own.
func goodListRounds(n int) (sum int) {
	var users []*user
	for range n {
		a := arenas.Get()
		users = users[:0]
		for i := range n {
			u := arena.New[user](a)
			u.id = i
			users = append(users, u)
		}
		sum += ids(users) + users[0].id
		a.Free()
	}
	return sum
}

func goodListReset(n int) (sum int) {
	a := arenas.Get()
	defer a.Free()
	var users []*user
	for range n {
		a.Reset()
		users = append(users[:0], arena.New[user](a))
		sum += users[0].id
	}
	return sum
}
