package ours

import "lessgc/arena"

func badListReturned(n int) []*user {
	a := arenas.Get()
	defer a.Free()
	var users []*user
	for range n {
		users = append(users, arena.New[user](a))
	}
	return users // want "outlives"
}

func badElementReturned(n int) *user {
	a := arenas.Get()
	defer a.Free()
	users := make([]*user, n)
	for i := range n {
		users[i] = arena.New[user](a)
	}
	return users[n/2] // want "outlives"
}

func goodElementCopied(n int) user {
	a := arenas.Get()
	defer a.Free()
	users := make([]*user, n)
	for i := range n {
		users[i] = arena.New[user](a)
	}
	return user{name: users[n/2].name}
}

func goodElementReplaced(n int) *user {
	a := arenas.Get()
	defer a.Free()
	users := make([]*user, n)
	for i := range n {
		users[i] = arena.New[user](a)
	}
	users[0] = new(user)
	return users[0]
}

func goodListNotFreed(a *arena.Arena, n int) []*user {
	var users []*user
	for range n {
		users = append(users, arena.New[user](a))
	}
	return users
}
