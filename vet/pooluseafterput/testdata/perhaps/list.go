package perhaps

// A frame comes from a channel that takes the place of a pool.
type frame struct {
	id   int
	last bool
	body []byte
}

type frames chan *frame

func (l frames) get() *frame {
	select {
	case f := <-l:
		return f
	default:
		return &frame{body: make([]byte, 0, 1024)}
	}
}

// summary: f: released or dropped
func (l frames) put(f *frame) {
	select {
	case l <- f:
	default: // there are enough
	}
}

func badFrame(l frames) bool {
	f := l.get()
	f.id++
	l.put(f)
	return f.last // want "f is used after it was put back"
}

func goodFrame(l frames) bool {
	f := l.get()
	f.id++
	last := f.last
	l.put(f)
	return last
}

type cache struct{ free chan []byte }

func (c *cache) take() (b []byte) {
	select {
	case b = <-c.free:
	default:
		b = make([]byte, 4096)
	}
	return b
}

func (c *cache) badTake() byte {
	b := c.take()
	select {
	case c.free <- b:
	default:
	}
	return b[0] // want "b is used after it was put back"
}

func (c *cache) goodTake() byte {
	b := c.take()
	select {
	case c.free <- b:
		return 0
	default:
		return b[0]
	}
}

func (c *cache) badBlocking() byte {
	b := c.take()
	c.free <- b
	return b[0] // want "b is used after it was put back"
}

func (c *cache) goodBlocking() byte {
	b := c.take()
	x := b[0]
	c.free <- b
	return x
}

// A queue has its own readers, who only read.
type queue struct{ jobs chan *frame }

func (q *queue) next() *frame {
	select {
	case f := <-q.jobs:
		return f
	default:
		return nil
	}
}

func (q *queue) goodQueue(f *frame) int {
	select {
	case q.jobs <- f:
	default:
	}
	return f.id
}

// A setting is sent to who needs the newest, which a default replaces.
type settings struct{ newest chan *frame }

func (s *settings) get() *frame {
	select {
	case f := <-s.newest:
		return f
	default:
		return &frame{id: 1}
	}
}

func (s *settings) goodSet(f *frame) int {
	s.newest <- f
	return f.id
}
