// Package runestack takes characters of texts by their number.
package runestack

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// distance is that of Levenshtein.
func distance(a, b string) int {
	// The shorter one has a column.
	s1 := []rune(a) // rewritten
	s2 := []rune(b) // rewritten
	if len(s1) > len(s2) {
		s1, s2 = s2, s1
	}
	s1, s2 = trimSuffix(s1, s2)
	s1, s2 = trimPrefix(s1, s2)
	if len(s2) > 100 {
		return steps[int](s1, s2)
	}
	return int(steps[uint16](s1, s2))
}

func trimSuffix(a, b []rune) ([]rune, []rune) {
	m := min(len(a), len(b))
	a2 := a[len(a)-m:]
	b2 := b[len(b)-m:]
	i := len(a2)
	b2 = b2[:i]
	for ; i > 0 && a2[i-1] == b2[i-1]; i-- {
	}
	return a[:len(a)-len(a2)+i], b[:len(b)-len(b2)+i]
}

func trimPrefix(a, b []rune) ([]rune, []rune) {
	var i int
	for m := min(len(a), len(b)); i < m && a[i] == b[i]; i++ {
	}
	return a[i:], b[i:]
}

func steps[T uint16 | int](s1, s2 []rune) T {
	var row [256]T
	for j := range s1 {
		row[j+1] = T(j + 1)
	}
	for i := range s2 {
		before := T(i + 1)
		for j := range s1 {
			now := row[j]
			if s2[i] != s1[j] {
				now = min(row[j], before, row[j+1]) + 1
			}
			row[j] = before
			before = now
		}
		row[len(s1)] = before
	}
	return row[len(s1)]
}

func common(s, t string) (n int) {
	r1, r2 := []rune(s), []rune(t) // rewritten
	for n < len(r1) && n < len(r2) && r1[n] == r2[n] {
		n++
	}
	return n
}

type name string

func (n name) reversed() string {
	// rewritten
	all := []rune(n)
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return string(all)
}

func squeezed(text string) func() string {
	return func() string {
		var out strings.Builder
		runes := []rune(strings.TrimSpace(text)) // rewritten
		for i := range runes {
			r := runes[i]
			space := unicode.IsSpace(r)
			if !(space && i+1 < len(runes) && unicode.IsSpace(runes[i+1])) {
				out.WriteRune(r)
			}
		}
		return out.String()
	}
}

func longest(words []string) (out string) {
	n := 0
	for _, word := range words {
		// rewritten
		runes := []rune(word)
		tail := runes[len(runes)/2:]
		if len(tail) > n {
			n = len(tail)
			out = string(tail)
		}
	}
	return out
}

func upTo(s string, end rune) string {
	runes := []rune(s) // rewritten
	for i := 0; i < len(runes); i++ {
		if runes[i] == end {
			return string(runes[:i])
		}
	}
	return string(head(runes, 3)) + string(runes[:len(runes)-1])
}

func head(runes []rune, n int) []rune {
	if n > len(runes) {
		return runes
	}
	return runes[:n]
}

func passed(text func() string) (sum rune) {
	runes := []rune(text()) // rewritten
	for i := len(runes) - 1; i > 0; i -= 2 {
		sum += runes[i]
	}
	return sum
}

func palindrome(s string) bool {
	runes, other := []rune(s), []rune(s) // rewritten
	slices.Reverse(other)
	return slices.Equal(runes, other)
}

func returned(s string) []rune {
	runes := []rune(s) // refused: the caller has them
	slices.Reverse(runes)
	return runes
}

func returnedCut(s string) []rune {
	runes := []rune(s) // refused: the caller has what a function returns
	return head(runes, 2)
}

type line struct{ runes []rune }

func (l *line) set(s string) {
	runes := []rune(s) // refused: a field has them
	l.runes = runes
}

func keep(l *line, runes []rune) { l.runes = runes }

func given(l *line, s string) int {
	runes := []rune(s) // refused: a function has a field refer to them
	keep(l, runes)
	return len(runes)
}

func captured(s string) func(int) rune {
	runes := []rune(s) // refused: a function literal has them
	return func(i int) rune { return runes[i] }
}

func longer(s string) string {
	runes := []rune(s) // refused: they have room for more, or not
	other := append(runes, '!')
	runes = append(runes, '?')
	return string(other) + string(runes)
}

func room(s string) int {
	runes := []rune(s) // refused: their room is asked for
	return min(cap(runes), 1)
}

func cutAt(s string, n int) string {
	runes := []rune(s) // refused: the cut may end behind the last
	return string(runes[:n])
}

func cutAtRoom(s string) string {
	runes := []rune(s) // refused: the room is cut, too
	return string(runes[:2:3])
}

func cutAtSum(s string, n int) string {
	runes := []rune(s) // refused: what is left out may be negative
	return string(runes[:len(runes)-n])
}

func cutAtOther(s, other string) string {
	runes := []rune(s) // refused: the condition is about another text
	for i := range []byte(other) {
		if other[i] == 'x' {
			return string(runes[:i])
		}
	}
	return ""
}

func cutWhenMore(s string, n int) string {
	runes := []rune(s) // refused: the condition does not hold there
	if n <= len(runes) {
		return ""
	}
	return string(runes[:n-2])
}

func cutUpwards(s string) (out string) {
	runes := []rune(s) // refused: the index counts up
	for i := len(runes); out == ""; i++ {
		out += string(runes[:i])
	}
	return out
}

func asArray(s string) rune {
	runes := []rune(s) // refused: an array has their place
	return (*[4]rune)(runes)[3]
}

func sent(s string, to chan<- []rune) {
	runes := []rune(s) // refused: another goroutine gets them
	to <- runes
}

func started(s string, done chan<- int) {
	runes := []rune(s) // refused: a goroutine has them
	go count(runes, done)
}

func count(runes []rune, done chan<- int) { done <- len(runes) }

func printed(s string) string {
	runes := []rune(s) // refused: an interface has them
	return fmt.Sprint(runes)
}

type counter interface{ count([]rune) int }

type all struct{}

func (all) count(runes []rune) int { return len(runes) }

func invoked(s string, c counter) int {
	runes := []rune(s) // refused: a method of an interface gets them
	return c.count(runes)
}

func called(s string, f func([]rune) int) int {
	runes := []rune(s) // refused: a function value gets them
	return f(runes)
}

func addressed(s string) *rune {
	runes := []rune(s) // refused: one of them is pointed to
	return &runes[1]
}

func beside(words []string) (same int) {
	var before []rune
	for _, word := range words {
		runes := []rune(word) // refused: the next iteration has them, too
		if len(before) > 0 && before[0] == runes[0] {
			same++
		}
		before = runes
	}
	return same
}

func dead(words []string) (n int) {
	var last []rune
	for _, word := range words {
		runes := []rune(word) // refused: a variable around the loop has them, as the compiler sees it
		last = runes
		n += len(last)
	}
	return n
}

func nested(s string, depth int) int {
	runes := []rune(s) // refused: each depth would have the memory in its frame
	if depth == 0 || runes[0] == 'x' {
		return len(runes)
	}
	return nested(s, depth-1) + int(runes[1])
}

func long(s string) rune {
	runes := []rune(s + s + s + s) // refused: most are too long
	return runes[len(runes)-1]
}

type letter rune

func typed(s string) letter {
	letters := []letter(s) // refused: they have another type
	return letters[1]
}

type splitUp []rune

func ofType(s string) rune {
	runes := splitUp(s) // refused: they have another type
	return runes[1]
}

func assigned(s string) rune {
	var runes []rune
	if s != "" {
		runes = []rune(s) // refused: the variable had others before
	}
	return runes[1]
}

type text struct{ s string }

func (t *text) upper() int {
	t.s = strings.ToUpper(t.s)
	return len(t.s)
}

func (t *text) changed() int {
	n, runes := t.upper(), []rune(t.s) // refused: the call changes the text
	return n + int(runes[1])
}

func commented(s string) rune {
	runes := []rune( /* all of it */ s) // refused: a comment would go
	return runes[1]
}

func hidden(s string) rune {
	make := len(s)
	runes := []rune(s) // refused: make means something else
	return runes[1] + rune(make)
}

func jumps(s string) rune {
	i := 0
again:
	runes := []rune(s) // refused: it is jumped back to
	if i++; i < 2 {
		goto again
	}
	return runes[i]
}

func more(s string) string {
	runes, upper := []rune(s), strings.Repeat(s, 1)+"!" // refused: the line allocates something else
	return string(runes[1:3]) + upper
}

func within(s string) rune {
	return []rune(s)[1] // refused: no variable has them
}
