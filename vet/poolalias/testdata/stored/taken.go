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

type results struct {
	sent chan *call
	list map[int]*call
	pool sync.Pool
}

func (r *results) send(c *call) {
	defer close(r.sent)
	r.sent <- c
}

// A closed channel still has what was sent.
func (r *results) badSend() {
	c := r.pool.Get().(*call)
	r.send(c) // want "aliases c"
	r.pool.Put(c)
}

func (r *results) sendTo(all chan<- *call, c *call) {
	defer close(all)
	all <- c
}

func (r *results) badSendTo() {
	c := r.pool.Get().(*call)
	r.sendTo(r.sent, c) // want "aliases c"
	r.pool.Put(c)
}

func (r *results) during(c *call) {
	r.list[c.n] = c
	defer clear(r.list)
	c.n++
}

func (r *results) goodDuring() {
	c := r.pool.Get().(*call)
	r.during(c)
	r.pool.Put(c)
}
