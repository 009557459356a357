package moved

import (
	"io"
	"sync"
	"sync/atomic"
)

type dirState struct{ buf *[]byte }

type directory struct {
	state atomic.Pointer[dirState]
	r     io.Reader
}

var dirBuffers = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

// The buffer stays in the state for the next call.
func (d *directory) goodRead() (int, error) {
	s := d.state.Load()
	for s == nil {
		fresh := new(dirState)
		if d.state.CompareAndSwap(nil, fresh) {
			s = fresh
			break
		}
		s = d.state.Load()
	}
	if s.buf == nil {
		s.buf = dirBuffers.Get().(*[]byte)
	}
	n, err := d.r.Read(*s.buf)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		dirBuffers.Put(s.buf)
		s.buf = nil
	}
	return n, nil
}

func (d *directory) badRead() (int, error) {
	buf := dirBuffers.Get().(*[]byte) // want "buf is not put back on the path to line"
	n, err := d.r.Read(*buf)
	if err != nil {
		return 0, err
	}
	dirBuffers.Put(buf)
	return n, nil
}
