package wrappers

import (
	"bytes"
	"io"
	"net"
	"sync"
)

// ask closes its connection in any case, and returns a block.
func ask(addr string, q []byte) (*[]byte, error) {
	c, err := net.Dial("udp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if _, err := c.Write(q); err != nil {
		return nil, err
	}
	b := smallBlocks.Get().(*[]byte)
	n, err := c.Read(*b)
	if err != nil {
		smallBlocks.Put(b)
		return nil, err
	}
	*b = (*b)[:n]
	return b, nil
}

func badAsk(addr string, q []byte, parse func([]byte) error) error {
	b, err := ask(addr, q) // want "b is not put back on the path to line 36"
	if err != nil {
		return err
	}
	if len(q) == 0 {
		return errNoKind
	}
	smallBlocks.Put(b)
	return nil
}

func goodAsk(addr string, q []byte, parse func([]byte) error) error {
	b, err := ask(addr, q)
	if err != nil {
		return err
	}
	defer smallBlocks.Put(b)
	return parse(*b)
}

type guarded struct {
	mu    sync.Mutex
	taken int
	last  *bytes.Buffer
}

// take counts what it hands out.
func (g *guarded) take(r io.Reader) (b *bytes.Buffer, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.taken > 100 {
		return nil, errNoKind
	}
	b = texts.Get().(*bytes.Buffer)
	if _, err := b.ReadFrom(r); err != nil {
		texts.Put(b)
		return nil, err
	}
	g.taken++
	return b, nil
}

func badTake(g *guarded, r io.Reader, w io.Writer) error {
	b, err := g.take(r) // want "b is not put back on the path to line 79"
	if err != nil {
		return err
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return err
	}
	texts.Put(b)
	return nil
}

func goodTake(g *guarded, r io.Reader, w io.Writer) error {
	b, err := g.take(r)
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	texts.Put(b)
	return err
}

// peek hands out what the guarded keeps.
func (g *guarded) peek(r io.Reader) *bytes.Buffer {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last != nil {
		return g.last
	}
	b := texts.Get().(*bytes.Buffer)
	g.last = b
	return b
}

func goodPeek(g *guarded, r io.Reader, w io.Writer) {
	b := g.peek(r)
	w.Write(b.Bytes())
}

// recovered returns what there is after a panic, too.
func recovered(parse func(*bytes.Buffer)) (b *bytes.Buffer) {
	defer func() { recover() }()
	b = texts.Get().(*bytes.Buffer)
	parse(b)
	return b
}

func goodRecovered(parse func(*bytes.Buffer), w io.Writer) {
	b := recovered(parse)
	w.Write(b.Bytes())
	texts.Put(b)
}
