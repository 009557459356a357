package partly

import (
	"bytes"
	"io"
	"sync"
)

var frames1600 = sync.Pool{New: func() any { return new([1600]byte) }}

// A packet has a pooled array, and a slice of that.
type packet struct {
	head  *[1600]byte
	value []byte
}

func newPacket() *packet {
	head := frames1600.Get().(*[1600]byte)
	return &packet{head, head[:]}
}

// clear returns its receiver.
func (p *packet) clear() *packet {
	p.value = p.head[:0]
	return p
}

// skip moves the start.
func (p *packet) skip(n int) *packet {
	p.value = p.head[n:]
	return p
}

func (p *packet) release() {
	if p == nil || p.head == nil {
		return
	}
	frames1600.Put(p.head)
	p.head, p.value = nil, nil
}

func fill(p *packet, s string) { p.value = append(p.value, s...) }

func badChained(w io.Writer, s string) error {
	p := newPacket().clear() // want "it.head is never put back"
	fill(p, s)
	_, err := w.Write(p.value)
	return err
}

func goodChained(w io.Writer, s string) error {
	p := newPacket().clear()
	fill(p, s)
	_, err := w.Write(p.value)
	p.release()
	return err
}

func goodChainedDeferred(w io.Writer, s string) error {
	p := newPacket().clear().skip(4)
	defer p.release()
	fill(p, s)
	_, err := w.Write(p.value)
	return err
}

func badChainedTwice(w io.Writer, s string) error {
	p := newPacket() // want "p.head is not put back on the path to line 71"
	fill(p.clear().skip(4), s)
	if _, err := w.Write(p.value); err != nil {
		return err
	}
	p.release()
	return nil
}

// goodChainedValue hands the memory to its caller.
func goodChainedValue(s string) []byte {
	p := newPacket().clear()
	fill(p, s)
	return p.value
}

// goodChainedSent hands it to another goroutine.
func goodChainedSent(to chan []byte, s string) {
	p := newPacket().clear()
	fill(p, s)
	to <- p.value
}

// goodChainedReturned goes on.
func goodChainedReturned(s string) *packet {
	p := newPacket().clear()
	fill(p, s)
	return p
}

// A twoNames keeps its buffer in a second field.
type twoNames struct {
	buf *bytes.Buffer
	w   io.Writer
}

func newTwoNames() *twoNames { return &twoNames{buf: buffers.Get().(*bytes.Buffer)} }

func (t *twoNames) open() *twoNames {
	t.w = t.buf
	return t
}

func (t *twoNames) close() {
	putBuffer(t.buf)
	t.buf, t.w = nil, nil
}

func badTwoNames(s string) int {
	t := newTwoNames().open() // want "it.buf is never put back"
	n, _ := io.WriteString(t.buf, s)
	return n
}

func goodTwoNames(s string) int {
	t := newTwoNames().open()
	n, _ := io.WriteString(t.buf, s)
	t.close()
	return n
}
