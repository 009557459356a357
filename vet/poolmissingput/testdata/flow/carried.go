package flow

import "sync"

type number struct{ n int }

var numbers = sync.Pool{New: func() any { return new(number) }}

func newNumber(n int) *number {
	x := numbers.Get().(*number)
	x.n = n
	return x
}

// A node of a tree keeps its number.
type node any

type exit struct{ code *number }

type symbol struct {
	node node
	list []node
}

// goodReduced is a parser as generated ones are: what an action makes is on the stack from the next
// iteration on.
func goodReduced(actions []int) []symbol {
	var val symbol
	var stack []symbol
	for {
		stack = append(stack, val)
		if len(stack) > len(actions) {
			return stack
		}
		switch a := actions[len(stack)-1]; a {
		case 0:
			return nil
		case 1:
			val.node = exit{code: newNumber(a)}
		default:
			val.node = exit{}
		}
	}
}

// A local variable takes the last one along.
func goodLast(actions []int) *number {
	var val struct{ last *number }
	for _, a := range actions {
		if val.last != nil {
			numbers.Put(val.last)
		}
		val.last = newNumber(a)
	}
	return val.last
}

// badReduced forgets what it made.
func badReduced(actions []int) []symbol {
	var stack []symbol
	for _, a := range actions {
		var val symbol
		x := newNumber(a) // want "x is not put back on the path"
		if a == 1 {
			val.node = a
			stack = append(stack, val)
			continue
		}
		numbers.Put(x)
	}
	return stack
}
