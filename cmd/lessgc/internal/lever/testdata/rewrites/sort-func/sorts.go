// Package sorts sorts by reflection.
package sorts

import (
	"sort"
	"strings"
)

type user struct {
	id    num
	score float32
	name  string
	meta  *meta
}

type num int32

type meta struct {
	rank uint8
	tags []string
}

func (u user) key() num { return u.id }

// uses counts calls of next.
var uses int

func (u *user) next() num {
	uses++
	return u.id
}

func byID(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].id < users[j].id }) // rewritten
}

func byNameDown(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].name > users[j].name }) // rewritten
}

type group struct{ users []*user }

func (g *group) byRank() {
	sort.SliceStable(g.users, func(a, b int) bool { return g.users[b].meta.rank < g.users[a].meta.rank }) // rewritten
}

func numbers(all []int) {
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] }) // rewritten
}

func byScore(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].score < users[j].score }) // refused: floats have NaN
}

func byNext(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].next() < users[j].next() }) // refused: a method is called, with the address of the element
}

func byKey(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].key() < users[j].key() }) // refused: a method is called
}

func byRanks(users []user, ranks []int) {
	sort.Slice(users, func(i, j int) bool { return ranks[i] < ranks[j] }) // refused: another slice is compared
}

func byBoth(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].id < users[j].id && users[i].name < users[j].name }) // refused: two fields are compared
}

func byFields(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].name < users[j].meta.tags[0] }) // refused: two different fields are compared
}

func counting(users []user) (n int) {
	sort.Slice(users, func(i, j int) bool { n++; return users[i].id < users[j].id }) // refused: it counts, too
	return n
}

func orEqual(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].id <= users[j].id }) // refused: it is no order
}

func lower(users []user) {
	sort.Slice(users, func(i, j int) bool { return strings.ToLower(users[i].name) < strings.ToLower(users[j].name) }) // refused: a function is called
}

func later(users []user, more []user) (out []user) {
	defer sort.Slice(users, func(i, j int) bool { return users[i].id < users[j].id }) // refused: by then the variable is another slice
	out = users
	users = more
	return out
}

func first(users []user) {
	sort.Slice(users, func(i, j int) bool { return i < j || users[i].id < users[j].id }) // refused: positions are compared
}

func shadowed(users []user) {
	user := users
	sort.Slice(user, func(i, j int) bool { return user[i].id < user[j].id }) // refused: the name of the type means something else here
}

func explained(users []user) {
	sort.Slice(users, func(i, j int) bool { return users[i].id /* of the account */ < users[j].id }) // refused: a comment would go
}

func compared(users []user, cmp func() int) int {
	sort.Slice(users, func(i, j int) bool { return users[i].id < users[j].id }) // refused: the name of the package means something else here
	return cmp()
}

func aliases(users []user) {
	others := users[1:]
	sort.Slice(users[:len(users)-1], func(i, j int) bool { return others[i].id < others[j].id }) // refused: the slice that is compared is not the one that is sorted
}
