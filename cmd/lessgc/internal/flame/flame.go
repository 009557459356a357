// Package flame makes trees of calls of profiles: of allocated bytes, of CPU time,
// and of what allocation and collection cost. It does not draw them.
package flame

import (
	"slices"

	"lessgc/cmd/lessgc/internal/prof"
)

// A Graph is a tree of calls, from where the program starts to its leaves.
type Graph struct {
	Title string
	Unit  Unit
	Note  string // what the values are, in a sentence
	Diff  bool   // nodes have a value of before, too
	Root  *Node
}

// A Unit is the unit of values. After a slash it may say per what, as in "B/minute".
type Unit string

// The units of graphs that were made of profiles.
const (
	Bytes   Unit = "B"
	Objects Unit = "objects"
	Seconds Unit = "sec"
	Share   Unit = "share" // of all CPU time, 0 to 1
)

// A Node is a function, called in the way that leads to it.
type Node struct {
	Name     string
	Kind     Kind
	Value    float64 // of it and all that it calls: what the children lack is its own
	Before   float64 // the same, before a change
	Children []*Node // largest first
}

// A Kind is whose code a node is.
type Kind int

// The kinds.
const (
	Library Kind = iota // of others: the standard library and dependencies
	Own                 // of the user's modules
	Runtime             // of Go's runtime
	Sum                 // no function: part of the costs, or many small nodes
)

// Profiles holds the profiles that graphs are made of. CPU or Allocs may be nil.
type Profiles struct {
	CPU    *prof.Profile
	Allocs *prof.Profile
	Own    func(pkg string) bool // says which packages are the user's; nil for none
}

// Graphs returns all graphs that the profiles have something for, folded, with what
// tells most first.
func (p Profiles) Graphs() []*Graph {
	return keep([]*Graph{p.GCCost(), p.Bytes(), p.Objects(), p.CPUTime()})
}

// keep folds the graphs that are not empty.
func keep(all []*Graph) []*Graph {
	all = slices.DeleteFunc(all, func(g *Graph) bool { return g.Root.Value == 0 && g.Root.Before == 0 })
	for _, g := range all {
		g.Fold()
	}
	return all
}

// Bytes is the graph of allocated bytes, with all nodes.
func (p Profiles) Bytes() *Graph {
	return p.allocs("Allocated bytes", Bytes, "alloc_space", "Bytes that were allocated, by who called for them. Allocated bytes are not the live heap.")
}

// Objects is the graph of allocated objects, with all nodes.
func (p Profiles) Objects() *Graph {
	return p.allocs("Allocated objects", Objects, "alloc_objects", "Objects that were allocated, by who called for them.")
}

func (p Profiles) allocs(title string, unit Unit, value, note string) *Graph {
	return p.samples(p.Allocs, Graph{Title: title, Unit: unit, Note: note}, value, 1)
}

// CPUTime is the graph of CPU time, with all nodes.
func (p Profiles) CPUTime() *Graph {
	g := Graph{Title: "CPU time", Unit: Seconds, Note: "All CPU time, by where it was spent."}
	return p.samples(p.CPU, g, "cpu", 1e-9)
}

// samples adds up the samples of a profile, which may be nil.
func (p Profiles) samples(of *prof.Profile, g Graph, value string, factor float64) *Graph {
	b := p.builder()
	if of != nil {
		i := of.Value(value)
		for _, s := range of.Sample {
			b.add(prof.Stack(s), "", float64(s.Value[i]))
		}
	}
	g.Root = b.tree()
	return g.Scaled(factor, g.Unit)
}

// Scaled returns the graph with all values multiplied.
func (g *Graph) Scaled(by float64, unit Unit) *Graph {
	out := *g
	out.Unit, out.Root = unit, scaled(g.Root, by)
	return &out
}

func scaled(n *Node, by float64) *Node {
	out := *n
	out.Value, out.Before, out.Children = by*n.Value, by*n.Before, make([]*Node, len(n.Children))
	for i, c := range n.Children {
		out.Children[i] = scaled(c, by)
	}
	return &out
}
