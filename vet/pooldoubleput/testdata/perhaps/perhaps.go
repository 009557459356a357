// Package perhaps puts values by functions that put or drop them.
package perhaps

import (
	"bytes"

	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A bounded pool has room for some.
type bounded struct {
	room   chan struct{}
	closed bool
	pool   sync.Pool
}

func (p *bounded) put(b *bytes.Buffer) {
	select {
	case p.room <- struct{}{}:
		p.pool.Put(b)
	default:
	}
}

func (p *bounded) badTwice(w io.Writer, b *bytes.Buffer) error {
	_, err := b.WriteTo(w)
	if err != nil {
		p.put(b)
	}
	p.put(b) // want "b is put back twice"
	return err
}

func (p *bounded) goodOnce(w io.Writer, b *bytes.Buffer) error {
	_, err := b.WriteTo(w)
	if err != nil {
		p.put(b)
		return err
	}
	p.put(b)
	return nil
}

func (p *bounded) badDeferred(w io.Writer, b *bytes.Buffer) error {
	defer p.put(b) // want "b is put back twice"
	if _, err := b.WriteTo(w); err != nil {
		p.put(b)
		return err
	}
	return nil
}

func (p *bounded) goodDeferred(w io.Writer, b *bytes.Buffer) error {
	defer p.put(b)
	_, err := b.WriteTo(w)
	return err
}

// What is full is not put, so that another may be.
func (p *bounded) goodElsewhere(b *bytes.Buffer) {
	if len(p.room) == cap(p.room) {
		buffers.Put(b)
		return
	}
	p.put(b)
}
