package structures

// A hashSlot is empty if key is 0.
type hashSlot struct{ key, value uint64 }

type hashInput struct{ keys []uint64 }

func newHashInput(n int) *hashInput { return &hashInput{randomKeys(n)} }

// lookup returns the slot of key, or the one where it belongs. The number of
// slots is a power of two, and one is empty.
func lookup(slots []hashSlot, key uint64) *hashSlot {
	for i := mix(key); ; i++ {
		s := &slots[i&uint64(len(slots)-1)]
		if s.key == key || s.key == 0 {
			return s
		}
	}
}

func move(to, from []hashSlot) {
	for _, s := range from {
		if s.key != 0 {
			*lookup(to, s.key) = s
		}
	}
}

// search looks for each key and as many others, and for all there are.
func (in *hashInput) search(slots []hashSlot) uint64 {
	sum := uint64(0)
	for _, key := range in.keys {
		sum += lookup(slots, key).value + lookup(slots, key-1|2).value
	}
	for _, s := range slots {
		sum += s.key ^ s.value
	}
	return sum
}

// heapHash is the same with the map of the language.
func heapHash(in *hashInput) func() uint64 {
	return func() uint64 {
		m := map[uint64]uint64{}
		for _, key := range in.keys {
			m[key] += key * 3
		}
		sum := uint64(0)
		for _, key := range in.keys {
			sum += m[key] + m[key-1|2]
		}
		for key, value := range m {
			sum += key ^ value
		}
		return sum
	}
}

// handHash keeps a table that is large enough.
func handHash(in *hashInput) func() uint64 {
	n := 8
	for 3*n <= 4*len(in.keys) {
		n *= 2
	}
	slots := make([]hashSlot, n)
	return func() uint64 {
		clear(slots)
		for _, key := range in.keys {
			s := lookup(slots, key)
			s.key = key
			s.value += key * 3
		}
		return in.search(slots)
	}
}
