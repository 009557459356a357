package meant

import "sync"

// A shelf has a pool for each size of pages. None of them makes any.
type shelf struct {
	classes [8]sync.Pool
	loose   sync.Pool
}

func (s *shelf) put(class int, b *[]byte) { s.classes[class].Put(b) }

// What is dropped is counted, for each size until there is none.
func (s *shelf) goodDrainClasses() (pages, size int) {
	for i := range s.classes {
		for {
			b, ok := s.classes[i].Get().(*[]byte)
			if !ok {
				break
			}
			pages++
			size += cap(*b)
			*b = nil
		}
	}
	return pages, size
}

// The next size has its turn when there is none.
func (s *shelf) goodDrainNext() (size int) {
sizes:
	for i := range s.classes {
		for {
			v := s.classes[i].Get()
			if v == nil {
				continue sizes
			}
			if b, ok := v.(*[]byte); ok {
				clear((*b)[:cap(*b)])
				size += len(*b)
			}
		}
	}
	return size
}

// The pool is asked before each iteration.
func (s *shelf) goodDrainBefore() (size int) {
	for b, ok := s.loose.Get().(*[]byte); ok; b, ok = s.loose.Get().(*[]byte) {
		size += cap(*b)
	}
	return size
}

func (s *shelf) goodDrainCondition() (pages int) {
	for i := range s.classes {
		for s.classes[i].Get() != nil {
			pages++
		}
	}
	return pages
}

// Pages are left when there is work for no more.
func (s *shelf) badFill(lines [][]string) (size int) {
	for i, names := range lines {
		for _, name := range names {
			b, ok := s.classes[i].Get().(*[]byte) // want "b is never put back"
			if !ok {
				break
			}
			size += copy(*b, name)
		}
	}
	return size
}

// One page of each size is taken, and the sizes end the loop.
func (s *shelf) badFirst() (size int) {
	for i := range s.classes {
		b, ok := s.classes[i].Get().(*[]byte) // want "b is never put back"
		if !ok {
			break
		}
		size += copy(*b, "first")
	}
	return size
}

// It is not the pool that ends the loop.
func (s *shelf) badUntil(next func() (string, bool)) (size int) {
	for i := range s.classes {
		for {
			name, ok := next()
			if !ok {
				break
			}
			b, ok := s.classes[i].Get().(*[]byte) // want "b is never put back"
			if ok {
				size += copy(*b, name)
			}
		}
	}
	return size
}
