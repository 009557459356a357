// Package presizemap has loops that fill a map.
package presizemap

type user struct {
	id   int
	name string
}

func byID(users []user) map[int]user {
	m := map[int]user{}
	for _, u := range users {
		m[u.id] = u // rewritten
	}
	return m
}

func copied(from map[string]int) map[string]int {
	m := make(map[string]int)
	for k, v := range from {
		m[k] = v // rewritten
	}
	return m
}

func places(names []string) map[string]int {
	m := make(map[string]int, 0)
	for i, name := range names {
		m[name] = i // rewritten
	}
	return m
}

func numbered(names []string) (map[int]string, error) {
	m := map[int]string{}
	for i, name := range names {
		if name == "" {
			return nil, errEmpty
		}
		m[i] = name // rewritten
	}
	return m, nil
}

var errEmpty error

func unmade(names []string) map[int]string {
	var m map[int]string
	for i, name := range names {
		m[i] = name // refused: it is nil, and the loop panics
	}
	return m
}

func seen(names []string) map[string]bool {
	m := map[string]bool{}
	for _, name := range names {
		m[name] = true // refused: a set has as many elements as there are different ones
	}
	return m
}

func counted(names []string) map[string]int {
	m := map[string]int{}
	for _, name := range names {
		m[name]++ // refused: a key comes again
	}
	return m
}

func summed(users []user) map[string]int {
	m := map[string]int{}
	for _, u := range users {
		m[u.name] = m[u.name] + u.id // refused: a key that comes again is read
	}
	return m
}

func shadowed(users []user) map[int]user {
	make := func(n int) int { return n }
	m := map[int]user{}
	for _, u := range users {
		m[u.id] = u // refused: make is another function here
	}
	delete(m, make(0))
	return m
}

func length(users []user) map[int]user {
	len := func([]user) int { return -1 }
	m := map[int]user{}
	for _, u := range users {
		m[u.id] = u // refused: len is another function here
	}
	delete(m, len(users))
	return m
}

func noted(users []user) map[int]user {
	m := map[int]user{ /* by their number */ }
	for _, u := range users {
		m[u.id] = u // refused: a comment would go
	}
	return m
}

func together() map[int]user {
	users, m := someUsers(), map[int]user{}
	for _, u := range users {
		m[u.id] = u // refused: what the loop goes over does not exist where the map is made
	}
	return m
}

func someUsers() []user { return []user{{1, "a"}, {2, "b"}} }

func reassigned(users, more []user) map[int]user {
	m := map[int]user{}
	users = append(users, more...)
	for _, u := range users {
		m[u.id] = u // refused: what the loop goes over changes after the map is made
	}
	return m
}

func early(users []user, ok bool) map[int]user {
	m := map[int]user{}
	if !ok {
		return m
	}
	for _, u := range users {
		m[u.id] = u // refused: the map may be returned before the loop
	}
	return m
}

type team struct{ users []user }

func (t *team) byID() map[int]user {
	m := map[int]user{}
	if t == nil {
		t = &team{}
	}
	for _, u := range t.users {
		m[u.id] = u // refused: the pointer may be nil where the map is made
	}
	return m
}

func decoded(n int, data []user) map[int]user {
	m := map[int]user{}
	for i := range n {
		m[i] = data[i] // refused: a large number of a short input panics soon
	}
	return m
}

func firstOf(users []user) map[int]user {
	m := map[int]user{}
	for _, u := range users {
		if u.name == "" {
			break
		}
		m[u.id] = u // refused: the loop ends when it has enough
	}
	return m
}

func named(users []user) map[int]user {
	m := map[int]user{}
	for _, u := range users {
		if u.name != "" {
			m[u.id] = u // refused: few of the iterations may come to it
		}
	}
	return m
}

func none(empty []struct{}) map[int]struct{} {
	m := map[int]struct{}{}
	for i, e := range empty {
		m[i] = e // refused: a slice of nothing may have any length
		if i == 3 {
			return nil
		}
	}
	return m
}

func replaced(users []user) map[int]user {
	m := map[int]user{}
	for _, u := range users {
		m[u.id] = u // refused: the map is made again in the loop
		if u.name == "" {
			m = map[int]user{}
		}
	}
	return m
}
