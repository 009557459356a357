package copies

// literal is a function without a declaration around it.
var literal = func(rules []*rule, q request) (n int) {
	for _, r := range rules {
		if r.match(q) { // refused: the lever looks at declared functions only
			n++
		}
	}
	return n
}
