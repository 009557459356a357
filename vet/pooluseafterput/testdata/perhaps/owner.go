package perhaps

import "sync"

// A chunk knows its pool, and has none if it was too large for all of them.
type chunk struct {
	data []byte
	pool *sync.Pool
}

// summary: c: released, used
func (c *chunk) release() {
	if c.pool != nil {
		c.pool.Put(c)
	}
}

func badChunk(c *chunk) byte {
	c.release()
	return c.data[0] // want "c is used after it was put back"
}

func goodChunk(c *chunk) byte {
	x := c.data[0]
	c.release()
	return x
}

// A lease forgets its pool when it goes back.
type lease struct {
	data []byte
	pool *sync.Pool
}

func (l *lease) release() {
	if p := l.pool; p != nil {
		l.pool = nil
		p.Put(l)
	}
}

func goodLease(l *lease) {
	l.release()
	l.release()
}

// A body without memory is not put.
type body struct {
	data []byte
	n    int
}

var bodies sync.Pool

// summary: b: released, used
func (b *body) release() {
	if b == nil || b.data == nil {
		return
	}
	bodies.Put(b)
}

func badBody(b *body) int {
	b.release()
	return b.n // want "b is used after it was put back"
}

func goodBody(b *body) int {
	n := b.n
	b.release()
	return n
}

// A frame without memory was put.
type packet struct {
	data []byte
	n    int
}

func (p *packet) release() {
	if p.data == nil {
		return
	}
	p.data = nil
	bodies.Put(p)
}

func goodPacket(p *packet) {
	p.release()
	p.release()
}

// A classes pool asks whether it has room for such.
type classes struct {
	size int
	pool sync.Pool
}

func (c *classes) fits(b []byte) bool { return cap(b) == c.size }

// summary: c: used; b: released, used
func (c *classes) put(b []byte) {
	if !c.fits(b) {
		return
	}
	c.pool.Put(&b)
}

func (c *classes) badFits(b []byte) byte {
	c.put(b)
	return b[0] // want "b is used after it was put back"
}

func (c *classes) goodFits(b []byte) byte {
	x := b[0]
	c.put(b)
	return x
}

func (c *classes) marked(b []byte) bool { return b[0] == 1 }

func (c *classes) putMarked(b []byte) {
	if !c.marked(b) {
		return
	}
	c.pool.Put(&b)
}

func (c *classes) goodMarked(b []byte) byte {
	c.putMarked(b)
	return b[0]
}
