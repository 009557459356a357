package seq_test

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"lessgc/arena"
	"lessgc/seq"
)

type Item struct {
	name  string
	price int
	stock int
}

func (i Item) InStock() bool  { return i.stock > 0 }
func (i Item) String() string { return fmt.Sprintf("%s (%d)", i.name, i.price) }

func below(price int) func(Item) bool { return func(i Item) bool { return i.price < price } }

var items = []Item{
	{"pen", 3, 200}, {"desk", 250, 1}, {"lamp", 45, 0}, {"chair", 99, 4}, {"mouse", 20, 9},
}

func Example() {
	cheap := seq.Filter(slices.Values(items), seq.And2(Item.InStock, below(100)))
	names := seq.Map(cheap, Item.String)
	for name := range seq.Take(names, 2) {
		fmt.Println(name)
	}
	// Output:
	// pen (3)
	// chair (99)
}

func ExampleAnd() {
	rules := []func(Item) bool{Item.InStock, below(50)}
	if maxPrice := 10; maxPrice > 0 {
		rules = append(rules, below(maxPrice))
	}
	fmt.Println(slices.Collect(seq.Filter(slices.Values(items), seq.And(rules...))))
	// Output: [pen (3)]
}

func ExampleChunk() {
	var buf [2]Item
	for batch := range seq.Chunk(seq.Filter(slices.Values(items), Item.InStock), buf[:]) {
		fmt.Println(batch)
	}
	// Output:
	// [pen (3) desk (250)]
	// [chair (99) mouse (20)]
}

func ExampleCollect() {
	a := arena.NewArena()
	defer a.Free()
	cheap := seq.Collect(a, seq.Filter(slices.Values(items), below(50)))
	fmt.Println(len(cheap), cheap[0])
	// Output: 3 pen (3)
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

func ExampleLeast() {
	byPrice := func(a, b Item) int { return cmp.Compare(a.price, b.price) }
	for i := range seq.Least(slices.Values(items), make([]Item, 3), byPrice) {
		fmt.Println(i)
	}
	// Output:
	// pen (3)
	// mouse (20)
	// lamp (45)
}

func ExampleReduce() {
	value := func(sum int, i Item) int { return sum + i.price*i.stock }
	fmt.Println(seq.Reduce(seq.Filter(slices.Values(items), below(100)), 0, value))
	// Output: 1176
}

func ExampleSplit() {
	stock := map[string]int{"pen": 200, "lamp": 0, "chair": 4}
	some := seq.Filter(seq.Pairs(maps.All(stock)), func(p seq.Pair[string, int]) bool { return p.Value > 0 })
	fmt.Println(maps.Collect(seq.Split(some)))
	// Output: map[chair:4 pen:200]
}

func ExampleZip() {
	names := seq.Map(slices.Values(items), func(i Item) string { return i.name })
	cheap := seq.Filter(slices.Values([]int{10, 20, 30}), func(n int) bool { return n != 20 })
	for name, n := range seq.Zip(names, cheap) {
		fmt.Println(name, n)
	}
	// Output:
	// pen 10
	// desk 30
}
