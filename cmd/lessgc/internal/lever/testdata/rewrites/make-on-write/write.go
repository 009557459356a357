// Package write makes maps that hardly anything is put into.
package write

import (
	"errors"
	"maps"
)

func failures(values []int) (n int) {
	bad := make(map[int]error, len(values)+8) // rewritten
	for i, v := range values {
		if v < 0 {
			bad[i] = errors.New("negative")
		}
	}
	for range bad {
		n++
	}
	return n + len(bad)
}

func repeats(names []string) (n int) {
	again := map[string]int{} // rewritten
	for i, name := range names {
		switch {
		case i > 0 && name == names[i-1]:
			again[name]++
			again[name+"?"] = i
		}
	}
	delete(again, "?")
	return again["a"] + len(again)
}

func returned(values []int) map[int]bool {
	bad := make(map[int]bool, 8) // refused: nil is returned, and the caller puts something in
	for _, v := range values {
		if v < 0 {
			bad[v] = true
		}
	}
	return bad
}

func compared(values []int) bool {
	bad := make(map[int]bool, 8) // refused: it is compared with nil
	for _, v := range values {
		if v < 0 {
			bad[v] = true
		}
	}
	return bad == nil
}

func alias(values []int) int {
	bad := make(map[int]bool, 8) // refused: another name of it would stay nil
	all := bad
	for _, v := range values {
		if v < 0 {
			bad[v] = true
		}
	}
	return len(all)
}

func captured(values []int) int {
	bad := make(map[int]bool, 8) // refused: a function literal has it
	count := func(v int) int {
		if v < 0 {
			bad[v] = true
		}
		return v
	}
	for _, v := range values {
		if bad[count(v)] {
			return len(bad)
		}
	}
	return 0
}

func next(n *int) int {
	*n++
	return *n
}

func sized(values []int, n *int) int {
	bad := make(map[int]bool, next(n)) // refused: the size counts calls
	for _, v := range values {
		if v < 0 {
			bad[v] = true
		}
	}
	return len(bad)
}

func only(values []int) int {
	size := len(values) + 8
	bad := make(map[int]bool, size) // refused: nothing else would use the variable of the size
	for _, v := range values {
		if v < 0 {
			bad[v] = true
		}
	}
	return len(bad)
}

func pairs(values []int) int {
	bad := make(map[int]int, 8) // refused: two elements are set at once
	for i, v := range values {
		if v < 0 {
			bad[v], bad[-v] = i, -i
		}
	}
	return len(bad)
}

func received(values chan int, n int) int {
	bad := make(map[int]int, 8) // refused: an element is set where no statement can stand before
	for i := range n {
		if i == 30 {
			select {
			case bad[i] = <-values:
			}
		}
	}
	return len(bad)
}

func copied(values []int, from map[int]bool) int {
	bad := make(map[int]bool, 8) // refused: another function puts something in
	for _, v := range values {
		if v < 0 {
			maps.Copy(bad, from)
		}
	}
	return len(bad)
}

func setAgain(values []int, other map[int]bool) (err any) {
	defer func() { err = recover() }()
	bad := make(map[int]bool, 8) // refused: it may be nil later, and to put something in panics
	for i, v := range values {
		if v < 0 {
			bad = other
		}
		if i == 30 {
			bad[v] = true
		}
	}
	return len(bad)
}

type tx struct{ dropped map[string]int }

func run(names []string) *tx {
	t := &tx{dropped: make(map[string]int, 8)} // refused: reflect.DeepEqual tells nil from a map
	for i, name := range names {
		t.drop(name, i)
	}
	return t
}

func (t *tx) drop(name string, i int) {
	if i == 30 {
		t.dropped[name] = i
	}
}

func appended(values []int) (a, b []int) {
	bad := make([]int, 0, 8) // refused: both results have the same memory
	for _, v := range values {
		if v < 0 {
			a, b = append(bad, 1), append(bad, 2)
		}
	}
	return a, b
}

func renamed(values []int) int {
	type key int
	bad := make(map[key]bool, 8) // refused: the name of its type means something else where an element is set
	for _, v := range values {
		if v < 0 {
			k := key(v)
			type key string
			bad[k] = len(key("a")) > 0
		}
	}
	return len(bad)
}
