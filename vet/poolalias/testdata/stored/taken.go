package stored

import "sync"

type call struct{ n int }

type server struct {
	pool  sync.Pool
	calls map[int]*call
	last  *call
}

func (s *server) known(c *call) {
	s.calls[c.n] = c
	defer delete(s.calls, c.n)
	c.n++
}

func (s *server) knownForever(c *call) {
	s.calls[c.n] = c
	c.n++
}

// What is stored is taken out again.
func (s *server) goodHandle() {
	c, _ := s.pool.Get().(*call)
	if c == nil {
		c = new(call)
	}
	s.known(c)
	s.pool.Put(c)
}

func (s *server) badHandle() {
	c, _ := s.pool.Get().(*call)
	if c == nil {
		c = new(call)
	}
	s.knownForever(c) // want "aliases c"
	s.pool.Put(c)
}
