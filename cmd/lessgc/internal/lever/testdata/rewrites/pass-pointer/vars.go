// Package vars gives structs to functions that take an interface.
package vars

import (
	"fmt"
	"slices"
)

// A Scope has variables by name.
type Scope interface{ get(name string) int }

type values struct {
	names []string
	at    [4]int
}

func (v values) get(name string) int {
	i := slices.Index(v.names, name)
	v.at[3]++ // of the copy
	return v.at[i&3] + v.at[3]
}

// inner has other variables below it.
type inner struct{ outer Scope }

func (s *inner) get(name string) int { return s.outer.get(name) + 1 }

//go:noinline
func eval(names []string, s Scope) (sum int) {
	below := &inner{s}
	for _, name := range names {
		sum += getOf(below, name)
	}
	return sum
}

//go:noinline
func getOf(s Scope, name string) int { return s.get(name) }

func changes(names []string, n int) (sum int) {
	v := values{names: names}
	for i := range n {
		v.at[0] = i
		sum += eval(names, v) // rewritten
	}
	return sum
}

func parameter(names []string, v values, n int) (sum int) {
	for i := range n {
		v.at[1] += i
		if i > 0 {
			sum += eval(names, v) // rewritten
		}
	}
	return sum
}

func pointed(names []string, v *values) int {
	return eval(names, *v) // refused: the pointer may be nil, and others have it
}

//go:noinline
func changing(s Scope, change func()) int {
	a := s.get("a")
	change()
	return s.get("a") - a
}

func address(names []string, n int) (sum int) {
	v := values{names: names}
	at := &v
	for i := range n {
		v.at[0] = i
		sum += changing(v, func() { at.at[0]++ }) // refused: something else has its address, and changes it
	}
	return sum
}

func captured(names []string, n int) (sum int) {
	v := values{names: names}
	for i := range n {
		v.at[0] = i
		sum += changing(v, func() { v.at[0]++ }) // refused: a function literal changes it during the call
	}
	return sum
}

var last Scope

//go:noinline
func remember(s Scope) int {
	last = s
	return s.get("a")
}

func remembered(names []string, n int) (sum int) {
	v := values{names: names}
	for i := range n {
		v.at[0] = i
		sum += remember(v) // refused: it is kept
	}
	return sum
}

//go:noinline
func printed(s Scope) int { return len(fmt.Sprintf("%T", s)) }

func prints(names []string, n int) (sum int) {
	v := values{names: names}
	for i := range n {
		v.at[0] = i
		sum += printed(v) // refused: its type is printed
	}
	return sum
}

//go:noinline
func same(a, b Scope) bool { return a == b }

type point struct{ x, y int }

func (p point) get(name string) int { return p.x }

func compares(n int) (sum int) {
	var p point
	q := Scope(point{1, 0})
	for i := range n {
		p.x = i
		if same(p, q) { // refused: it is compared, by value
			sum++
		}
	}
	return sum
}

//go:noinline
func sent(s Scope, to chan Scope) {
	select {
	case to <- s:
	default:
	}
}

func sends(n int, to chan Scope) {
	var p point
	for i := range n {
		p.x = i
		sent(p, to) // refused: it is sent
	}
}

//go:noinline
func bound(s Scope) func(string) int { return s.get }

func binds(n int) (all []func(string) int) {
	var p point
	for i := range n {
		p.x = i
		all = append(all, bound(p)) // refused: a method as a value has it
	}
	return all
}

//go:noinline
func put(s Scope, all []Scope) { copy(all, []Scope{s}) }

func copies(all []Scope) {
	var p point
	for i := range all {
		p.x = i
		put(p, all[i:]) // refused: it is copied into the caller's slice
	}
}

type asked struct{ x, y int }

func (a asked) get(name string) int { return a.x }

//go:noinline
func asks(s Scope) int {
	if a, ok := s.(*asked); ok {
		a.x = -1
		return -1
	}
	return s.get("a")
}

func isAsked(n int) (sum int) {
	var a asked
	for i := range n {
		a.x = i
		sum += asks(a) // refused: the function asks for a pointer to it
	}
	return sum
}

//go:noinline
func known(s Scope, all map[Scope]int) int { return all[s] }

func keys(n int, all map[Scope]int) (sum int) {
	var p point
	for i := range n {
		p.x = i
		sum += known(p, all) // refused: it is a key
	}
	return sum
}

//go:noinline
func later(s Scope, run func(func())) { run(func() { remember(s) }) }

func runs(n int, run func(func())) {
	var p point
	for i := range n {
		p.x = i
		later(p, run) // refused: a function literal has it
	}
}

// Visitor is implemented elsewhere, too.
type Visitor interface{ Visit(Scope) }

//go:noinline
func visit(s Scope, v Visitor) { v.Visit(s) }

func visits(n int, v Visitor) {
	var p point
	for i := range n {
		p.x = i
		visit(p, v) // refused: who gets it is not known
	}
}

//go:noinline
func more(a Scope, b values) int { return a.get("a") + b.get("a") }

func takes(names []string, n int) (sum int) {
	v, w := values{names: names}, values{names: names}
	for i := range n {
		v.at[0], w.at[0] = i, 2*i
		sum += more(v, w) // refused: it is one of two arguments of the type
	}
	return sum
}
