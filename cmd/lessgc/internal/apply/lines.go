package apply

import (
	"slices"
	"strings"
)

// A lineMap has, for each line of an old text from 1, its number in a new one; 0 where it has gone. Index 0 is unused.
type lineMap []int

// mapLines relates the lines of two texts: those that both begin and end with, and of the lines between those in
// a longest common subsequence, for as long as these are few. Lines that others were put in the place of become those,
// one by one, and the last of them if there are fewer.
func mapLines(old, now string) lineMap {
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	m := make(lineMap, len(a)+1)
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		m[first+1] = first + 1
		first++
	}
	endA, endB := len(a), len(b)
	for endA > first && endB > first && a[endA-1] == b[endB-1] {
		m[endA] = endB
		endA, endB = endA-1, endB-1
	}
	for _, pair := range common(a[first:endA], b[first:endB]) {
		m[first+pair[0]+1] = first + pair[1] + 1
	}
	m.fill(len(b))
	return m
}

// fill gives lines that have changed the numbers of those in their place. n is the number of new lines.
func (m lineMap) fill(n int) {
	last := 0
	for i := 1; i < len(m); {
		if m[i] > 0 {
			last, i = m[i], i+1
			continue
		}
		end := i
		for end < len(m) && m[end] == 0 {
			end++
		}
		next := n + 1
		if end < len(m) {
			next = m[end]
		}
		for at := last; i < end; i++ {
			at = min(at+1, next-1)
			if at > last { // else nothing stands there now
				m[i] = at
			}
		}
	}
}

// mostCells bounds the table of common: beyond it, lines between the first and the last change count as gone.
const mostCells = 16 << 20

// common returns the indices of a longest common subsequence.
func common(a, b []string) (pairs [][2]int) {
	if len(a)*len(b) > mostCells {
		return nil
	}
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// at returns the number of a line in the new text; 0 if it has gone.
func (m lineMap) at(line int) int {
	if line <= 0 || line >= len(m) {
		return 0
	}
	return m[line]
}

// before returns the line of the old text that is a line of the new one now; 0 if there is none.
func (m lineMap) before(line int) int {
	if line <= 0 {
		return 0
	}
	return max(0, slices.Index(m, line))
}
