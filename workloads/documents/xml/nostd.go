//go:build !goexperiment.arenas

package xml

// stdArena stands in for the standard library's arena, which this build lacks:
// no memory is made with inStd.
type stdArena struct{}

func (stdArena) node() *Node           { return nil }
func (stdArena) attributes(int) []Attr { return nil }
func (stdArena) string(string) string  { return "" }

var arenas []Strategy
