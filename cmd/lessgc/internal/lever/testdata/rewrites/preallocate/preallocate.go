// Package preallocate has loops that fill a slice: its tests see what a wrong size, or nil for empty, changes.
package preallocate

import (
	"errors"
	"sort"
)

type user struct {
	name string
	age  int
}

func names(users []user) []string {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // rewritten
	}
	return out
}

func agesOrNil(users []user) []int {
	var ages []int
	for _, u := range users {
		ages = append(ages, u.age) // rewritten
	}
	return ages
}

func sorted(m map[string]int) []string {
	keys := make([]string, 0)
	for k := range m {
		keys = append(keys, k) // rewritten
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}

var errYoung = errors.New("too young")

func adults(users []user) ([]string, error) {
	var out []string
	for _, u := range users {
		if u.age < 18 {
			return nil, errYoung
		}
		out = append(out, u.name, u.name) // rewritten
	}
	return out, nil
}

func squares(n int) []int {
	out := []int{}
	for i := 0; i < n; i++ {
		out = append(out, i*i) // rewritten
	}
	return out
}

type page struct{ names []string }

func pageOf(users []user) page {
	var list []string
	for _, u := range users {
		list = append(list, u.name) // rewritten
	}
	return page{names: list}
}

// The slice is declared before something may fail, and its size is not known there.
func loaded(load func() ([]user, error)) ([]string, error) {
	out := []string{}
	users, err := load()
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		out = append(out, u.name) // rewritten
	}
	return out, nil
}

func total(users []user) (sum int) {
	var ages []int
	for _, u := range users {
		ages = append(ages, u.age) // rewritten
	}
	for _, a := range ages {
		sum += a
	}
	return sum
}

// Of a slice of a type parameter no size in bytes is known.
func copied[S ~[]E, E any](s S) S {
	var out S
	for _, e := range s {
		out = append(out, e)
	}
	return out
}

func firstOf(users []user) (first, all []string) {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // refused: an earlier slice shares the memory, which is written to
		if len(out) == 1 {
			first = out
		}
		out[0] = u.name
	}
	return first, out
}

func pointers(ages []int) (all []*int) {
	out := []int{}
	for _, a := range ages {
		out = append(out, a) // refused: pointers are into memory that the slice no longer has
		all = append(all, &out[len(out)-1])
		out[0]++
	}
	return all
}

func rooms(users []user) int {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // refused: the capacity is asked for
	}
	return cap(out)
}

func padded(users []user) []string {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // refused: it is sliced beyond its length
	}
	return out[:4]
}

func branches(users []user) (a, b []string) {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // refused: two slices are made of it, in its memory or not
	}
	a = append(out, "a")
	b = append(out, "b")
	return a, b
}

func head(ages []int) (*int, []int) {
	out := []int{}
	for _, a := range ages {
		out = append(out, a) // refused: it grows while a pointer into it exists
	}
	first := &out[0]
	out = append(out, 0)
	*first = 100
	return first, out
}

func recovered(load func(user) int, users []user) (out []int, err error) {
	defer func() {
		if recover() != nil {
			err = errYoung
		}
	}()
	for _, u := range users {
		out = append(out, load(u)) // refused: the first call may panic, and the result is nil then
	}
	return out, nil
}

func begun(users []user) (started int, out []string) {
	var list []string
	for _, u := range users {
		if list == nil {
			started++
		}
		list = append(list, u.name) // refused: the loop asks whether it is nil
	}
	return started, list
}

func letters(text string) []rune {
	out := []rune{}
	for _, r := range text {
		out = append(out, r) // refused: a string has fewer characters than bytes, and callers see the room
	}
	return out
}

func drained(m map[string]int) []string {
	out := []string{}
	for k := range m {
		out = append(out, k) // refused: the map shrinks in the loop
		clear(m)
	}
	return out
}

func decoded(n int, data []int) []int {
	out := []int{}
	for i := 0; i < n; i++ {
		out = append(out, data[i]) // refused: a large number of a short input panics soon
	}
	return out
}

func halves(n int) []int {
	out := []int{}
	for i := 0; i < n; i++ {
		n--
		out = append(out, i) // refused: the loop changes its bound
	}
	return out
}

func shadowed(users []user) []string {
	make := func(n int) int { return n }
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // refused: make is another function here
	}
	return out[:make(len(out)):len(out)]
}

func noted(users []user) []string {
	out := []string{ /* of users only */ }
	for _, u := range users {
		out = append(out, u.name) // refused: a comment would go
	}
	return out
}

func watched(users []user) (func() []string, []string) {
	out := []string{}
	get := func() []string { return out }
	for _, u := range users {
		out = append(out, u.name) // refused: a function literal hands it out at any time
		if u.age < 18 {
			kept = get()
		}
	}
	return get, out
}

var kept []string

type list []int

func (l *list) add(n int) { *l = append(*l, n) }

func added(ages []int) list {
	out := list{}
	for _, a := range ages {
		out = append(out, a) // refused: a method grows it, too
		if a > 90 {
			out.add(a)
		}
	}
	return out
}

func together() ([]int, int) {
	users, out := someUsers(), []int{}
	for _, u := range users {
		out = append(out, u.age) // rewritten
	}
	return out, len(users)
}

func someUsers() []user { return []user{{"a", 1}, {"b", 2}} }

func twice(ages []int) (kept [][]int) {
	out := []int{}
again:
	for _, a := range ages {
		out = append(out, a) // refused: goto runs the loop again, while something else has the slice
	}
	kept = append(kept, out)
	if len(kept) < 2 {
		goto again
	}
	return kept
}

// So it is with a type parameter that is a slice.
func collected[S ~[]int](ages []int) S {
	var out S
	for _, a := range ages {
		out = append(out, a)
	}
	return out
}

func none(empty []struct{}) []int {
	out := []int{}
	for range empty {
		out = append(out, 1) // refused: a slice of nothing may have any length
	}
	return out
}

func assigned(groups [][]int) []int {
	out := []int{}
	for i := 0; i < len(groups); i++ {
		out = append(out, i) // refused: another loop assigns it
	}
	for _, out = range groups {
		out[0]++
	}
	return out
}
