package flame

import (
	"cmp"
	"fmt"
	"slices"
)

// Nodes that are not shown by themselves: those below a share of the root, and those
// beyond a count. A page with four graphs of this size has less than a megabyte.
const (
	leastShare = 0.001
	mostNodes  = 6000
)

// Fold replaces small nodes, which nobody can see, by one for each parent that has their
// sum. It is for a graph that is complete: others join it by names.
func (g *Graph) Fold() {
	w := weight{max(g.Root.Value, 1e-300), max(g.Root.Before, 1e-300)}
	all := list(g.Root, nil)
	slices.SortStableFunc(all, func(a, b *Node) int { return cmp.Compare(w.of(b), w.of(a)) })
	kept := map[*Node]bool{}
	for _, n := range all[:min(mostNodes, len(all))] {
		kept[n] = w.of(n) >= leastShare
	}
	fold(g.Root, kept)
}

// A weight has the values of a root.
type weight struct{ value, before float64 }

// of returns the size of a node as a share of the root's, from 0 to 1. A child is never
// larger than its parent.
func (w weight) of(n *Node) float64 { return max(n.Value/w.value, n.Before/w.before) }

// list lists nodes, parents first.
func list(n *Node, to []*Node) []*Node {
	to = append(to, n)
	for _, c := range n.Children {
		to = list(c, to)
	}
	return to
}

func fold(n *Node, kept map[*Node]bool) {
	var children []*Node
	rest, count := &Node{Kind: Sum}, 0
	for _, c := range n.Children {
		if kept[c] {
			fold(c, kept)
			children = append(children, c)
			continue
		}
		rest.Value += c.Value
		rest.Before += c.Before
		count++
	}
	if count > 0 {
		rest.Name = fmt.Sprintf("(%d more)", count)
		children = append(children, rest)
	}
	n.Children = children
}
