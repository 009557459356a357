package lazypipeline

import "strings"

// A keeps reports whether a value stays.
type keeps func(int) bool

type conditions [3]keeps

func between2(lo, hi int) keeps { return func(v int) bool { return lo <= v && v < hi } }
func notMultiple(m int) keeps   { return func(v int) bool { return v%m != 0 } }

func newConditions(n int) conditions {
	return conditions{between2(n/10, n), notMultiple(3), func(v int) bool { return v != n/2 }}
}

func chained(in []int, n int) int { return overArray(in, newConditions(n)) }

func overArray(in []int, all conditions) int {
	for _, keep := range all {
		out := make([]int, 0, cap(in)) // rewritten
		for _, v := range in {
			// What one leaves is for the next.
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

func filtered(in []int, keep func(int) bool) []int {
	var out []int
	for _, v := range in {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

func without[T comparable](in []T, drop T) []T {
	out := make([]T, 0, len(in))
	for _, v := range in {
		if v == drop {
			continue
		}
		out = append(out, v)
	}
	return out
}

func two(in []int, least int) int {
	a := filtered(in, even)                                 // rewritten
	b := filtered(a, func(v int) bool { return v > least }) // rewritten
	total := 0
	for _, x := range b {
		// The order matters.
		if x == 8 {
			continue
		}
		total = total*10 + x
	}
	return total
}

func constructed(in []int) (n int) {
	big := filtered(in, between2(3, 9)) // rewritten
	rest := filtered(big, notMultiple(4))
	for _, v := range rest {
		if v == 7 {
			break
		}
		n += v
	}
	return n
}

func words(in []string) (out []string) {
	in = nonEmpty(in) // rewritten
	in = nonEmpty(in)
	for _, w := range in {
		if strings.HasPrefix(w, "#") {
			continue
		}
		return []string{w}
	}
	return nil
}

func nonEmpty(in []string) []string {
	out := []string{}
	for _, s := range in {
		if len(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func overSlice(in []int, lo int) int {
	all := []func(int) bool{even, func(v int) bool { return v > lo }}
	if lo > 2 {
		all = append(all, func(v int) bool { return v != 6 })
	}
	for _, keep := range all {
		in = filtered(in, keep) // rewritten
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

// --- what differs in one detail ---

func counts1(in []int) int {
	n := 0
	a := filtered(in, func(v int) bool { n++; return true }) // refused: the condition counts
	total := 0
	for _, v := range a {
		total += v * n
	}
	return total
}

func lengths(in []int) int {
	a := filtered(in, even) // refused: the length is asked for
	total := len(a)
	for _, v := range a {
		total += v
	}
	return total
}

func bothKept(in []int) (int, []int) {
	a := filtered(in, even) // refused: it is returned as well
	total := 0
	for _, v := range a {
		total += v
	}
	return total, a
}

func changedInput(in []int) int {
	a := filtered(in, even) // refused: the loop changes the input
	total := 0
	for _, v := range a {
		in[len(in)-1] = v
		total += v
	}
	return total
}

func setInput(in []int) int {
	a := filtered(in, even) // refused: the input is set between
	in = nil
	total := 0
	for _, v := range a {
		total += v
	}
	return total + len(in)
}

func limit(in []int) int {
	most := 3
	a := filtered(in, func(v int) bool { return v < most }) // refused: the loop sets what the condition reads
	total := 0
	for _, v := range a {
		most = v
		total += v
	}
	return total + most
}

func given(in []int, keep func(int) bool) int {
	a := filtered(in, keep) // refused: all functions that callers may give are not known
	total := 0
	for _, v := range a {
		total += v
	}
	return total
}

// Exported is called by others.
func Exported(in []int, all conditions) int {
	for _, keep := range all {
		out := make([]int, 0, cap(in)) // refused: others may call it with conditions that do something
		for _, v := range in {
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

func panicking(in []int, by int) int {
	a := filtered(in, even)                                // refused: this one is asked for values that panic in the next only later
	b := filtered(a, func(v int) bool { return 8/v < by }) // refused: the condition may panic, and so may the loop
	names := []string{"a", "b", "c"}
	total := 0
	for _, v := range b {
		total += len(names[v])
	}
	return total
}

func twoPanics(in, by []int) int {
	a := filtered(in, func(v int) bool { return 8/v < 3 })  // refused: two conditions may panic
	b := filtered(a, func(v int) bool { return by[v] < 3 }) // refused: two conditions may panic, and the other's panic comes first
	total := 0
	for _, v := range b {
		total += v
	}
	return total
}

func dividing(in []int, n int) int {
	all := conditions{between2(0, n), notMultipleOf(n), notMultipleOf(n - 1)}
	for _, keep := range all {
		out := make([]int, 0, cap(in)) // refused: a condition may divide by zero
		for _, v := range in {
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

func notMultipleOf(m int) keeps { return func(v int) bool { return v%m != 0 } }

func early(in []int, by int) int {
	b := filtered(in, func(v int) bool { return 8/(v-by) < 9 }) // refused: the loop returns before a later value panics
	for _, v := range b {
		return v
	}
	return 0
}

func laterUsed(in []int) int {
	for _, keep := range []keeps{even} {
		in = filtered(in, keep) // refused: conditions come from no variable
	}
	all := [1]keeps{even}
	for _, keep := range all {
		out := make([]int, 0, cap(in)) // refused: the result is used again
		for _, v := range in {
			if keep(v) {
				out = append(out, v)
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total*10 + len(in)
}

func inPlaceFiltered(in []int) int {
	all := [1]keeps{even}
	for _, keep := range all {
		out := in[:0]
		for _, v := range in {
			if keep(v) {
				out = append(out, v) // refused: it is written over the input
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

func mapped(in []int) int {
	all := [2]keeps{even, even}
	for _, keep := range all {
		out := make([]int, 0, cap(in))
		for _, v := range in {
			if keep(v) {
				out = append(out, v+1) // refused: each condition sees what the last has made of a value
			}
		}
		in = out
	}
	total := 0
	for _, v := range in {
		total += v
	}
	return total
}

func replacedLater(in []int) int {
	all := []keeps{even}
	other := all
	other[0] = func(v int) bool { calls++; return true }
	for _, keep := range all {
		in = filtered(in, keep) // refused: another name of the slice puts in a condition that counts
	}
	total := 0
	for _, v := range in {
		total += v * calls
	}
	return total
}

func perRow(rows [][]int) (total int) {
	var left []int
	for _, row := range rows {
		left = append(left, row...)
		left = filtered(left, even) // refused: the next row begins with what is left
		for _, v := range left {
			total += v
		}
	}
	return total
}

func renamed(in []int) int {
	x := 3
	a := filtered(in, even) // refused: the loop's variable has the name of the input
	total := 0
	for _, in := range a {
		total += in * x
	}
	return total
}
