//go:build !goexperiment.arenas

package stacktree

// No strategy of this build has memory of kind inStdArena.
var stdArenas []Strategy

// A stdArena has the methods that [memory] calls and no memory: the heap
// stands in.
type stdArena struct{}

func newStdArena() stdArena                { return stdArena{} }
func (stdArena) free()                     {}
func (stdArena) node() *node               { return new(node) }
func (stdArena) text(b []byte) string      { return string(b) }
func (stdArena) list(len, cap int) []*node { return make([]*node, len, cap) }
