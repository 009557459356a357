// Package lazypipeline has loops that fill a slice for another one: its tests see what differs if these are made one and must
// not be.
package lazypipeline

import (
	"errors"
	"fmt"
	"strings"
)

func even(v int) bool { return v%2 == 0 }

func sumEven(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // rewritten
		}
	}
	total := 0
	// Of these the sum is wanted.
	for _, v := range evens {
		total += v
	}
	return total
}

func longest(words []string) string {
	var trimmed []string
	for _, w := range words {
		w = strings.TrimSpace(w)
		if w == "" {
			continue
		}
		trimmed = append(trimmed, strings.ToUpper(w)) // rewritten
	}
	var best string
	var seen int
	for _, t := range trimmed {
		if len(t) <= len(best) { // the first of them
			continue
		}
		best = t
		seen++
	}
	return fmt.Sprint(best, seen)
}

func squaresAndNames(n int) ([]string, error) {
	squares := make([]int, 0, 8)
	for i := 0; i < n; i++ {
		if i > 100 {
			return nil, errLong
		}
		squares = append(squares, i*i) // rewritten
	}
	out := []string{}
	for _, v := range squares {
		out = append(out, fmt.Sprint(v))
	}
	return out, nil
}

var errLong = errors.New("too long")

func firstBig(in []int, limit int) int {
	doubled := make([]int, 0, len(in))
	for _, v := range in {
		doubled = append(doubled, v*2) // rewritten
	}
	for _, v := range doubled {
		if v > limit {
			return v
		}
	}
	return -1
}

func untilNegative(in []int) (sum int) {
	var head []int
	for _, v := range in {
		if v < 0 {
			break
		}
		head = append(head, v) // rewritten
		if v == 100 {
			break
		}
	}
	for _, w := range head {
		v := w + 1
		sum += v
	}
	return sum
}

func counted(m map[string]int) map[string]bool {
	big := []string{}
	for k, n := range m {
		if n > 2 {
			big = append(big, k) // rewritten
		}
	}
	set := map[string]bool{}
	for _, k := range big {
		set[k] = true
	}
	return set
}

func nested(rows [][]int) int {
	cells := []int{}
	for _, row := range rows {
		for _, c := range row {
			cells = append(cells, c) // rewritten
		}
	}
	total := 0
	for _, c := range cells {
		total = total*3 + c
	}
	return total
}

func quotients(in []int, by int) int {
	parts := []int{}
	for _, v := range in {
		parts = append(parts, v/by) // rewritten
	}
	total := 0
	for _, v := range parts {
		total += v
	}
	return total
}

// --- what differs in one detail ---

func bothFail(in []int, by int, names []string) (total int) {
	parts := []int{}
	for _, v := range in {
		parts = append(parts, v/by) // refused: the division of a later value may panic before an index of an earlier one
	}
	for _, v := range parts {
		total += len(names[v])
	}
	return total
}

func counts(in []int) (total, n int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: the second loop reads what the first counts
		n++
	}
	for _, v := range evens {
		total += v * n
	}
	return total, n
}

func running(in []int) int {
	total := 0
	high := []int{}
	for _, v := range in {
		if v > total {
			high = append(high, v) // refused: the first loop reads what the second adds up
		}
	}
	for _, v := range high {
		total += v
	}
	return total
}

func number(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: the number of values is used
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	return total / max(1, len(evens))
}

func room(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: the capacity is used
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	return total + cap(evens)
}

func orNil(in []int) (total int, none bool) {
	var evens []int
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: whether there were any is asked
		}
	}
	for _, v := range evens {
		total += v
	}
	return total, evens == nil
}

func indexed(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: the second loop counts
		}
	}
	total := 0
	for i, v := range evens {
		total += i * v
	}
	return total
}

func twice(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: two loops go over it
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	for _, v := range evens {
		total *= v
	}
	return total
}

func kept(in []int) (int, []int) {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: it is returned, too
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	return total, evens
}

func written(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: the second loop writes to it
		}
	}
	total := 0
	for _, v := range evens {
		evens[0] = 7
		total += v
	}
	return total
}

func overwritten(in []int) int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: the second loop writes to what the first reads
		}
	}
	total := 0
	for _, v := range evens {
		in[len(in)-1] = 2 * v
		total += v
	}
	return total
}

func captured(in []int) func() int {
	evens := []int{}
	for _, v := range in {
		if even(v) {
			evens = append(evens, v) // refused: a function literal has it
		}
	}
	total := 0
	for _, v := range evens {
		total += v
	}
	return func() int { return total + len(evens) }
}

func capturedSum(in []int) (total int) {
	sum := 0
	add := func() bool { return sum > 3 }
	evens := []int{}
	for _, v := range in {
		if !add() {
			evens = append(evens, v) // refused: a function that the first loop calls reads what the second sets
		}
	}
	for _, v := range evens {
		sum += v
	}
	return sum
}

func loud(in []int, log *strings.Builder) (total int) {
	evens := []int{}
	for _, v := range in {
		log.WriteString("a")
		evens = append(evens, v) // refused: both loops write
	}
	for _, v := range evens {
		log.WriteString("b")
		total += v
	}
	return total
}

func unknown(in []int, f func(int) bool) (total int) {
	evens := []int{}
	for _, v := range in {
		if f(v) {
			evens = append(evens, v) // refused: what the function does is not known
		}
	}
	for _, v := range evens {
		total += v
	}
	return total
}

var calls int

func counting(v int) bool { calls++; return v%2 == 0 }

func counter(in []int) (total int) {
	evens := []int{}
	for _, v := range in {
		if counting(v) {
			evens = append(evens, v) // refused: the first loop sets a variable that the second reads
		}
	}
	for _, v := range evens {
		total += v * calls
	}
	return total
}

func failsLate(in []int, names []string) (total int, err error) {
	evens := []int{}
	for _, v := range in {
		if v < 0 {
			return 0, errLong
		}
		evens = append(evens, v) // refused: the first loop may end in an error before the second panics
	}
	for _, v := range evens {
		total += len(names[v])
	}
	return total, nil
}

func partial(in []int) (total int, err error) {
	evens := []int{}
	for _, v := range in {
		if v < 0 {
			return total, errLong
		}
		evens = append(evens, v) // refused: an error comes with what the second loop sets
	}
	for _, v := range evens {
		total += v
	}
	return total, nil
}

func recovered(in []int, by int) (total int) {
	defer func() { _ = recover() }()
	parts := []int{}
	for _, v := range in {
		parts = append(parts, v/by) // refused: a panic leaves the result as it is by then
	}
	for _, v := range parts {
		total += v
	}
	return total
}

func stopsEarly(in []int) (n int) {
	evens := []int{}
	for _, v := range in {
		n++
		evens = append(evens, v) // refused: the second loop ends early, and the first counts all
	}
	for _, v := range evens {
		if v > 3 {
			break
		}
	}
	return n
}

func inSwitch(in []int) (total int) {
	evens := []int{}
	for _, v := range in {
		switch {
		case even(v):
			evens = append(evens, v) // refused: a break would be that of the switch
		}
	}
	for _, v := range evens {
		if v > 3 {
			break
		}
		total += v
	}
	return total
}

func skipped(in []int) (total, all int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: a continue would skip the rest of the first loop
		all++
	}
	for _, v := range evens {
		if v == 2 {
			continue
		}
		total += v
	}
	return total, all
}

func ofInner(rows [][]int) (total int) {
	cells := []int{}
	for _, row := range rows {
		for _, c := range row {
			cells = append(cells, c) // refused: a break would be that of the inner loop
		}
	}
	for _, c := range cells {
		if c == 0 {
			break
		}
		total += c
	}
	return total
}

func addresses(in []int) (total int) {
	all := []*int{}
	for _, v := range in {
		all = append(all, &v) // refused: the values are addresses of the loop's variable
	}
	for _, p := range all {
		total += *p
	}
	return total
}

func shadowed(in []int) (total int) {
	v := 10
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v+1) // refused: a name means something else in the first loop
	}
	for _, w := range evens {
		total += w * v
	}
	return total
}

func between(in []int) (total int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: something happens between the loops
	}
	in[0] = 5
	for _, v := range evens {
		total += v + in[0]
	}
	return total
}

func again(rows [][]int) (total int) {
	cells := []int{}
	for _, row := range rows {
		for _, c := range row {
			cells = append(cells, c) // refused: the slice keeps what earlier rows had
		}
		for _, c := range cells {
			total += c
		}
	}
	return total
}

func grows(in []int) (total int) {
	evens := []int{1}
	for _, v := range in {
		evens = append(evens, v) // refused: the slice does not begin empty
	}
	for _, v := range evens {
		total += v
	}
	return total
}

func ownInput(in []int) []int {
	out := in[:0]
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v, v) // refused: two values are appended, and written over the input
	}
	for _, v := range evens {
		out = append(out, v)
	}
	return out
}

func overInput(in []int) (total int) {
	out := in[:0]
	evens := []int{}
	for i := range in {
		evens = append(evens, in[len(in)-1-i]) // refused: what the second loop appends is written over the input
	}
	for _, v := range evens {
		out = append(out, v)
	}
	return out[0]*100 + out[1]*10 + out[2]
}

type shape interface{ area() int }

type square int

func (s square) area() int { return int(s * s) }

func asInterface(in []square) (total int) {
	all := []shape{}
	for _, s := range in {
		all = append(all, s) // refused: a variable that is declared with the value has another type
	}
	for _, s := range all {
		if s != nil {
			total++
		}
	}
	return total
}

func collected(in []int) (out []*int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: addresses of the second loop's variable are kept
	}
	for _, v := range evens {
		out = append(out, &v)
	}
	return out
}

func received(in []int, ch chan int) (total int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: the second loop waits for others
	}
	for _, v := range evens {
		total += v * <-ch
	}
	return total
}

func deferred(in []int, add func(int)) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v) // refused: the second loop defers
	}
	for _, v := range evens {
		defer add(v)
	}
}

func endless(in []int, step int) (total int) {
	evens := []int{}
	for _, v := range in {
		evens = append(evens, v/step) // refused: the second loop may not end, and the first panic
	}
	for _, v := range evens {
		for v != 0 {
			v -= 2
			total++
		}
	}
	return total
}

func jumped(in []int) (total int) {
	evens := []int{}
again:
	for _, v := range in {
		evens = append(evens, v) // refused: a goto leads back before the first loop
	}
	for _, v := range evens {
		total += v
	}
	if total < 20 && total > 0 {
		goto again
	}
	return total
}
