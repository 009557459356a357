package stacktree

import (
	"fmt"
	"math"
	"strconv"
)

// A Tree is the prefix tree of a profile's stacks: stacks that begin with the
// same frames share nodes. It is only valid inside the function that
// [Strategy.Do] hands it to.
type Tree struct {
	root   *node // has no name; its children begin the stacks
	nodes  int   // without root
	limits limits
	mem    memory
}

// A node is one frame below a certain stack of callers.
//
// Children are a slice in the order of their names, searched by halves, as in
// the published parser. A map per node would be larger than the node and
// unordered, and most nodes have one child; a list of siblings takes a step per
// child, and a root may have thousands.
type node struct {
	name     string
	self     int64 // what stacks that end here count
	total    int64 // self and the total of all children
	children []*node
}

// A frame is a name on its way into the tree.
type frame struct {
	text []byte // in the parser's memory
	name string // the copy in the tree's memory, or "" if there is none yet
}

// Len returns the number of nodes: of different stacks and beginnings of stacks.
func (t *Tree) Len() int { return t.nodes }

// Total returns the sum of all counts.
func (t *Tree) Total() int64 { return t.root.total }

// AppendCollapsed appends the tree as collapsed stacks to dst and returns the
// extended slice: one line per stack, in the order of the frames' names.
// Parsing them makes an equal tree.
func (t *Tree) AppendCollapsed(dst []byte) []byte {
	return t.root.appendStacks(dst, make([]byte, 0, 4<<10))
}

// appendStacks appends the stacks below n. Prefix is the stack of n with a ';'
// behind it; what is behind prefix is overwritten.
func (n *node) appendStacks(dst, prefix []byte) []byte {
	for _, c := range n.children {
		stack := append(prefix, c.name...)
		if c.self > 0 {
			dst = append(append(dst, stack...), ' ')
			dst = append(strconv.AppendInt(dst, c.self, 10), '\n')
		}
		dst = c.appendStacks(dst, append(stack, ';'))
	}
	return dst
}

// begin counts a stack at the root, where its first frame goes below.
func (t *Tree) begin(count int64) (*node, error) {
	if count > math.MaxInt64-t.root.total {
		return nil, errOverflow
	}
	t.root.total += count
	return t.root, nil
}

// down counts a stack one frame further, at the child of n that f names.
func (t *Tree) down(n *node, f *frame, count int64) (*node, error) {
	i, found := n.search(f.text)
	if !found {
		if err := t.insert(n, i, f); err != nil {
			return nil, err
		}
	}
	c := n.children[i]
	c.total += count
	return c, nil
}

// search returns the place of name among the children of n, and whether it is
// taken.
func (n *node) search(name []byte) (int, bool) {
	lo, hi := 0, len(n.children)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if n.children[mid].name < string(name) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(n.children) && n.children[lo].name == string(name)
}

// insert makes the child i of n. The name is copied for the first node that f
// names.
func (t *Tree) insert(n *node, i int, f *frame) error {
	if t.nodes == t.limits.nodes {
		return fmt.Errorf("%w: more than %d nodes", ErrTooLarge, t.limits.nodes)
	}
	if len(n.children) == t.limits.children {
		return fmt.Errorf("%w: more than %d children of one node", ErrTooLarge, t.limits.children)
	}
	if f.name == "" {
		f.name = t.mem.text(f.text)
	}
	c := t.mem.node()
	c.name = f.name
	n.children = t.mem.extend(n.children)
	copy(n.children[i+1:], n.children[i:])
	n.children[i] = c
	t.nodes++
	return nil
}
