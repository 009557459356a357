// Package lib makes, reads and frees what is in arenas for other packages.
package lib

import (
	"strings"

	"lessgc/arena"
)

// An Order is in an arena.
type Order struct {
	ID    int
	Name  string
	Items []Item
}

// An Item is part of an order.
type Item struct{ Price, Count int }

var arenas = arena.Pool{Policy: arena.RecycleTyped}

// Open returns an arena, which Close frees.
func Open() *arena.Arena { return arenas.Get() }

// Close frees an arena.
func Close(a *arena.Arena) { a.Free() }

// Parse makes an order in a.
func Parse(a *arena.Arena, text string) *Order {
	o := arena.New[Order](a)
	for name := range strings.SplitSeq(text, ",") {
		o.Name = a.String(name)
		o.Items = arena.Append(a, o.Items, Item{len(name), 1})
	}
	return o
}

// Total is the sum of an order.
func Total(o *Order) int {
	sum := 0
	for i := range o.Items {
		sum += o.Items[i].Price * o.Items[i].Count
	}
	return sum
}
