package late

// The structs below cannot be copied where they are returned, or their copies cannot be written there.

type guard struct{}

func (*guard) Lock()   {}
func (*guard) Unlock() {}

type guarded struct {
	guard guard
	n     int
}

func noCopy(n int) *guarded {
	g := &guarded{} // refused: it must not be copied, as go vet knows by a field with the methods of a lock
	if n%4 != 0 {
		return nil
	}
	g.n = n
	return g
}

func parentheses(n int) *item {
	it := new((item)) // refused: a literal has no parentheses around its type
	if n%4 != 0 {
		return nil
	}
	it.count = n
	return it
}
