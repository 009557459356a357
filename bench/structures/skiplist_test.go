package structures

import "math/bits"

const skipLevels = 16

type skipNode struct {
	key, value uint64
	next       []*skipNode
}

type skiplistInput struct{ keys []uint64 }

func newSkiplistInput(n int) *skiplistInput { return &skiplistInput{randomKeys(n)} }

func (in *skiplistInput) size() int { return len(in.keys) }

// skipLevel returns the height of key's tower: one in four is higher by one.
func skipLevel(key uint64) int {
	return 1 + min(bits.TrailingZeros64(mix(key))/2, skipLevels-1)
}

// find sets before to the last nodes in front of key, and reports whether key
// is there.
func (n *skipNode) find(key uint64, before *[skipLevels]*skipNode) bool {
	var next *skipNode
	for i := skipLevels - 1; i >= 0; i-- {
		for next = n.next[i]; next != nil && next.key < key; next = n.next[i] {
			n = next
		}
		before[i] = n
	}
	return next != nil && next.key == key
}

func (n *skipNode) get(key uint64) uint64 {
	var next *skipNode
	for i := skipLevels - 1; i >= 0; i-- {
		for next = n.next[i]; next != nil && next.key < key; next = n.next[i] {
			n = next
		}
	}
	if next != nil && next.key == key {
		return next.value
	}
	return 0
}

func (in *skiplistInput) search(head *skipNode) uint64 {
	sum := uint64(0)
	for _, key := range in.keys {
		sum += head.get(key)
	}
	for n := head.next[0]; n != nil; n = n.next[0] {
		sum = sum*31 + n.key
	}
	return sum
}

// A skipPlaces is a skip list in one slice. Node n is the key s[n], the value
// s[n+1] and the links from s[n+2] up; link 0, the head, ends a list.
type skipPlaces []uint64

func handSkiplist(in *skiplistInput) func() uint64 {
	var s skipPlaces
	return func() uint64 {
		s = append(s[:0], make([]uint64, 2+skipLevels)...)
		for _, key := range in.keys {
			var before [skipLevels]uint64
			if at := s.find(key, &before); at != 0 && s[at] == key {
				continue
			}
			n := uint64(len(s))
			s = append(s, key, key*3)
			for i := range uint64(skipLevel(key)) {
				link := &s[before[i]+2+i]
				next := *link
				*link = n
				s = append(s, next)
			}
		}
		sum := uint64(0)
		for _, key := range in.keys {
			sum += s.get(key)
		}
		for n := s[2]; n != 0; n = s[n+2] {
			sum = sum*31 + s[n]
		}
		return sum
	}
}

// find returns the first node not in front of key, or 0.
func (s skipPlaces) find(key uint64, before *[skipLevels]uint64) uint64 {
	n, next := uint64(0), uint64(0)
	for i := uint64(skipLevels); i > 0; {
		i--
		for next = s[n+2+i]; next != 0 && s[next] < key; next = s[n+2+i] {
			n = next
		}
		before[i] = n
	}
	return next
}

func (s skipPlaces) get(key uint64) uint64 {
	n, next := uint64(0), uint64(0)
	for i := uint64(skipLevels); i > 0; {
		i--
		for next = s[n+2+i]; next != 0 && s[next] < key; next = s[n+2+i] {
			n = next
		}
	}
	if next != 0 && s[next] == key {
		return s[next+1]
	}
	return 0
}

// handSkiplistSplit has nodes and links in two slices, as typed memory has. It
// shows what the place of the links costs where no memory is allocated.
func handSkiplistSplit(in *skiplistInput) func() uint64 {
	s := new(skipSplit)
	return func() uint64 {
		s.nodes = append(s.nodes[:0], skipPlace{})
		s.links = append(s.links[:0], make([]uint32, skipLevels)...)
		for _, key := range in.keys {
			var before [skipLevels]uint32 // towers
			if at := s.find(key, &before); at != 0 && s.nodes[at].key == key {
				continue
			}
			n, tower := uint32(len(s.nodes)), uint32(len(s.links))
			s.nodes = append(s.nodes, skipPlace{key, key * 3, tower})
			for i := range uint32(skipLevel(key)) {
				link := &s.links[before[i]+i]
				next := *link
				*link = n
				s.links = append(s.links, next)
			}
		}
		sum := uint64(0)
		for _, key := range in.keys {
			sum += s.get(key)
		}
		for n := s.links[0]; n != 0; n = s.links[s.nodes[n].tower] {
			sum = sum*31 + s.nodes[n].key
		}
		return sum
	}
}

// A skipPlace is a node whose tower is links[tower:]; a link is a place, and 0, the
// place of the head, ends a list.
type skipPlace struct {
	key, value uint64
	tower      uint32
}

type skipSplit struct {
	nodes []skipPlace
	links []uint32
}

// find returns the first place not in front of key.
func (s *skipSplit) find(key uint64, before *[skipLevels]uint32) uint32 {
	tower, next := uint32(0), uint32(0)
	for i := uint32(skipLevels); i > 0; {
		i--
		for {
			next = s.links[tower+i]
			n := &s.nodes[next]
			if next == 0 || n.key >= key {
				break
			}
			tower = n.tower
		}
		before[i] = tower
	}
	return next
}

func (s *skipSplit) get(key uint64) uint64 {
	tower, next := uint32(0), uint32(0)
	for i := uint32(skipLevels); i > 0; {
		i--
		for {
			next = s.links[tower+i]
			n := &s.nodes[next]
			if next == 0 || n.key >= key {
				break
			}
			tower = n.tower
		}
	}
	if next != 0 && s.nodes[next].key == key {
		return s.nodes[next].value
	}
	return 0
}
