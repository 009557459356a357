package flow

import "sync"

// tiers are pools of buffers of different sizes.
var tiers = []struct {
	size int
	pool sync.Pool
}{{size: 512}, {size: 4096}}

// goodTier puts b into the only pool of its size.
func goodTier(b []byte) {
	for i := range tiers {
		if cap(b) == tiers[i].size {
			tiers[i].pool.Put(b)
		}
	}
}

type sized struct {
	class int
	data  []byte
}

var classes [4]struct {
	class int
	pool  sync.Pool
}

func goodClass(s *sized) {
	for i := 0; i < len(classes); i++ {
		c := &classes[i]
		if s.class != c.class {
			continue
		}
		c.pool.Put(s)
	}
}

// badTier puts b into every pool that is not too small.
func badTier(b []byte) {
	for i := range tiers {
		if cap(b) >= tiers[i].size {
			tiers[i].pool.Put(b) // want "b is put back twice, after line"
		}
	}
}

// badFits asks the same each time.
func badFits(b []byte, size int) {
	for i := range tiers {
		if cap(b) == size {
			tiers[i].pool.Put(b) // want "b is put back twice, after line"
		}
	}
}

var packets = sync.Pool{New: func() any { return new(sized) }}

func getPacket() *sized { return packets.Get().(*sized) }

// goodRefilled has a new packet in each slot that it has put.
func goodRefilled(read func([]*sized) int, more func() bool) {
	list := make([]*sized, 8)
	n := len(list)
	for {
		for i := range list[:n] {
			list[i] = getPacket()
		}
		if !more() {
			break
		}
		if n = read(list); n == 0 {
			n = 1
			packets.Put(list[0])
			continue
		}
		for i := range list[:n] {
			p := list[i]
			if p.class == 0 {
				packets.Put(p)
				continue
			}
			packets.Put(p)
		}
	}
	for i := range list {
		packets.Put(list[i])
	}
}

// goodElements puts another element each time.
func goodElements(n int) {
	list := make([]*sized, n)
	for i := range list {
		p := getPacket()
		list[i] = p
	}
	for _, p := range list {
		packets.Put(p)
	}
}

// badElement puts the same element each time.
func badElement(n int) {
	list := make([]*sized, 1)
	list[0] = getPacket()
	for range n {
		packets.Put(list[0]) // want "is put back twice, after line"
	}
}
