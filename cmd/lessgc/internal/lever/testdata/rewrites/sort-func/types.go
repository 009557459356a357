package sorts

import (
	"cmp"
	"slices"
	"sort"
)

var (
	_ = cmp.Compare[int]
	_ = slices.Sort[[]int]
)

// byNumber sorts users by their numbers.
type byNumber []user // ascending

func (s byNumber) Len() int           { return len(s) }
func (s byNumber) Less(i, j int) bool { return s[i].id < s[j].id }
func (s byNumber) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortNumbers(users []user) {
	sort.Sort(byNumber(users)) // rewritten: slices.SortFunc(users, func(a, b user) int { return cmp.Compare(a.id, b.id) })
}

func stableNumbers(users []user) {
	sort.Stable(byNumber(users)) // rewritten: slices.SortStableFunc(users, func(a, b user) int { return cmp.Compare(a.id, b.id) })
}

type byLabel []user

func (all byLabel) Len() (n int)               { return (len(all)) }
func (all byLabel) Less(j int, i int) (r bool) { return (all[i].name < all[j].name) }
func (all byLabel) Swap(x, y int)              { all[y], all[x] = all[x], all[y] }

func sortLabelsDown(users []user) {
	sort.Sort(byLabel(users)) // rewritten: slices.SortFunc(users, func(a, b user) int { return strings.Compare(b.name, a.name) })
}

// byRanking sorts the larger ones first.
type byRanking []*user

func (s byRanking) Len() int           { return len(s) }
func (s byRanking) Less(i, j int) bool { return s[i].meta.rank > s[j].meta.rank }
func (s byRanking) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func (g *group) stableRanks() {
	sort.Stable(byRanking(g.users)) // rewritten: slices.SortStableFunc(g.users, func(a, b *user) int { return cmp.Compare(b.meta.rank, a.meta.rank) })
}

func (g *group) sortRanks() {
	sort.Sort(byRanking(g.users)) // rewritten: slices.SortFunc(g.users, func(a, b *user) int { return cmp.Compare(b.meta.rank, a.meta.rank) })
}

// deferredRanks has the type stay.
func (g *group) deferredRanks() {
	defer sort.Stable(byRanking(g.users)) // refused: it runs later
}

// words has a variable that is of the type.
type words []string

func (w words) Len() int           { return len(w) }
func (w words) Less(i, j int) bool { return w[i] < w[j] }
func (w words) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

func sortWords(w words) {
	sort.Stable(w) // rewritten: slices.Sort(w)
}

type downWords words

func (w downWords) Len() int           { return len(w) }
func (w downWords) Less(i, j int) bool { return w[j] < w[i] }
func (w downWords) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

func sortWordsDown(w *words) {
	sort.Sort((downWords)(*w)) // rewritten: slices.SortFunc(*w, func(a, b string) int { return strings.Compare(b, a) })
}

// ByID stays: other packages may use it.
type ByID []user

func (s ByID) Len() int           { return len(s) }
func (s ByID) Less(i, j int) bool { return s[i].id < s[j].id }
func (s ByID) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortIDs(users []user) {
	sort.Sort(ByID(users)) // rewritten: slices.SortFunc(users
}

// inTests is used by a test.
type inTests []user

func (s inTests) Len() int           { return len(s) }
func (s inTests) Less(i, j int) bool { return s[i].id < s[j].id }
func (s inTests) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortTested(users []user) {
	sort.Sort(inTests(users)) // rewritten: slices.SortFunc(users
}

// many is used by more calls than change together.
type many []int

func (s many) Len() int           { return len(s) }
func (s many) Less(i, j int) bool { return s[i] < s[j] }
func (s many) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortMany(all [6][]int) {
	a, b, c, d, e, f := all[0], all[1], all[2], all[3], all[4], all[5]
	sort.Sort(many(a)) // rewritten: slices.Sort(a)
	sort.Sort(many(b))
	sort.Sort(many(c))
	sort.Sort(many(d))
	sort.Sort(many(e))
	sort.Sort(many(f))
}

// tagged has other tags than what is converted to it.
type tagged []struct {
	n int `of:"n"`
}

func (s tagged) Len() int           { return len(s) }
func (s tagged) Less(i, j int) bool { return s[i].n < s[j].n }
func (s tagged) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

func sortTagged(all []struct{ n int }) {
	sort.Sort(tagged(all)) // rewritten: func(a, b struct{n int}) int
}
