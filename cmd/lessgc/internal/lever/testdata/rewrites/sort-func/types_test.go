package sorts

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"strings"
	"testing"
)

// These order users by methods, whatever becomes of the types that are tested.
type (
	ascending  []user
	descending []user
	rankedDown []*user
)

func (s ascending) Len() int            { return len(s) }
func (s ascending) Less(i, j int) bool  { return s[i].id < s[j].id }
func (s ascending) Swap(i, j int)       { s[i], s[j] = s[j], s[i] }
func (s descending) Len() int           { return len(s) }
func (s descending) Less(i, j int) bool { return s[j].name < s[i].name }
func (s descending) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s rankedDown) Len() int           { return len(s) }
func (s rankedDown) Less(i, j int) bool { return s[i].meta.rank > s[j].meta.rank }
func (s rankedDown) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// TestEqualElementsOfTypes checks that equal elements come out in the order that sort.Sort and sort.Stable give them.
func TestEqualElementsOfTypes(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for n := range 400 {
		for _, kinds := range []int{1, 2, 3, 10, 100, 10000} {
			users := make([]user, n)
			for i := range users {
				x := r.Intn(kinds)
				switch n % 5 {
				case 0:
					x = i / (1 + n/kinds)
				case 1:
					x = -i / (1 + n/kinds)
				}
				users[i] = user{id: num(x), name: fmt.Sprint(x), score: float32(i), meta: &meta{rank: uint8(x)}}
			}
			for _, c := range []struct {
				want func([]user)
				got  func([]user)
			}{
				{func(all []user) { sort.Sort(ascending(all)) }, sortNumbers},
				{func(all []user) { sort.Stable(ascending(all)) }, stableNumbers},
				{func(all []user) { sort.Sort(descending(all)) }, sortLabelsDown},
				{func(all []user) { sort.Sort(ascending(all)) }, sortIDs},
				{func(all []user) { sort.Sort(ascending(all)) }, sortTested},
				{ranks(func(g *group) { sort.Sort(rankedDown(g.users)) }), ranks((*group).sortRanks)},
				{ranks(func(g *group) { sort.Stable(rankedDown(g.users)) }), ranks((*group).stableRanks)},
			} {
				want, got := slices.Clone(users), slices.Clone(users)
				c.want(want)
				c.got(got)
				equal(t, want, got)
			}
		}
	}
}

// ranks sorts users as a function sorts those of a group.
func ranks(sorts func(*group)) func([]user) {
	return func(all []user) {
		g := &group{}
		for _, u := range all {
			g.users = append(g.users, &u)
		}
		sorts(g)
		for i, u := range g.users {
			all[i] = *u
		}
	}
}

// TestPanicsOfTypes checks that an element that cannot be compared panics at the same place.
func TestPanicsOfTypes(t *testing.T) {
	for n := 2; n < 100; n++ {
		build := func() (all []*user) {
			for i := range n {
				all = append(all, &user{id: num(i), meta: &meta{rank: uint8(i * 7 % n)}})
			}
			all[n/2].meta = nil
			return all
		}
		run := func(sorts func(*group)) (ids []int, what string) {
			g := &group{build()}
			func() {
				defer func() { what = fmt.Sprint(recover()) }()
				sorts(g)
			}()
			for _, u := range g.users {
				ids = append(ids, int(u.id))
			}
			return ids, what
		}
		for _, c := range []struct{ want, got func(*group) }{
			{func(g *group) { sort.Stable(rankedDown(g.users)) }, (*group).stableRanks},
			{func(g *group) { sort.Sort(rankedDown(g.users)) }, (*group).sortRanks},
		} {
			want, wantWhat := run(c.want)
			got, gotWhat := run(c.got)
			if !slices.Equal(want, got) || wantWhat != gotWhat || !strings.Contains(gotWhat, "nil pointer") {
				t.Errorf("%v and %s, want %v and %s", got, gotWhat, want, wantWhat)
			}
		}
	}
}

func TestTypes(t *testing.T) {
	if got := string(sortRunes([]rune("zebra"))); got != "aberz" || upper('a') != 'A' {
		t.Error(got)
	}
	w := []string{"b", "c", "a"}
	if sortWords(w); !slices.IsSorted(w) {
		t.Error(w)
	}
	down := words(w)
	if sortWordsDown(&down); !slices.Equal(w, []string{"c", "b", "a"}) {
		t.Error(w)
	}
	var all [6][]int
	for i := range all {
		all[i] = []int{2, 3, 1}
	}
	sortMany(all)
	for _, a := range all {
		if !slices.IsSorted(a) {
			t.Error(a)
		}
	}
	structs := []struct{ n int }{{2}, {1}}
	if sortTagged(structs); structs[0].n != 1 {
		t.Error(structs)
	}
	sort.Sort(inTests(nil))
	sortNumbers(nil)
	g := &group{[]*user{{meta: &meta{rank: 1}}, {meta: &meta{rank: 2}}}}
	if g.deferredRanks(); g.users[0].meta.rank != 2 {
		t.Error("not sorted")
	}
}
