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

// PrintedColumns has a map for each row, with room for it, which is on the heap in any case.
func PrintedColumns(w io.Writer, rows [][]string) (n int) {
	for _, row := range rows {
		set := make(map[string]int, len(row)) // rewritten
		for i, name := range row {
			set[name] = i
		}
		fmt.Fprintln(w, set)
		n += len(set)
	}
	return n
}

// RefusedColumns has a map for each row, with room for it.
func RefusedColumns(rows [][]string) (n int) {
	for _, row := range rows {
		set := make(map[string]int, len(row)) // refused: with up to 8 it is on the stack, and in a loop a larger one would have to be put back
		for i, name := range row {
			set[name] = i
		}
		n += len(set)
	}
	return n
}

// Limited has room for what it is told, and tells nothing of the name of its map.
func Limited(words []string, n int) int {
	m := make(map[string]bool, n) // rewritten
	for _, word := range words {
		if m[word] = true; len(m) == n {
			break
		}
	}
	return len(m)
}

// RefusedShorter has room for what is left by then.
func RefusedShorter(words []string) (n int) {
	for len(words) > 0 {
		set := make(map[string]int, len(words)) // refused: there are fewer when it would be put back
		set[words[0]] = n
		words = words[1:]
		n += len(set)
	}
	return n
}

// RefusedNumber has room by a number of another type.
func RefusedNumber(words []string, room uint8) int {
	set := make(map[string]int, room) // refused: its room is not an int
	for i, word := range words {
		set[word] = i
	}
	return len(set)
}

// RefusedCounted has room by a call.
func RefusedCounted(words []string, count func() int) int {
	set := make(map[string]int, count()) // refused: it would be called again when it is put back
	for i, word := range words {
		set[word] = i
	}
	return len(set)
}

var mapsSync sync.Map
