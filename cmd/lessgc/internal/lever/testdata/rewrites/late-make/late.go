// Package late makes structs that it returns at times.
package late

import (
	"fmt"
	"sync"
)

type node interface{ value() int }

type number int

func (n number) value() int { return int(n) }

type sum struct {
	left, right node
	n           int
	pair        [2]int
}

func (s *sum) value() int { return s.left.value() + s.right.value() }

func (s *sum) count() { s.n++ }

func parse(i int) (node, error) {
	s := new(sum) // rewritten
	s.left = number(i)
	s.n++
	if i%4 == 0 {
		s.right = number(1)
	}
	if s.right == nil {
		return s.left, nil
	}
	return s, nil
}

func parseLiteral(i int) (node, string) {
	s := &sum{ // rewritten
		left: number(i), // the first
	}
	text := fmt.Sprint(s.n)
	switch {
	case i%4 == 0:
		// It is complete.
		s.right = number(s.n)
		return s, text
	case i < 0:
		return s, "negative"
	}
	return s.left, text
}

func single(i int) node {
	s := &sum{left: number(i), right: number(1)} // rewritten
	if i%4 != 0 {
		return nil
	}
	return s
}

func compared(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: it is compared with nil
	if s != nil && i%4 != 0 {
		return nil
	}
	return s
}

func given(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: a function has the pointer
	keep(s)
	if i%4 != 0 {
		return nil
	}
	s.left = number(7)
	return s
}

var kept *sum

func keep(s *sum) { kept = s }

func method(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: a method has the pointer
	s.count()
	if i%4 != 0 {
		return nil
	}
	return s
}

func addressed(i int) (node, *int) {
	s := &sum{left: number(i), right: number(1)} // refused: the address of a field is returned, too
	if i%4 != 0 {
		return nil, nil
	}
	return s, &s.n
}

func sliced(i int) (node, []int) {
	s := &sum{left: number(i), right: number(1)} // refused: a slice of its array is returned, too
	if i%4 != 0 {
		return nil, nil
	}
	return s, s.pair[:]
}

func both(i int) (node, node) {
	s := &sum{left: number(i), right: number(1)} // refused: it is returned twice, as the same object
	if i%4 != 0 {
		return nil, nil
	}
	return s, s
}

func literal(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: a deferred function literal changes it when it is returned
	defer func() { s.right = number(9) }()
	if i%4 != 0 {
		return nil
	}
	return s
}

func again(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: the variable gets another object
	if i%4 != 0 {
		return nil
	}
	if i == 0 {
		s = &sum{left: number(i), right: number(2)}
	}
	return s
}

func alias(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: another variable has the pointer
	t := s
	if i%4 != 0 {
		return nil
	}
	t.right = number(5)
	return s
}

func channel(i int) node {
	s := &sum{left: number(i), right: number(1)} // refused: a goroutine has it
	done := make(chan bool)
	go func(t *sum) {
		t.right = number(4)
		close(done)
	}(s)
	<-done
	if i%4 != 0 {
		return nil
	}
	return s
}

type locked struct {
	mu sync.Mutex
	n  int
}

func lock(i int) *locked {
	l := &locked{n: i} // refused: it has a lock, which is not copied
	if i%4 != 0 {
		return nil
	}
	return l
}

type large struct{ all [100]int }

func larger(i int) *large {
	l := &large{} // refused: it is large, and would be copied
	if i%4 != 0 {
		return nil
	}
	l.all[3] = i
	return l
}

func key(i int) (node, map[*sum]int) {
	s := &sum{left: number(i), right: number(1)} // refused: it is a key of a map
	m := map[*sum]int{s: i}
	if i%4 != 0 {
		return nil, nil
	}
	return s, m
}

func printed(i int) (node, string) {
	s := &sum{left: number(i), right: number(1)} // refused: it is an interface that is printed
	text := fmt.Sprintf("%T", s)
	if i%4 != 0 {
		return nil, ""
	}
	return s, text
}
