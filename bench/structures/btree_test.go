package structures

// btreeMax is the number of items of a full node of degree 32.
const btreeMax = 63

type btreeItem struct{ key, value uint64 }

// A btreeNode has the layout of google/btree's: items and children grow by append.
type btreeNode struct {
	items    []btreeItem
	children []*btreeNode
}

type btreeInput struct{ keys []uint64 }

func newBtreeInput(n int) *btreeInput { return &btreeInput{randomKeys(n)} }

func (in *btreeInput) size() int { return len(in.keys) }

// find returns the place of key among the items, and whether it is there.
func (n *btreeNode) find(key uint64) (int, bool) {
	lo, hi := 0, len(n.items)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); n.items[m].key < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(n.items) && n.items[lo].key == key
}

func (n *btreeNode) get(key uint64) uint64 {
	for {
		i, ok := n.find(key)
		if ok {
			return n.items[i].value
		}
		if len(n.children) == 0 {
			return 0
		}
		n = n.children[i]
	}
}

func (n *btreeNode) sum(sum uint64) uint64 {
	for i := range n.items {
		if len(n.children) > 0 {
			sum = n.children[i].sum(sum)
		}
		sum = sum*31 + n.items[i].key
	}
	if len(n.children) > 0 {
		sum = n.children[len(n.items)].sum(sum)
	}
	return sum
}

// search looks for each key and for as many that are not there, and walks.
func (in *btreeInput) search(root *btreeNode) uint64 {
	sum := uint64(0)
	for _, key := range in.keys {
		sum += root.get(key) + root.get(key-1)
	}
	return root.sum(sum)
}

// A btreePage is a node of btrees: place i of pages. Inner pages have children in
// page inner of another slice.
type btreePage struct {
	n, inner int32 // inner is -1 for a leaf
	items    [btreeMax]btreeItem
}

type btreePages struct {
	pages []btreePage
	inner [][btreeMax + 1]int32
}

func handBtree(in *btreeInput) func() uint64 {
	t := new(btreePages)
	return func() uint64 {
		t.pages, t.inner = t.pages[:0], t.inner[:0]
		root := t.page(false)
		for _, key := range in.keys {
			if t.pages[root].n == btreeMax {
				above := t.page(true)
				t.inner[t.pages[above].inner][0] = root
				t.split(above, 0)
				root = above
			}
			t.insert(root, btreeItem{key, key * 3})
		}
		sum := uint64(0)
		for _, key := range in.keys {
			sum += t.get(root, key) + t.get(root, key-1)
		}
		return t.sum(root, sum)
	}
}

// page adds an empty page, on memory that is not zeroed.
func (t *btreePages) page(inner bool) int32 {
	i := len(t.pages)
	if i == cap(t.pages) {
		t.pages = append(t.pages, btreePage{})
	} else {
		t.pages = t.pages[:i+1]
	}
	p := &t.pages[i]
	p.n, p.inner = 0, -1
	if inner {
		p.inner = int32(len(t.inner))
		t.inner = append(t.inner, [btreeMax + 1]int32{})
	}
	return int32(i)
}

func (p *btreePage) find(key uint64) (int32, bool) {
	lo, hi := 0, int(p.n)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); p.items[m].key < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return int32(lo), lo < int(p.n) && p.items[lo].key == key
}

func (t *btreePages) get(at int32, key uint64) uint64 {
	for {
		p := &t.pages[at]
		i, ok := p.find(key)
		if ok {
			return p.items[i].value
		}
		if p.inner < 0 {
			return 0
		}
		at = t.inner[p.inner][i]
	}
}

func (t *btreePages) sum(at int32, sum uint64) uint64 {
	p := &t.pages[at]
	for i := range p.items[:p.n] {
		if p.inner >= 0 {
			sum = t.sum(t.inner[p.inner][i], sum)
		}
		sum = sum*31 + p.items[i].key
	}
	if p.inner >= 0 {
		sum = t.sum(t.inner[p.inner][p.n], sum)
	}
	return sum
}

func (t *btreePages) insert(at int32, item btreeItem) {
	for {
		p := &t.pages[at]
		i, ok := p.find(item.key)
		switch {
		case ok:
			p.items[i] = item
			return
		case p.inner < 0:
			p.n++
			insertAt(p.items[:p.n], int(i), item)
			return
		case t.pages[t.inner[p.inner][i]].n == btreeMax:
			t.split(at, i)
			continue
		}
		at = t.inner[p.inner][i]
	}
}

func (t *btreePages) split(at, i int32) {
	const middle = btreeMax / 2
	child := t.inner[t.pages[at].inner][i]
	added := t.page(t.pages[child].inner >= 0)
	p, left, right := &t.pages[at], &t.pages[child], &t.pages[added]
	right.n = int32(copy(right.items[:], left.items[middle+1:]))
	if left.inner >= 0 {
		copy(t.inner[right.inner][:], t.inner[left.inner][middle+1:])
	}
	left.n = middle
	p.n++
	insertAt(p.items[:p.n], int(i), left.items[middle])
	insertAt(t.inner[p.inner][:p.n+1], int(i+1), added)
}
