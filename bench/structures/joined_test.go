package structures

import "lessgc/arena"

// A joined allocates a node with its tower in one object, of a type for each
// height up to 4: what a typed arena, and the heap, can do to have them in one cache
// line.
type joined struct {
	one   func() *joined1
	two   func() *joined2
	three func() *joined3
	four  func() *joined4
	tower func(n int) []*skipNode // of the others
}

type (
	joined1 struct {
		skipNode
		tower [1]*skipNode
	}
	joined2 struct {
		skipNode
		tower [2]*skipNode
	}
	joined3 struct {
		skipNode
		tower [3]*skipNode
	}
	joined4 struct {
		skipNode
		tower [4]*skipNode
	}
)

func (j *joined) node(level int) *skipNode {
	switch level {
	case 1:
		n := j.one()
		n.next = n.tower[:]
		return &n.skipNode
	case 2:
		n := j.two()
		n.next = n.tower[:]
		return &n.skipNode
	case 3:
		n := j.three()
		n.next = n.tower[:]
		return &n.skipNode
	}
	n := j.four()
	n.next = n.tower[:]
	if level > len(n.next) {
		n.next = j.tower(level)
	}
	return &n.skipNode
}

func (j *joined) build(in *skiplistInput) *skipNode {
	head := j.node(skipLevels)
	for _, key := range in.keys {
		var before [skipLevels]*skipNode
		if head.find(key, &before) {
			continue
		}
		n := j.node(skipLevel(key))
		n.key, n.value = key, key*3
		for i := range n.next {
			n.next[i] = before[i].next[i]
			before[i].next[i] = n
		}
	}
	return head
}

func heapJoined(in *skiplistInput) func() uint64 {
	j := &joined{
		func() *joined1 { return new(joined1) }, func() *joined2 { return new(joined2) },
		func() *joined3 { return new(joined3) }, func() *joined4 { return new(joined4) },
		func(n int) []*skipNode { return make([]*skipNode, n) },
	}
	return func() uint64 { return in.search(j.build(in)) }
}

func handleJoined(in *skiplistInput) func() uint64 {
	regions := &arena.Pool{Policy: arena.RecycleAll}
	return func() uint64 {
		a := regions.Get()
		j := &joined{
			arena.Of[joined1](a).New, arena.Of[joined2](a).New, arena.Of[joined3](a).New, arena.Of[joined4](a).New,
			func(n int) []*skipNode { return arena.MakeSlice[*skipNode](a, n, n) },
		}
		sum := in.search(j.build(in))
		a.Free()
		return sum
	}
}
