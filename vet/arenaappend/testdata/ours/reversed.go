package ours

import "lessgc/arena"

func badReversedField(a *arena.Arena, o *object, n string) {
	if len(o.names)+1 < cap(o.names) {
		more := arena.MakeSlice[string](a, len(o.names), len(o.names)+1)
		copy(more, o.names)
		o.names = more
	}
	o.names = append(o.names, n) // want `the test before it gives it more room only while there is some`
}

func goodReversedField(a *arena.Arena, o *object, n string) {
	if len(o.names)+1 > cap(o.names) {
		more := arena.MakeSlice[string](a, len(o.names), 2*len(o.names)+1)
		copy(more, o.names)
		o.names = more
	}
	o.names = append(o.names, n)
}

func badReversedLiteral(a *arena.Arena, each func(func(string))) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	each(func(s string) {
		if n := len(out) + 1; n <= cap(out) {
			more := arena.MakeSlice[string](a, len(out), 2*n)
			copy(more, out)
			out = more
		}
		out = append(out, s) // want `the test before it gives it more room only while there is some`
	})
	return out
}

func goodReversedLiteral(a *arena.Arena, each func(func(string))) []string {
	out := arena.MakeSlice[string](a, 0, 8)
	each(func(s string) {
		if n := len(out) + 1; n > cap(out) {
			more := arena.MakeSlice[string](a, len(out), 2*n)
			copy(more, out)
			out = more
		}
		out = append(out, s)
	})
	return out
}

func doubled(a *arena.Arena, old []int, n int) []int {
	more := arena.MakeSlice[int](a, 0, 2*cap(old)+n)
	return append(more, old...)
}

func badReversedHelper(a *arena.Arena, list, more []int) []int {
	if len(more) <= cap(list)-len(list) {
		list = doubled(a, list, len(more))
	}
	return append(list, more...) // want `the test before it gives it more room only while there is some`
}

func goodReversedHelper(a *arena.Arena, list, more []int) []int {
	if len(more) > cap(list)-len(list) {
		list = doubled(a, list, len(more))
	}
	return append(list, more...)
}

func badReversedEqual(a *arena.Arena, list []int, x int) []int {
	if list != nil && len(list) != cap(list) {
		list = doubled(a, list, 1)
	}
	return append(list, x) // want `the test before it gives it more room only while there is some`
}

func goodReversedEqual(a *arena.Arena, list []int, x int) []int {
	if list == nil || len(list) == cap(list) {
		list = doubled(a, list, 1)
	}
	return append(list, x)
}

// It has room in both cases.
func goodElseGrows(a *arena.Arena, o *object, n int) {
	if len(o.values) < cap(o.values) {
		o.values = arena.MakeSlice[int](a, 0, 16)
	} else {
		o.values = doubled(a, o.values, 1)
	}
	o.values = append(o.values, n)
}

// It is made smaller.
func goodShrinks(a *arena.Arena, list []int) []int {
	list = arena.Append(a, list, 1)
	if 4*len(list) < cap(list) {
		list = doubled(a, list[:0:0], len(list)+1)
	}
	return append(list, 2)
}

func badFullElse(a *arena.Arena, lines <-chan string) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for s := range lines {
		if len(out) < cap(out) {
			out = out[:len(out)+1]
			out[len(out)-1] = s
		} else {
			out = append(out, s) // want `append moves the slice from its arena to the heap, because`
		}
	}
	return out
}

func goodFullElse(a *arena.Arena, lines <-chan string) []string {
	out := arena.MakeSlice[string](a, 0, 16)
	for s := range lines {
		if len(out) < cap(out) {
			out = append(out, s)
		}
	}
	return out
}
