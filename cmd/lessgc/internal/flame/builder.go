package flame

import (
	"cmp"
	"slices"
	"strings"

	"lessgc/cmd/lessgc/internal/prof"
)

// A builder adds stacks to a tree.
type builder struct {
	left  int // nodes that may still be made
	root  *Node
	below map[edge]*Node
	own   func(pkg string) bool
}

// An edge identifies a node by its parent and its name.
type edge struct {
	parent *Node
	name   string
}

// mostBuilt limits the nodes of a tree, which are some hundred megabytes. It shows some
// thousands. The values of calls beyond that count for their callers.
const mostBuilt = 1 << 20

// rootName is the name of what all stacks have in common.
const rootName = "all"

func (p Profiles) builder() *builder {
	return &builder{left: mostBuilt, root: &Node{Name: rootName, Kind: Sum}, below: map[edge]*Node{}, own: p.Own}
}

// add adds a value to the calls of a stack, whose innermost is the first, and to a Sum
// below them, unless its name is "". Values that are not positive, which differences of
// profiles may have, are left out.
func (b *builder) add(stack []prof.Frame, sum string, value float64) {
	if value <= 0 {
		return
	}
	if last := len(stack) - 1; last >= 0 && stack[last].Func == "runtime.goexit" {
		stack = stack[:last] // which some writers of profiles have below all others, so that stacks would not meet
	}
	n := b.root
	n.Value += value
	for _, f := range slices.Backward(stack) {
		c := b.child(n, f.Func, b.kind(f))
		if c == n {
			return
		}
		c.Value += value
		n = c
	}
	if sum == "" {
		return
	}
	if c := b.child(n, sum, Sum); c != n {
		c.Value += value
	}
}

func (b *builder) child(parent *Node, name string, kind Kind) *Node {
	at := edge{parent, name}
	n := b.below[at]
	if n == nil && b.left == 0 {
		return parent
	}
	if n == nil {
		b.left--
		n = &Node{Name: name, Kind: kind}
		b.below[at] = n
		parent.Children = append(parent.Children, n)
	}
	return n
}

func (b *builder) kind(f prof.Frame) Kind {
	switch {
	case f.Func == unattributed:
		return Sum
	case ofRuntime(f):
		return Runtime
	case b.own != nil && b.own(f.Package()):
		return Own
	}
	return Library
}

// ofRuntime reports whether a function is one of those that profiles of allocations leave
// out at their leaves. Assembly has names without a package.
func ofRuntime(f prof.Frame) bool {
	return strings.HasPrefix(f.Func, "runtime.") || strings.HasPrefix(f.Func, "internal/runtime/") || !strings.Contains(f.Func, ".")
}

func (b *builder) tree() *Node {
	order(b.root)
	return b.root
}

// order sorts children, the largest first.
func order(n *Node) {
	slices.SortFunc(n.Children, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(b.Value+b.Before, a.Value+a.Before), cmp.Compare(a.Name, b.Name))
	})
	for _, c := range n.Children {
		order(c)
	}
}
