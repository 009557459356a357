package late

// The literals below go to the statement that returns them, or stay where they are, as the struct itself, if they would differ there.

type item struct {
	name  string
	count int
	sizes []int
	pair  [2]int
	at    place
}

type place struct{ line, column int }

func (i *item) value() int { return i.count }

func moved(name string, n int) *item {
	// It has what the caller has.
	it := &item{ // rewritten
		name:  name,
		count: n, // a number
		at:    place{line: 1},
	}

	if n%4 != 0 || it.count == 0 {
		return nil
	}
	return it
}

func movedNew(n int) (node, bool) {
	it := new(item) // rewritten
	if n%4 != 0 {
		return nil, false
	}
	return it, true
}

func assigned(name string, n int) *item {
	it := &item{name: name, count: n} // rewritten
	n++
	if n%4 != 1 {
		return nil
	}
	return it
}

func partSet(n int) *item {
	at := place{1, n}
	it := &item{at: at} // rewritten
	at.line = 7
	if n%4 != 0 {
		return nil
	}
	return it
}

func elementSet(n int) *item {
	pair := [2]int{1, n}
	it := &item{pair: pair} // rewritten
	pair[0] = 7
	if n%4 != 0 {
		return nil
	}
	return it
}

func filled(n int) *item {
	it := &item{sizes: []int{0, n}} // rewritten
	it.sizes[0] = 7
	if n%4 != 0 {
		return nil
	}
	return it
}

func readThrough(from *place) *item {
	it := &item{count: from.line} // rewritten
	from.line = 7
	if from.column%4 != 0 {
		return nil
	}
	return it
}

var calls int

func counted() int { calls++; return calls }

func called(n int) *item {
	it := &item{count: counted()} // rewritten
	if n%4 != 0 {
		return nil
	}
	calls = 100
	return it
}

func shadowed(name string, n int) *item {
	it := &item{name: name} // rewritten
	if n%4 == 0 {
		name := "other"
		_ = name
		return it
	}
	return nil
}

func shadowedType(n int) *item {
	it := &item{count: n} // rewritten
	if n%4 == 0 {
		type item struct{ other string }
		_ = item{}
		return it
	}
	return nil
}

func closed(n int) *item {
	add := func() { n += 10 }
	it := &item{count: n} // rewritten
	add()
	if n%4 != 2 {
		return nil
	}
	return it
}

func named(n int) (it *item, err error) {
	made := &item{count: n} // rewritten
	if n%4 != 0 {
		return
	}
	return made, nil
}

func nested(n int) node {
	make := func(k int) node {
		it := &item{count: k} // rewritten
		if k%4 != 0 {
			return nil
		}
		return it
	}
	return make(n)
}

func aliased(n int) *item {
	sizes := []int{n}
	it := &item{sizes: sizes} // rewritten
	sizes[0]++
	if it.sizes[0]%4 != 1 {
		return nil
	}
	return it
}

func twice(n int) *item {
	it := &item{count: n} // rewritten
	switch n % 4 {
	case 0:
		return it
	case 1:
		it.name = "one"
		return it
	}
	return nil
}
