// Package cut has slices that are put back shorter than they came.
package cut

import (
	"io"
	"net"
	"sync"
)

type packet struct {
	from *net.UDPAddr
	data []byte
	size int
}

// A packet brings the slice to where it is put, cut to what was read.
type badProxy struct {
	in      chan packet
	buffers sync.Pool
}

func newBadProxy(size int) *badProxy {
	return &badProxy{in: make(chan packet), buffers: sync.Pool{New: func() any { return make([]byte, size) }}}
}

func (p *badProxy) read(conn *net.UDPConn) {
	for {
		b := p.buffers.Get().([]byte)
		n, from, err := conn.ReadFromUDP(b[0:])
		if err != nil {
			p.buffers.Put(b)
			return
		}
		p.in <- packet{from: from, data: b[:n]}
	}
}

func (p *badProxy) forward(conn *net.UDPConn) {
	for x := range p.in {
		conn.WriteTo(x.data, x.from)
		p.buffers.Put(x.data) // want `the \[\]byte is put into p.buffers cut to what was read`
	}
}

// The packet has the whole slice.
type goodProxy struct {
	in      chan packet
	buffers sync.Pool
}

func newGoodProxy(size int) *goodProxy {
	return &goodProxy{in: make(chan packet), buffers: sync.Pool{New: func() any { return make([]byte, size) }}}
}

func (p *goodProxy) read(conn *net.UDPConn) {
	for {
		b := p.buffers.Get().([]byte)
		n, from, err := conn.ReadFromUDP(b[0:])
		if err != nil {
			p.buffers.Put(b)
			return
		}
		p.in <- packet{from, b, n}
	}
}

func (p *goodProxy) forward(conn *net.UDPConn) {
	for x := range p.in {
		conn.WriteTo(x.data[:x.size], x.from)
		p.buffers.Put(x.data)
	}
}

// In one function.
var badChunks = sync.Pool{New: func() any { return make([]byte, 4096) }}

func badCopy(w io.Writer, r io.Reader) error {
	b := badChunks.Get().([]byte)
	n, err := r.Read(b)
	if err != nil {
		badChunks.Put(b)
		return err
	}
	b = b[:n]
	_, err = w.Write(b)
	badChunks.Put(b) // want `the \[\]byte is put into badChunks cut to what was read`
	return err
}

// By helpers, and through a field of a struct that has a method for it.
type badFrame struct{ body []byte }

var badFrames = sync.Pool{New: func() any { return make([]byte, 4096) }}

func getBadFrame() []byte { return badFrames.Get().([]byte) }

func putBadFrame(b []byte) { badFrames.Put(b) }

func readBadFrame(r io.Reader) (*badFrame, error) {
	b := getBadFrame()
	n, err := r.Read(b)
	if err != nil {
		putBadFrame(b)
		return nil, err
	}
	return &badFrame{body: b[:n]}, nil
}

func (f *badFrame) release() {
	putBadFrame(f.body) // want `the \[\]byte is put into badFrames cut to what was read`
	f.body = nil
}

// The next user makes it longer again.
var goodLong = sync.Pool{New: func() any { return make([]byte, 4096) }}

func goodLonger(w io.Writer, r io.Reader) error {
	b := goodLong.Get().([]byte)
	b = b[:cap(b)]
	n, err := r.Read(b)
	if err == nil {
		_, err = w.Write(b[:n])
	}
	goodLong.Put(b[:n])
	return err
}

// So does the function that gets it.
var goodGrown = sync.Pool{New: func() any { return make([]byte, 4096) }}

func getGrown() []byte {
	b := goodGrown.Get().([]byte)
	return b[:cap(b)]
}

func goodGrow(w io.Writer, r io.Reader) error {
	b := getGrown()
	n, err := r.Read(b)
	b = b[:n]
	if err == nil {
		_, err = w.Write(b)
	}
	goodGrown.Put(b)
	return err
}

// The way back makes it longer.
var goodBack = sync.Pool{New: func() any { return make([]byte, 4096) }}

func goodRestored(w io.Writer, r io.Reader) error {
	b := goodBack.Get().([]byte)
	n, err := r.Read(b)
	b = b[:n]
	if err == nil {
		_, err = w.Write(b)
	}
	goodBack.Put(b[:cap(b)])
	return err
}

// It is only appended to.
var goodAppended = sync.Pool{New: func() any { return make([]byte, 0, 4096) }}

func goodAppend(w io.Writer, s string) error {
	b := goodAppended.Get().([]byte)
	b = append(b[:0], s...)
	_, err := w.Write(b)
	goodAppended.Put(b[:0])
	return err
}

// It is long enough, or a new one is made.
var goodSizes = sync.Pool{New: func() any { return make([]byte, 4096) }}

func goodSized(w io.Writer, r io.Reader, size int) error {
	b := goodSizes.Get().([]byte)
	if len(b) < size {
		b = make([]byte, size)
	}
	n, err := r.Read(b)
	b = b[:n]
	if err == nil {
		_, err = w.Write(b)
	}
	goodSizes.Put(b)
	return err
}

// What is read is as long as the slice.
var goodFull = sync.Pool{New: func() any { return make([]byte, 4096) }}

func goodFilled(w io.Writer, r io.Reader) error {
	b := goodFull.Get().([]byte)
	n, err := io.ReadFull(r, b)
	if err != nil {
		goodFull.Put(b)
		return err
	}
	b = b[:n]
	_, err = w.Write(b)
	goodFull.Put(b)
	return err
}
