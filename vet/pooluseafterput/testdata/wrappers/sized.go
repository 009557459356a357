package wrappers

import "sync"

// sized has a pool for each size.
type sized struct{ pools []sync.Pool }

var sizes = []int{1 << 10, 1 << 12, 1 << 14}

var bySize = sized{make([]sync.Pool, len(sizes))}

func (s *sized) get(n int) []byte {
	for i := range sizes {
		if v := s.pools[i].Get(); v != nil {
			return (*v.(*[]byte))[:n]
		}
	}
	return make([]byte, n)
}

func (s *sized) put(b []byte) {
	for i, n := range sizes {
		if cap(b) == n {
			s.pools[i].Put(&b)
			return
		}
	}
}

func badSized(n int) byte {
	b := bySize.get(n)
	b[0]++
	bySize.put(b)
	return b[0] // want "b is used after it was put back"
}

func goodSized(n int) byte {
	b := bySize.get(n)
	b[0]++
	x := b[0]
	bySize.put(b)
	return x
}

// Only those that are marked go back: who calls this knows.
func (s *sized) putMarked(b []byte) {
	for i := range sizes {
		if b[0] == 1 {
			s.pools[i].Put(&b)
			return
		}
	}
}

func goodMarked(n int) byte {
	b := bySize.get(n)
	bySize.putMarked(b)
	return b[0]
}
