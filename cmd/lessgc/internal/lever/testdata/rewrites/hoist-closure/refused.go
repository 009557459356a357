package hoisted

func refusedVariable(n int) (sum int) {
	var all []func() int
	for i := range n {
		call(&all, func() int { return i }) // refused: it captures the variable of the loop
	}
	for _, f := range all {
		sum += f()
	}
	return sum
}

func refusedHeader(n int) (sum int) {
	var all []func() int
	for i := 0; i < n; i++ {
		call(&all, func() int { return i }) // refused: it captures the variable of the loop, one for each iteration
	}
	for _, f := range all {
		sum += f()
	}
	return sum
}

func refusedDeclared(n int) (sum int) {
	var all []func() int
	for i := range n {
		last := i * 2
		call(&all, func() int { last++; return last }) // refused: it captures a variable of the iteration
	}
	for _, f := range all {
		sum += f()
	}
	return sum
}

func refusedShadowed(n, last int) (sum int) {
	var all []func() int
	for i := range n {
		last := last + i
		call(&all, func() int { return last }) // refused: the captured variable hides one from before the loop
	}
	for _, f := range all {
		sum += f()
	}
	return sum
}

func refusedType(users []user) (total int) {
	for _, u := range users {
		type doubled struct{ n int }
		visit(u, func(f field) { total += doubled{f.size * 2}.n }) // refused: it uses a type of the iteration
	}
	return total
}

func refusedConstant(users []user) (total int) {
	for _, u := range users {
		const times = 3
		visit(u, func(f field) { total += times * f.size }) // refused: it uses a constant of the iteration
	}
	return total
}

func refusedCondition(users []user) (total int) {
	for _, u := range users {
		if len(u.fields) > 1 {
			visit(u, func(f field) { total += f.size }) // refused: most iterations may not come here
		}
	}
	return total
}

func refusedCase(users []user) (total int) {
	for _, u := range users {
		switch len(u.fields) {
		case 2:
			visit(u, func(f field) { total += f.size }) // refused: most iterations may not come here
		}
	}
	return total
}

func refusedAnd(users []user, limit int) (n int) {
	for _, u := range users {
		if len(u.fields) > 1 && some(u, func(f field) bool { return f.size > limit }) { // refused: the condition before it may not hold
			n++
		}
	}
	return n
}

//go:noinline
func some(u user, holds func(f field) bool) bool { return holds(u.fields[0]) }

func refusedDefer(users []user) (total int) {
	for _, u := range users {
		defer func() { total++ }() // refused: it is called where it stands
		total += len(u.fields)
	}
	return total
}

func refusedGo(n int, done chan int) {
	for range n {
		go func() { done <- n }() // refused: it is the function of a goroutine
	}
}

func refusedGoto(users []user) (total int) {
	if len(users) == 0 {
		goto end
	}
	for _, u := range users {
		visit(u, func(f field) { total += f.size }) // refused: a goto may not jump over a new variable
	}
end:
	return total
}

func refusedOnce(users []user) (total int) {
	visit(users[0], func(f field) { total += f.size }) // refused: it is in no loop
	return total
}

func refusedHead(users []user) (total int) {
	for ; some(users[0], func(f field) bool { return f.size > total }); total++ { // refused: it is no part of the loop's body
	}
	return total
}

func refusedSet(all []*lister, words []string) {
	l := all[0]
	for i, w := range words {
		each(w, l.add) // refused: the receiver is another one in the next iteration
		l = all[(i+1)%len(all)]
	}
}

func refusedAddress(all []*lister, words []string) {
	l := all[0]
	p := &l
	for i, w := range words {
		each(w, l.add) // refused: the receiver is set by its address
		*p = all[(i+1)%len(all)]
	}
}

func refusedCopied(l *lister, words []string) {
	for _, w := range words {
		each(w, l.sum) // refused: the method value copies the receiver each time
		l.all = append(l.all, w)
	}
}

func refusedValue(words []string) (n int) {
	var l lister
	for _, w := range words {
		each(w, l.add) // refused: the receiver is not a pointer
	}
	return len(l.all)
}

func refusedEmbedded(l *lister, words []string) {
	for _, w := range words {
		each(w, l.count) // refused: the method is that of a part, and the pointer is dereferenced here
	}
}

// An adder adds.
type adder interface{ add(s string) }

func refusedInterface(a adder, words []string) {
	for _, w := range words {
		each(w, a.add) // refused: it panics if the interface is nil
	}
}

func refusedField(o *struct{ l *lister }, words []string) {
	for _, w := range words {
		each(w, o.l.add) // refused: the receiver is read from a field in each iteration
		o.l = &lister{}
	}
}

// sums has its loop outside of functions.
var sums = func(users []user) (total int) {
	for _, u := range users {
		visit(u, func(f field) { total += f.size }) // refused: a variable of the package has the function
	}
	return total
}
