package stacktree

import "sync"

// maxPooled is the number of nodes up to which a store is put back: about
// 10 MiB. Without a bound, one large profile would stay in memory.
const maxPooled = 1 << 17

// A store holds the nodes of one tree at a time, for reuse by the next one. It
// is pooled as a whole: one Get per tree, not one per node, and a node comes
// back with the capacity for children that a tree of the same shape needs in
// its place.
type store struct {
	nodes []*node
	used  int // nodes[:used] are in a tree
}

var stores = sync.Pool{New: func() any { return new(store) }}

func (s *store) node() *node {
	if s.used == len(s.nodes) {
		s.nodes = append(s.nodes, new(node))
	}
	n := s.nodes[s.used]
	s.used++
	return n
}

// free empties the nodes and puts s back. Names are strings on the heap, which
// belong to the collector.
func (s *store) free() {
	if len(s.nodes) > maxPooled {
		return
	}
	for _, n := range s.nodes[:s.used] {
		*n = node{children: n.children[:0]}
	}
	s.used = 0
	stores.Put(s)
}
