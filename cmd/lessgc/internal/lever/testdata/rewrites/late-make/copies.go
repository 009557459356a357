package late

// The copies of the structs below cannot be written where they are returned.

func parentheses(n int) *item {
	it := new((item)) // refused: a literal has no parentheses around its type
	if n%4 != 0 {
		return nil
	}
	it.count = n
	return it
}
