//go:build !goexperiment.arenas

package html

import "golang.org/x/net/html"

// stdArena stands in for the standard library's arena, which this build lacks:
// no memory is made with inStd.
type stdArena struct{}

func (stdArena) node() *html.Node                { return nil }
func (stdArena) attributes(int) []html.Attribute { return nil }
func (stdArena) string(string) string            { return "" }

var arenas []Strategy
