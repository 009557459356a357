package flame

import "lessgc/cmd/lessgc/internal/ceiling"

// Work holds the divisors of the values of two profiles of a kind for comparing them:
// how many minutes, requests or operations each is of.
type Work struct {
	Before, After float64
	Per           string // "minute"; "" if both are 1
}

// unit returns the unit of divided values.
func (w Work) unit(u Unit) Unit {
	if w.Per == "" {
		return u
	}
	return u + "/" + Unit(w.Per)
}

// Diffs returns the graphs of the differences, folded. What only one side has a profile
// of is left out.
func Diffs(before, after Profiles, cpu, allocs Work) []*Graph {
	var all []*Graph
	for _, x := range []struct {
		graph func(Profiles) *Graph
		of    Work
	}{{Profiles.gcSeconds, cpu}, {Profiles.Bytes, allocs}, {Profiles.Objects, allocs}, {Profiles.CPUTime, cpu}} {
		b, a := x.graph(before), x.graph(after)
		if b.Root.Value > 0 && a.Root.Value > 0 {
			unit := x.of.unit(a.Unit)
			all = append(all, Diff(b.Scaled(1/x.of.Before, unit), a.Scaled(1/x.of.After, unit)))
		}
	}
	return keep(all)
}

// gcSeconds is GCCost in seconds of CPU time.
func (p Profiles) gcSeconds() *Graph {
	g := p.GCCost()
	if p.CPU == nil {
		return g
	}
	return g.Scaled(float64(ceiling.Of(p.CPU).Nanos)*1e-9, Seconds)
}

// Diff joins two graphs of the same unit by the names of calls. They have all nodes, and
// the values of both were made to compare: those of a second, or shares.
func Diff(before, after *Graph) *Graph {
	out := *after
	out.Diff = true
	out.Root = join(before.Root, after.Root)
	order(out.Root)
	return &out
}

// join joins two nodes, one of which may be nil.
func join(before, after *Node) *Node {
	out := &Node{}
	byName := map[string][2]*Node{}
	var names []string
	for side, n := range []*Node{before, after} {
		if n == nil {
			continue
		}
		out.Name, out.Kind = n.Name, n.Kind
		for _, c := range n.Children {
			pair, ok := byName[c.Name]
			if !ok {
				names = append(names, c.Name)
			}
			pair[side] = c
			byName[c.Name] = pair
		}
	}
	if before != nil {
		out.Before = before.Value
	}
	if after != nil {
		out.Value = after.Value
	}
	for _, name := range names {
		out.Children = append(out.Children, join(byName[name][0], byName[name][1]))
	}
	return out
}
