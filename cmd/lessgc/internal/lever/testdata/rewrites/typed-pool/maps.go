package pooled

import (
	"fmt"
	"io"
	"sort"
	"sync"
)

// Distinct counts different words.
func Distinct(words []string) int {
	seen := make(map[string]bool) // rewritten
	for _, word := range words {
		if seen[word] {
			continue
		}
		seen[word] = true
	}
	return len(seen)
}

type tally map[string]*int

// Most has a map of pointers, of a type with a name, and room for some.
func Most(words []string) (word string, most int) {
	counts := make(tally, 16) // rewritten
	for _, w := range words {
		if counts[w] == nil {
			counts[w] = new(int)
		}
		*counts[w]++
	}
	for w, n := range counts {
		if *n > most || *n == most && w < word {
			word, most = w, *n
		}
	}
	return word, most
}

// Print prints a map, which is empty at first.
func Print(w io.Writer, words []string) {
	lengths := map[string]int{} // rewritten
	fmt.Fprintln(w, lengths, len(lengths), lengths == nil)
	for _, word := range words {
		lengths[word] = len(word)
	}
	fmt.Fprintln(w, lengths)
}

// Visit gives the map to a function that calls itself.
func Visit(edges map[int][]int, from int) int {
	visited := make(map[int]struct{}, len(edges)) // rewritten
	return visit(edges, from, visited)
}

func visit(edges map[int][]int, from int, visited map[int]struct{}) (n int) {
	if _, ok := visited[from]; ok {
		return 0
	}
	visited[from] = struct{}{}
	for _, to := range edges[from] {
		n += visit(edges, to, visited)
	}
	return n + 1
}

// Groups has a map for each group.
func Groups(groups [][]string) (sizes []int) {
	for _, group := range groups {
		members := make(map[string]int) // rewritten
		for i, name := range group {
			members[name] = i
		}
		sizes = append(sizes, len(members))
	}
	sort.Ints(sizes)
	return sizes
}

var mapsSync sync.Map
