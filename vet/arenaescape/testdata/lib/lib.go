// Package lib makes, keeps and looks at what is in arenas, for other packages.
package lib

import (
	"sync"

	"lessgc/arena"
)

// An Order may be in an arena.
type Order struct {
	ID    int
	Name  string
	Items []int
}

var arenas = arena.Pool{Policy: arena.RecycleTyped}

// Open returns an arena, which Close frees.
func Open() *arena.Arena { return arenas.Get() }

// Close frees an arena.
func Close(a *arena.Arena) { a.Free() }

// New makes an order in a.
func New(a *arena.Arena, name string) *Order {
	o := arena.New[Order](a)
	o.Name = a.String(name)
	o.Items = arena.MakeSlice[int](a, 0, 8)
	return o
}

// Copy returns a copy of o on the heap.
func Copy(o *Order) *Order {
	return &Order{ID: o.ID, Name: o.Name, Items: append([]int(nil), o.Items...)}
}

// Count is the number of items.
func Count(o *Order) int { return len(o.Items) }

var (
	mu   sync.Mutex
	seen []*Order
	ids  []int
)

// Remember keeps o.
func Remember(o *Order) {
	mu.Lock()
	defer mu.Unlock()
	seen = append(seen, o)
}

// RememberID keeps the number of o.
func RememberID(o *Order) {
	mu.Lock()
	defer mu.Unlock()
	ids = append(ids, o.ID)
}

// A Result is what a search found.
type Result struct{ Orders []*Order }

// NewResult returns a result that holds o.
func NewResult(o *Order) *Result { return &Result{Orders: []*Order{o}} }
