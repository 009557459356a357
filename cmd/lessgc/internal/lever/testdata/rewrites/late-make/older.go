//go:build go1.21

package late

func older(n int) (node, int) {
	it := &item{count: n} // rewritten
	it.name = "older"
	if n%4 != 0 {
		return nil, 0
	}
	return it, it.count
}

func olderNames(result, out int) *item {
	it := &item{count: result} // rewritten
	it.name = string(rune(out))
	if result%4 != 0 {
		return nil
	}
	return it
}

func olderTwice(n int) *item {
	it := &item{count: n} // refused: both returns would declare the variable of the copy in one block
	if n%4 != 0 {
		return nil
	}
	it.name = "first"
	return it
	it.name = "second"
	return it
}
