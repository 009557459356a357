package late

// Comments below stand where a literal or its variable would go.

func lineAbove(name string, n int) *item {
	/* one more */ calls++
	it := &item{name: name, count: n} // rewritten
	if n%4 != 0 {
		return nil
	}
	return it
}

func linesAbove(name string, n int) *item {
	/* one
	more */calls++
	it := &item{name: name, count: n} // rewritten
	if n%4 != 0 {
		return nil
	}
	return it
}
