package sorts

import (
	"sort"
	"unicode"
)

// letters are sorted by their numbers.
type letters []rune

func (s letters) Less(i, j int) bool {
	return s[i] < s[j]
}

func (s letters) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
}

// Len is the number of letters.
func (s letters) Len() int {
	return len(s)
}

func sortRunes(r []rune) []rune {
	sort.Sort(letters(r)) // rewritten: slices.Sort(r)
	return r
}

func upper(r rune) rune { return unicode.ToUpper(r) }
