package wrappers

import "sync"

var guarded = sync.Pool{New: func() any { return make([]byte, 64) }}

func putBetween(b []byte) {
	if cap(b) >= 16 && cap(b) <= 65536 {
		guarded.Put(b)
	}
}

func putUnless(b []byte) {
	if cap(b) == 0 || cap(b) > 65536 {
		return
	}
	guarded.Put(b)
}

func badBetween(b []byte) byte {
	putBetween(b)
	return b[0] // want "b is used after it was put back"
}

func goodBetween(b []byte) byte {
	x := b[0]
	putBetween(b)
	return x
}

func badUnless(b []byte) byte {
	putUnless(b)
	return b[0] // want "b is used after it was put back"
}

func goodUnless(b []byte) byte {
	x := b[0]
	putUnless(b)
	return x
}

// A bufferPool may be nil: nothing is pooled then.
type bufferPool struct{ pool [4]sync.Pool }

func (p *bufferPool) put(b []byte) {
	if p == nil {
		return
	}
	p.pool[cap(b)%4].Put(&b)
}

func badOwner(p *bufferPool, b []byte) byte {
	p.put(b)
	return b[0] // want "b is used after it was put back"
}

func goodOwner(p *bufferPool, b []byte) byte {
	x := b[0]
	p.put(b)
	return x
}

type span struct {
	sync.Mutex
	done bool
}

var spans = sync.Pool{New: func() any { return new(span) }}

func (s *span) badFinish(reuse bool) {
	s.Lock()
	defer s.Unlock() // want "s is used after it was put back"
	if reuse {
		spans.Put(s)
	}
}

func (s *span) goodFinish(reuse bool) {
	s.Lock()
	s.done = true
	s.Unlock()
	if reuse {
		spans.Put(s)
	}
}
