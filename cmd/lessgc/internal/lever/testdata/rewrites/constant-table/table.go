// Package table makes tables for each call.
package table

import (
	"slices"
	"strings"
)

// weight is the weight of a font.
func weight(name string) int {
	weights := map[string]int{"thin": 100, "light": 300, "normal": 400, "medium": 500, "semi": 600, "bold": 700, "extra": 800, "black": 900, "ultra": 950} // rewritten
	return weights[name]
}

type lexer struct{ text string }

func (l *lexer) keyword() bool {
	var keywords = map[string]bool{ // rewritten
		"break": true, // ends a loop
		"case":  true,

		"for": true, "func": true, "go": true, "if": true, "map": true, "range": true, "select": true,
	}
	for k := range keywords {
		if k == l.text {
			return keywords[l.text]
		}
	}
	return false
}

type unit struct {
	name string
	size int
}

func unitOf(n int) (name string) {
	units := []unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}} // rewritten
	for i, u := range units {
		if i == 0 || n >= units[i].size {
			name = u.name
		}
	}
	return name
}

func changed(kind, text string) string {
	change := map[string]func(string) string{"upper": strings.ToUpper, "lower": strings.ToLower, "trim": strings.TrimSpace} // rewritten
	if f, ok := change[kind]; ok {
		return f(text)
	}
	return text
}

func code(name string) int {
	return map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9}[name] // rewritten
}

func month(name string) bool {
	months := []string{"jan", "feb", "mar", "apr"} // rewritten
	return slices.Contains(months, name)
}

func with(n int, name string) int {
	weights := map[string]int{"thin": n, "normal": 400, "bold": 700} // refused: an element is not constant
	return weights[name]
}

func set(name string) int {
	weights := map[string]int{"thin": 100, "normal": 400, "bold": 700} // refused: an element is set
	n := weights[name]
	weights[name]++
	return n
}

func deleted(name string) bool {
	left := map[string]bool{"thin": true, "normal": true, "bold": true} // refused: an element is deleted
	ok := left[name]
	delete(left, name)
	return ok
}

func returned() map[string]int {
	weights := map[string]int{"thin": 100, "normal": 400, "bold": 700} // refused: the caller may change it
	return weights
}

func field(i int) string {
	units := []unit{{"B", 1}, {"KiB", 1 << 10}} // refused: a field of an element is set
	units[i].name += "s"
	return units[i].name
}

func address(i int) *unit {
	units := []unit{{"B", 1}, {"KiB", 1 << 10}} // refused: the address of an element is returned
	return &units[i]
}

func sorted(by string) string {
	months := []string{"mar", "jan", "feb"} // refused: it is sorted, if the caller asks for it
	first := months[0]
	if by != "" {
		slices.Sort(months)
	}
	return first + months[0]
}

func appended(name string) int {
	months := []string{"jan", "feb"} // refused: it is made longer
	months = append(months, name)
	return len(months)
}

func alias(i int) int {
	numbers := []int{1, 2, 3} // refused: another name of it is written to
	others := numbers
	others[i]++
	return numbers[i]
}

func parts(name string) []string {
	table := map[string][]string{"a": {"x", "y"}, "b": {"z"}} // refused: its elements can be written to, and the caller has one
	return table[name]
}

func captured() func(string) int {
	counts := map[string]int{"a": 1, "b": 2, "c": 3} // refused: a function literal counts in it
	return func(name string) int {
		counts[name]++
		return counts[name]
	}
}

func digits(i int) (all [2]int) {
	const two = 2
	table := [][2]int{{1, two}, {3, 4}} // refused: the constant is one of the function
	return table[i]
}

func own(kind string) int {
	table := map[string]func(string) int{"weight": weight, "own": own} // refused: the variable would depend on itself
	if table[kind] == nil {
		return 0
	}
	return len(kind)
}

type rows [2][2]int

func array(i int) int {
	table := []rows{{{1, 2}, {3, 4}}} // refused: an array in it is cut, and written to
	row := table[0][i][:]
	row[0]++
	return row[0]
}

var earlySize = sizeOf(early{})

type early struct{}

func (early) size() int {
	sizes := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9} // refused: an initializer calls it by an interface, before there would be a table
	return sizes["b"]
}

func sizeOf(x interface{ size() int }) int { return x.size() }

var taken = "it has the name of a variable for a table"

const nameTakenTable = 1

func nameTaken(key string) int {
	table := map[string]int{"a": 1, "b": 2, "c": 3} // refused: the name of the variable is taken
	return table[key] + nameTakenTable + len(taken)
}
