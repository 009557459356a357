package sorts

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"testing"
)

// TestEqualElements checks that equal elements come out in the order that sort.Slice gives them.
func TestEqualElements(t *testing.T) {
	r := rand.New(rand.NewSource(1))
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
				users[i] = user{id: num(x), name: fmt.Sprint(x), score: float32(i)}
			}
			want, got := slices.Clone(users), slices.Clone(users)
			sort.Slice(want, func(i, j int) bool { return want[i].id < want[j].id })
			byID(got)
			equal(t, want, got)
			want, got = slices.Clone(users), slices.Clone(users)
			sort.Slice(want, func(i, j int) bool { return want[i].name > want[j].name })
			byNameDown(got)
			equal(t, want, got)
		}
	}
}

func equal(t *testing.T, want, got []user) {
	t.Helper()
	for i := range want {
		if want[i].score != got[i].score {
			t.Fatalf("of %d, number %d is %v, not %v", len(want), i, got[i], want[i])
		}
	}
}

func TestSorts(t *testing.T) {
	a, b, c := &user{id: 1, meta: &meta{rank: 1}}, &user{id: 2, meta: &meta{rank: 2}}, &user{id: 3, meta: &meta{rank: 2}}
	g := &group{[]*user{a, b, c}}
	if g.byRank(); g.users[0] != b || g.users[1] != c || g.users[2] != a {
		t.Error("not stable, or not the larger ones first")
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		(&group{[]*user{{}, {}}}).byRank()
	}()
	all := []int{3, 1, 2}
	if numbers(all); !slices.IsSorted(all) {
		t.Error(all)
	}
	numbers(nil)
	users := func() []user {
		return []user{{id: 2, name: "B", meta: &meta{tags: []string{"x"}}}, {id: 1, name: "a", meta: &meta{tags: []string{"x"}}}}
	}
	for i, f := range []func([]user){byNext, byKey, byBoth, byFields, orEqual, lower, first, shadowed, explained, byScore} {
		in := users()
		f(in)
		t.Log(i, in)
	}
	if in := users(); counting(in) != 1 || uses != 2 {
		t.Error("not counted", uses)
	}
	in := users()
	byRanks(in, []int{1, 2})
	aliases(append(in, in...))
	if compared(in, func() int { return 7 }) != 7 {
		t.Error("not called")
	}
	if out := later(users(), []user{{}, {id: 1}}); out[0].id != 2 && out[0].id != 1 {
		t.Error(out)
	}
}
