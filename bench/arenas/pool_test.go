package arenas

import "sync"

// A need counts what one op takes from a region. An allocator of fixed
// capacity is made with it.
type need struct {
	bytes                                            int // of everything, rounded up to 8 each
	elements, values, trees, objects, nodes          int
	pointers, strings, stringCap, buffers, bufferCap int
}

func listNeed(n int) need { return need{bytes: n * (40 + 16), elements: n, values: n} }

func treeNeed(depth int) need {
	n := 2<<depth - 1
	return need{bytes: n * 16, trees: n}
}

func reqNeed(n int) need {
	return need{bytes: n * (8 + 24 + 16), objects: n, pointers: n, strings: n, stringCap: 16}
}

// trieNeed takes every function of every stack for a node of its own, which is
// about a third too many: what is not used is not touched.
func trieNeed(stacks [][]string) need {
	n, bytes := 1, 0
	for _, stack := range stacks {
		n += len(stack)
		for _, name := range stack {
			bytes += len(name) + 7
		}
	}
	// A child's place in its parent's slice is copied at most once on average,
	// and the capacity is at most twice the length.
	return need{bytes: bytes + n*(56+4*8), nodes: n}
}

func clonesNeed(size, n int) need { return need{bytes: size * n, buffers: n, bufferCap: size} }

// roomy is the size of a region for n with a fourth to spare, for alignment
// and slices that grew.
func (n need) roomy() int { return n.bytes + n.bytes/4 + 4096 }

// kept holds emptied regions between ops. The collector may drop them.
type kept[R any] struct{ pool sync.Pool }

func keep[R any](make func() R) *kept[R] {
	return &kept[R]{sync.Pool{New: func() any { return make() }}}
}

func (k *kept[R]) get() R  { return k.pool.Get().(R) }
func (k *kept[R]) put(r R) { k.pool.Put(r) }
