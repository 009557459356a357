package gosyntax

import "testing"

// FuzzParse checks that our parser accepts what go/parser accepts, with an
// equal tree, reject what it rejects, and never panic.
func FuzzParse(f *testing.F) {
	for _, src := range accepted {
		f.Add([]byte(src))
	}
	for _, x := range rejected {
		f.Add([]byte(x.src))
	}
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, src []byte) {
		check(t, Strategies[1], "input", src)
	})
}
