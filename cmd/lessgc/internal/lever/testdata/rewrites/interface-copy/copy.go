// Package copies makes interfaces of variables in loops.
package copies

type request struct {
	path  string
	roles [4]int
}

func (r request) role(i int) int { return r.roles[i&3] }

func (r *request) allow(i int) { r.roles[i&3]++ }

type subject interface{ role(int) int }

type rule struct {
	last subject
	all  []any
}

//go:noinline
func (r *rule) match(s subject) bool {
	r.last = s
	return s.role(1) == 1
}

//go:noinline
func (r *rule) both(a, b subject) { r.all = append(r.all, a, b) }

//go:noinline
func (r *rule) set(v any) { r.all = append(r.all, v) }

func matches(rules []*rule, q request) (n int) {
	for _, r := range rules {
		if r.match(q) { // rewritten
			n++
		}
	}
	return n
}

func sets(rules []*rule, name string) {
	name += "."
	for i := 0; i < len(rules); i++ {
		if i > 1 {
			continue
		}
		rules[i].set(name) // rewritten
	}
}

func nested(rules []*rule, size int) {
	size *= 1000
search:
	for i := range 3 {
		for _, r := range rules {
			if i == 2 {
				break search
			}
			r.set(size) // rewritten
		}
	}
	size = 0
}

func changed(rules []*rule, q request) {
	for i, r := range rules {
		q.roles[1] = i
		r.match(q) // refused: the loop changes it
	}
}

func changedAfter(rules []*rule, name string) {
	for _, r := range rules {
		r.set(name) // refused: the next iteration has another text
		name += "."
	}
}

func counted(rules []*rule, size int) {
	for ; size < 1010; size++ {
		rules[0].set(size) // refused: the loop counts in it
	}
}

func addressed(rules []*rule, q request) {
	at := &q.roles
	for i, r := range rules {
		at[1] = i
		r.match(q) // refused: something points into it
	}
}

func sliced(rules []*rule, q request) {
	at := q.roles[:]
	for i, r := range rules {
		at[1] = i
		r.match(q) // refused: a slice leads to it
	}
}

func allowed(rules []*rule, q request) {
	for _, r := range rules {
		q.allow(1)
		r.match(q) // refused: a method changes it, by its address
	}
}

func captured(rules []*rule, q request) {
	next := func() { q.roles[1]++ }
	for _, r := range rules {
		next()
		r.match(q) // refused: a function literal changes it
	}
}

func deferred(rules []*rule, next func(func(int))) (size int) {
	size = 1000
	next(func(n int) { size = n })
	for _, r := range rules {
		next(nil)
		r.set(size) // refused: a function literal that somebody keeps changes it
	}
	return size
}

func each(rules []*rule, names []string) {
	for i, r := range rules {
		name := names[i]
		r.set(name) // refused: it is another one in each iteration
	}
}

func field(rules []*rule, q *request) {
	for i, r := range rules {
		q.path = string(rune('a' + i))
		r.set(q.path) // refused: it is not a variable of the function
	}
}

func again(rules []*rule, size int) {
	n := 0
loop:
	for _, r := range rules {
		r.set(size) // refused: a goto leads behind where the interface would be made
	}
	size += 1000
	if n++; n < 2 {
		goto loop
	}
}

func found(rules []*rule, q request) *rule {
	for _, r := range rules {
		if r.last == nil {
			r.match(q) // refused: the loop ends here
			return r
		}
	}
	return nil
}

func two(rules []*rule, a, b request) {
	for _, r := range rules {
		r.both(a, b) // refused: it is about two variables
	}
}

func named(rules []*rule, q request) (n int) {
	for _, r := range rules {
		subject := r.last
		if subject == nil && r.match(q) { // refused: the name of the interface means something else in the function
			n++
		}
	}
	return n
}

func typed[T any](rules []*rule, x T) {
	for _, r := range rules {
		r.set(x) // refused: it may be a pointer already
	}
}

func later(rules []*rule, size int) (all []func()) {
	for _, r := range rules {
		all = append(all, func() { r.set(size) }) // refused: it runs later, when the variable has changed
	}
	size++
	return all
}
