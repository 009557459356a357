// Package hoisted has functions that loops make anew in each iteration.
package hoisted

import (
	"slices"
	"strconv"
	"strings"
)

// A field has a size.
type field struct{ size int }

// A user has fields.
type user struct{ fields []field }

var visits int

//go:noinline
func visit(u user, each func(f field)) {
	visits++
	for _, f := range u.fields {
		each(f)
	}
}

// call keeps what it is given.
//
//go:noinline
func call(all *[]func() int, f func() int) { *all = append(*all, f) }

// Total captures a variable that the function literal sets, and one that is set between the iterations.
func Total(users []user) int {
	total, factor := 0, 0
	for _, u := range users {
		factor++
		visit(u, func(f field) { total += factor * f.size }) // rewritten
	}
	return total
}

// Kept keeps the functions, which all see the last value.
func Kept(n int) (sum int) {
	var all []func() int
	last := 0
	for i := range n {
		last = i
		call(&all, func() int { return last }) // rewritten
	}
	for _, f := range all {
		sum += f()
	}
	return sum
}

// Nested hoists out of the outer loop, and keeps comments.
func Nested(rows [][]string, sep string) string {
	var out []string
	for _, row := range rows {
		for _, word := range row {
			kept := mapped(word, func(r rune) rune { // rewritten
				// A separator is left out.
				if strings.ContainsRune(sep, r) {
					return -1
				}
				text := `raw
	text`
				_ = text
				return r
			})
			out = append(out, kept)
		}
	}
	return strings.Join(out, "|")
}

//go:noinline
func mapped(word string, change func(r rune) rune) string { return strings.Map(change, word) }

// Typed gives it to a named type, by a conversion.
func Typed(words []string, more int) (n int) {
	for _, w := range words {
		n += length(func(s string) int { return len(s) + more }).of(w) // rewritten
	}
	return n
}

type length func(s string) int

//go:noinline
func (l length) of(s string) int { return l(s) }

type lister struct {
	all   []string
	inner *inner
	inner2
}

type inner struct{}

type inner2 struct{ n int }

func (l *lister) add(s string)   { l.all = append(l.all, s) }
func (i *inner2) count(s string) { i.n++ }
func (l lister) sum(s string)    { visits += len(l.all) + len(s) }

//go:noinline
func each(word string, do func(s string)) { do(word) }

// Add has a method value of a receiver that stays the same.
func (l *lister) Add(words []string) {
	for _, w := range words {
		each(w, l.add) // rewritten
	}
}

// Sorted hoists inside of a function literal.
func Sorted(all [][]int, down bool) func() {
	return func() {
		for _, s := range all {
			slices.SortFunc(s, func(a, b int) int { // rewritten
				if down {
					a, b = b, a
				}
				return a - b
			})
		}
	}
}

// Labeled has a label before its loop.
func Labeled(rows [][]int, limit int) (out []string) {
rows:
	for _, row := range rows {
		index := slices.IndexFunc(row, func(k int) bool { return k > limit }) // rewritten
		for i := range row {
			if i == index {
				continue rows
			}
			out = append(out, strconv.Itoa(row[i]))
		}
	}
	return out
}
