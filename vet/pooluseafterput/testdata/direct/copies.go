package direct

import "sync"

var ids = sync.Pool{New: func() any { return uint64(1) }}

func show(v any) {}

// What was asserted is a copy of the number.
func goodNumber() {
	x := ids.Get()
	v, _ := x.(uint64)
	ids.Put(x)
	show(v)
}

func badNumber() {
	x := ids.Get()
	ids.Put(x)
	show(x) // want "x is used after it was put back"
}
