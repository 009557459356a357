package arena

// What a literal has depends on when it is evaluated.

type step struct {
	next     *step
	at, then int
	same     bool
}

type walker struct {
	pos int
	all []int
}

func (w *walker) move() int {
	w.pos++
	return w.pos
}

func (w *walker) first(next *step) (*step, int) {
	return &step{next: next, at: w.pos}, 1 // rewritten
}

func (w *walker) second(next *step) (*step, int) {
	return &step{next: next, at: w.pos}, w.move() // refused: the other result changes what the literal reads
}

func (w *walker) third(next *step) *step {
	s := &step{next: next, at: w.pos, then: w.move()} // refused: one of its values changes the other
	return s
}

func (w *walker) fourth(next *step) *step {
	s := &step{next: next, at: w.move(), then: w.move()} // rewritten
	return s
}

func (w *walker) fifth(next *step, i int) *step {
	s := &step{next: next, at: w.all[i], then: w.move()} // refused: it may panic, before or after the call
	return s
}

func (w *walker) sixth(next *step, i int) *step {
	s := &step{next: next, at: w.all[i], then: w.all[i+1]} // rewritten
	return s
}

func (w *walker) panics(i int) (text string) {
	defer func() { text = recover().(error).Error() }()
	w.sixth(nil, i)
	return ""
}

func (w *walker) seventh(next *step) *step {
	if s := (&step{next: next}); s.next != nil && (&step{at: w.pos}).at > 0 { // rewritten
		return s
	}
	if (&step{next: next, at: w.pos}).at > w.move() { // refused: the condition calls a function that changes what it reads
		return next
	}
	return next
}

func (w *walker) eighth(next *step) *step {
	pos := 1
	move := func() int { pos++; return pos }
	s := &step{next: next, at: pos, then: move()} // refused: the function changes the variable
	return s
}

func (w *walker) ninth(next *step, to []*step) {
	to[len(w.all)] = &step{next: next, at: w.all[0]} // refused: it may panic there or here
}

func (w *walker) panicsToo() (text string) {
	defer func() { text = recover().(error).Error() }()
	w.ninth(nil, nil)
	return ""
}

func (w *walker) tenth(next *step) *step {
	s := &step{ // rewritten
		next: next, // what was before
		at:   w.move() * 2,
	}
	return s
}

type key struct{ of any }

func (w *walker) compare(next *step, v any, k key) *step {
	s := &step{next: next, same: v == k, at: w.move()} // refused: it may panic before the call or behind it
	return s
}

func (w *walker) compareParts(next *step, v any, k [1]any) *step {
	s := &step{next: next, same: v != k, at: w.move()} // refused: it may panic before the call or behind it
	return s
}

func (w *walker) compareNumbers(next *step, v any, n int) *step {
	s := &step{next: next, same: v == n, at: w.move()} // rewritten
	return s
}

func (w *walker) comparing(next *step) *step {
	return w.compareNumbers(w.compareParts(w.compare(next, 1, key{1}), 2, [1]any{2}), 3, 3)
}
