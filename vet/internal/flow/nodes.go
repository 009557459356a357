package flow

import "golang.org/x/tools/go/ssa"

// A node is a value that derives from the root of a derivation.
type node struct {
	value ssa.Value
	mark  mark
	weak  bool        // it derives on some paths only
	from  []ssa.Value // operands that derive
	all   []ssa.Value // if any: it derives surely only if all of these do
}

// nodes are those of a derivation, in the order in which they were found. Most have only a
// few, which are found faster without an index.
type nodes struct {
	list  []node
	index map[ssa.Value]int
}

const few = 12

// find returns the node of v, or nil.
func (n *nodes) find(v ssa.Value) *node {
	if n.index != nil {
		if i, ok := n.index[v]; ok {
			return &n.list[i]
		}
		return nil
	}
	for i := range n.list {
		if n.list[i].value == v {
			return &n.list[i]
		}
	}
	return nil
}

// get returns the node of v, a new one if there is none. It is valid until the next get.
func (n *nodes) get(v ssa.Value) *node {
	if x := n.find(v); x != nil {
		return x
	}
	n.list = append(n.list, node{value: v})
	if n.index != nil {
		n.index[v] = len(n.list) - 1
	} else if len(n.list) > few {
		n.index = make(map[ssa.Value]int, 4*few)
		for i := range n.list {
			n.index[n.list[i].value] = i
		}
	}
	return &n.list[len(n.list)-1]
}

// mark says how v derives; 0 if it does not.
func (d *derivation) mark(v ssa.Value) mark {
	if n := d.nodes.find(v); n != nil {
		return n.mark
	}
	return 0
}
