// Package presets uses pools of well-known packages, which functions make.
package presets

import (
	"bytes"
	"io"

	"github.com/oxtoacart/bpool"
)

var (
	heads  = bpool.NewBufferPool(64)
	bodies = bpool.NewBufferPool(64)
	pages  = bpool.NewSizedBufferPool(64, 4096)
	lines  = bpool.NewSizedBufferPool(64, 256)
	same   = heads
)

func badBuffer(w io.Writer, text string) error {
	b := heads.Get()
	defer bodies.Put(b) // want `a value from heads is put into bodies`
	b.WriteString(text)
	_, err := b.WriteTo(w)
	return err
}

func goodBuffer(w io.Writer, text string) error {
	b := bodies.Get()
	defer bodies.Put(b)
	b.WriteString(text)
	_, err := b.WriteTo(w)
	return err
}

// Both are one pool.
func goodSame(w io.Writer, text string) error {
	b := heads.Get()
	defer same.Put(b)
	b.WriteString(text)
	_, err := b.WriteTo(w)
	return err
}

// A buffer of one's own may go into any pool.
func goodOwnBuffer(text string) {
	bodies.Put(bytes.NewBufferString(text))
}

func badSizedBuffer(w io.Writer, text string) {
	b := lines.Get()
	b.WriteString(text)
	b.WriteTo(w)
	pages.Put(b) // want `a value from lines is put into pages`
}

func goodSizedBuffer(w io.Writer, text string) {
	b := lines.Get()
	b.WriteString(text)
	b.WriteTo(w)
	lines.Put(b)
}

type server struct{ small, large *bpool.BytePool }

func newServer(n int) *server {
	return &server{small: bpool.NewBytePool(n, 256), large: bpool.NewBytePool(n, 1<<16)}
}

func (s *server) badBlock(r io.Reader) (int, error) {
	b := s.small.Get()
	defer s.large.Put(b) // want `a value from s.small is put into s.large`
	return r.Read(b)
}

func (s *server) goodBlock(r io.Reader) (int, error) {
	b := s.small.Get()
	defer s.small.Put(b)
	return r.Read(b)
}

// This one has one pool for both.
type peer struct{ in, out *bpool.BytePool }

func newPeer(n int) *peer {
	both := bpool.NewBytePool(n, 256)
	return &peer{in: both, out: both}
}

func (p *peer) goodBoth(r io.Reader) (int, error) {
	b := p.in.Get()
	defer p.out.Put(b)
	return r.Read(b)
}

// The pools come from outside, where they may be one.
type client struct{ in, out *bpool.BytePool }

func newClient(in, out *bpool.BytePool) *client { return &client{in, out} }

func (c *client) goodUnknown(r io.Reader) (int, error) {
	b := c.in.Get()
	defer c.out.Put(b)
	return r.Read(b)
}
