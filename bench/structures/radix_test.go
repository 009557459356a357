package structures

// A radixNode has children with different first bytes, in order.
type radixNode struct {
	prefix   string
	count    int // of this key
	children []*radixNode
}

type radixInput struct{ keys []string }

// newRadixInput returns n paths of 2 to 5 names, out of 100.
func newRadixInput(n int) *radixInput {
	r := random(5)
	names := randomWords(100)
	in := &radixInput{make([]string, n)}
	for i := range in.keys {
		key := ""
		for range 2 + r.below(4) {
			key += "/" + names[r.below(len(names))]
		}
		in.keys[i] = key
	}
	return in
}

func (in *radixInput) size() int { return len(in.keys) }

func (n *radixNode) find(c byte) (int, bool) {
	lo, hi := 0, len(n.children)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); n.children[m].prefix[0] < c {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(n.children) && n.children[lo].prefix[0] == c
}

// common returns the length of what both begin with.
func common[S string | []byte](a S, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func (n *radixNode) get(key string) int {
	for key != "" {
		i, ok := n.find(key[0])
		if !ok {
			return 0
		}
		n = n.children[i]
		if same := common(n.prefix, key); same < len(n.prefix) {
			return 0
		}
		key = key[len(n.prefix):]
	}
	return n.count
}

func (n *radixNode) sum(sum uint64) uint64 {
	sum = sum*31 + uint64(n.count+len(n.prefix)<<8+len(n.children)<<16)
	for _, child := range n.children {
		sum = child.sum(sum)
	}
	return sum
}

func (in *radixInput) search(root *radixNode) uint64 {
	sum := uint64(0)
	for _, key := range in.keys {
		sum += uint64(root.get(key) + root.get(key[:len(key)-1]))
	}
	return root.sum(sum)
}

// A radixPlace is a node: its prefix is bytes[from:to], its children are a list
// in order of their first bytes. Place 0 is the root.
type radixPlace struct {
	from, to    uint32
	first, next uint32
	count       int32
	char        byte // the first of prefix
}

type radixPlaces struct {
	nodes []radixPlace
	bytes []byte
}

func handRadix(in *radixInput) func() uint64 {
	t := new(radixPlaces)
	return func() uint64 {
		t.nodes, t.bytes = append(t.nodes[:0], radixPlace{}), t.bytes[:0]
		for _, key := range in.keys {
			t.insert(key)
		}
		sum := uint64(0)
		for _, key := range in.keys {
			sum += uint64(t.get(key) + t.get(key[:len(key)-1]))
		}
		return t.sum(0, sum)
	}
}

// find returns the link of n to the child that begins with c, or to the one
// behind its place.
func (t *radixPlaces) find(n uint32, c byte) (*uint32, bool) {
	link := &t.nodes[n].first
	for *link != 0 && t.nodes[*link].char < c {
		link = &t.nodes[*link].next
	}
	return link, *link != 0 && t.nodes[*link].char == c
}

func (t *radixPlaces) insert(key string) {
	n := uint32(0)
	for {
		if key == "" {
			t.nodes[n].count++
			return
		}
		link, ok := t.find(n, key[0])
		added := uint32(len(t.nodes))
		if !ok {
			leaf := radixPlace{from: uint32(len(t.bytes)), next: *link, count: 1, char: key[0]}
			t.bytes = append(t.bytes, key...)
			leaf.to = uint32(len(t.bytes))
			*link = added
			t.nodes = append(t.nodes, leaf)
			return
		}
		child := *link
		c := &t.nodes[child]
		same := uint32(common(t.bytes[c.from:c.to], key))
		if same < c.to-c.from {
			above := radixPlace{from: c.from, to: c.from + same, first: child, next: c.next, char: c.char}
			c.from, c.next, c.char = c.from+same, 0, t.bytes[c.from+same]
			*link = added
			t.nodes = append(t.nodes, above)
			child = added
		}
		n, key = child, key[same:]
	}
}

func (t *radixPlaces) get(key string) int {
	n := uint32(0)
	for key != "" {
		link, ok := t.find(n, key[0])
		if !ok {
			return 0
		}
		n = *link
		prefix := t.bytes[t.nodes[n].from:t.nodes[n].to]
		if same := common(prefix, key); same < len(prefix) {
			return 0
		}
		key = key[len(prefix):]
	}
	return int(t.nodes[n].count)
}

func (t *radixPlaces) sum(at uint32, sum uint64) uint64 {
	n, children := &t.nodes[at], 0
	for e := n.first; e != 0; e = t.nodes[e].next {
		children++
	}
	sum = sum*31 + uint64(int(n.count)+int(n.to-n.from)<<8+children<<16)
	for e := n.first; e != 0; e = t.nodes[e].next {
		sum = t.sum(e, sum)
	}
	return sum
}
