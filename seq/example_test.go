package seq_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"lessgc/seq"
)

// An Item is six words, too many to be passed by value from stage to stage.
type Item struct {
	name         string
	price, stock int
	maker        string
}

func (i *Item) InStock() bool  { return i.stock > 0 }
func (i *Item) String() string { return fmt.Sprintf("%s (%d)", i.name, i.price) }

var items = []Item{
	{"pen", 3, 200, "A"}, {"desk", 250, 1, "B"}, {"lamp", 45, 0, "A"}, {"chair", 99, 4, "B"}, {"mouse", 20, 9, "C"},
}

func Example() {
	cheap := seq.Filter(seq.Pointers(items), func(i *Item) bool { return i.InStock() && i.price < 100 })
	names := seq.Map(cheap, (*Item).String)
	for name := range seq.Take(names, 2) {
		fmt.Println(name)
	}
	// Output:
	// pen (3)
	// chair (99)
}

func ExampleDistinct() {
	for i := range seq.Distinct(seq.Pointers(items), func(i *Item) string { return i.maker }) {
		fmt.Println(i.maker, i)
	}
	// Output:
	// A pen (3)
	// B desk (250)
	// C mouse (20)
}

func ExampleFilterMap() {
	words := slices.Values([]string{"size=3", "quick", "color=red"})
	value := func(w string) (string, bool) {
		_, v, ok := strings.Cut(w, "=")
		return v, ok
	}
	fmt.Println(slices.Collect(seq.FilterMap(words, value)))
	// Output: [3 red]
}

func ExampleFlatMap() {
	lines := slices.Values([]string{"a b", "", "c"})
	for word := range seq.FlatMap(lines, func(line string) iter.Seq[string] { return strings.FieldsSeq(line) }) {
		fmt.Println(word)
	}
	// Output:
	// a
	// b
	// c
}

func ExamplePointers() {
	for i := range seq.Filter(seq.Pointers(items), func(i *Item) bool { return i.stock == 0 }) {
		i.stock = 10 // in items
	}
	fmt.Println(items[2].stock)
	items[2].stock = 0
	// Output: 10
}
