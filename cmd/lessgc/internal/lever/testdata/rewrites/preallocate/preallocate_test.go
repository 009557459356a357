package preallocate

import (
	"reflect"
	"testing"
)

var users = []user{{"ann", 30}, {"bob", 40}, {"cyd", 50}}

func check(t *testing.T, name string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s = %#v; want %#v", name, got, want)
	}
}

func TestResults(t *testing.T) {
	check(t, "names", names(users), []string{"ann", "bob", "cyd"})
	check(t, "names of none", names(nil), []string{})
	check(t, "ages", agesOrNil(users), []int{30, 40, 50})
	check(t, "ages of none", agesOrNil(nil), []int(nil))
	check(t, "ages of none", agesOrNil([]user{}), []int(nil))
	check(t, "sorted", sorted(map[string]int{"b": 1, "a": 2}), []string{"a", "b"})
	check(t, "sorted of none", sorted(nil), []string{})
	out, err := adults(users[:1])
	check(t, "adults", out, []string{"ann", "ann"})
	check(t, "adults", err, nil)
	out, err = adults([]user{{"kid", 3}})
	check(t, "adults", out, []string(nil))
	check(t, "adults", err, errYoung)
	out, _ = adults(nil)
	check(t, "adults of none", out, []string(nil))
	check(t, "squares", squares(3), []int{0, 1, 4})
	check(t, "squares", squares(-1), []int{})
	check(t, "page", pageOf(users[:1]), page{[]string{"ann"}})
	check(t, "page of none", pageOf(nil), page{})
	check(t, "total", total(users), 120)
	ages, n := together()
	check(t, "together", ages, []int{1, 2})
	check(t, "together", n, 2)
	out, _ = loaded(func() ([]user, error) { return nil, nil })
	check(t, "loaded", out, []string{})
	out, err = loaded(func() ([]user, error) { return users, errYoung })
	check(t, "loaded", out, []string(nil))
	check(t, "loaded", err, errYoung)
}

// TestMemory checks what would differ if a slice that must not be made with room were.
func TestMemory(t *testing.T) {
	first, all := firstOf(users)
	check(t, "first", first, []string{"ann"})
	check(t, "all", all, []string{"cyd", "bob", "cyd"})
	check(t, "rooms", rooms(users), 4)
	check(t, "padded", padded(users), []string{"ann", "bob", "cyd", ""})
	a, b := branches(users)
	check(t, "branches", [2]string{a[3], b[3]}, [2]string{"b", "b"})
	p, ages := head([]int{1, 2, 3})
	check(t, "head", ages[0], *p)
	out, err := recovered(func(user) int { panic("no") }, users)
	check(t, "recovered", out, []int(nil))
	check(t, "recovered", err, errYoung)
	started, _ := begun(users)
	check(t, "begun", started, 1)
	check(t, "letters", string(letters("äöü")), "äöü")
	check(t, "drained", len(drained(map[string]int{"a": 1, "b": 2})), 1)
	func() {
		defer func() { check(t, "panic", recover() != nil, true) }()
		decoded(1<<40, []int{1})
	}()
	check(t, "none", len(none(make([]struct{}, 3))), 3)
	check(t, "pointers", *pointers([]int{1, 2, 3})[0], 2)
	kept := twice([]int{1, 2, 3})
	kept[1][0] = 9
	check(t, "twice", kept[0][0], 1)
	check(t, "collected", collected[[]int]([]int{1}), []int{1})
	check(t, "copied", copied([]int(nil)), []int(nil))
}
