package late

// Comments and new values below stand where a literal or its variable would go.

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

func commentInside(name string) *item {
	it := /* without a number */ &item{name: name} // rewritten
	if len(name)%4 != 0 {
		return nil
	}
	return it
}

type box struct{ p *int }

func valueOfNew(n int) *box {
	b := &box{p: new(n)} // rewritten
	n++
	if n%4 != 1 {
		return nil
	}
	return b
}

func callInNew(n int) *box {
	b := &box{p: new(counted())} // rewritten
	if n%4 != 0 {
		return nil
	}
	calls = 100
	return b
}
