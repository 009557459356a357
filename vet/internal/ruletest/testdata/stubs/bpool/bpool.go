// Package bpool has the part of github.com/oxtoacart/bpool that the cases use.
package bpool

import "bytes"

// A BufferPool keeps buffers.
type BufferPool struct{ c chan *bytes.Buffer }

// NewBufferPool returns a pool of at most size buffers.
func NewBufferPool(size int) *BufferPool {
	return &BufferPool{c: make(chan *bytes.Buffer, size)}
}

// Get returns an empty buffer.
func (bp *BufferPool) Get() (b *bytes.Buffer) {
	select {
	case b = <-bp.c:
	default:
		b = bytes.NewBuffer([]byte{})
	}
	return
}

// Put empties b and gives it back.
func (bp *BufferPool) Put(b *bytes.Buffer) {
	b.Reset()
	select {
	case bp.c <- b:
	default:
	}
}

// A SizedBufferPool keeps buffers of one capacity.
type SizedBufferPool struct {
	c chan *bytes.Buffer
	a int
}

// NewSizedBufferPool returns a pool of at most size buffers of alloc bytes.
func NewSizedBufferPool(size, alloc int) *SizedBufferPool {
	return &SizedBufferPool{c: make(chan *bytes.Buffer, size), a: alloc}
}

// Get returns an empty buffer.
func (bp *SizedBufferPool) Get() (b *bytes.Buffer) {
	select {
	case b = <-bp.c:
	default:
		b = bytes.NewBuffer(make([]byte, 0, bp.a))
	}
	return
}

// Put empties b and gives it back, or another in its place if it has grown.
func (bp *SizedBufferPool) Put(b *bytes.Buffer) {
	b.Reset()
	if cap(b.Bytes()) > bp.a {
		b = bytes.NewBuffer(make([]byte, 0, bp.a))
	}
	select {
	case bp.c <- b:
	default:
	}
}

// A BytePool keeps slices of one length.
type BytePool struct {
	c chan []byte
	w int
}

// NewBytePool returns a pool of at most maxSize slices of width bytes.
func NewBytePool(maxSize, width int) *BytePool {
	return &BytePool{c: make(chan []byte, maxSize), w: width}
}

// Get returns a slice.
func (bp *BytePool) Get() (b []byte) {
	select {
	case b = <-bp.c:
	default:
		b = make([]byte, bp.w)
	}
	return
}

// Put gives b back.
func (bp *BytePool) Put(b []byte) {
	if cap(b) < bp.w {
		return
	}
	select {
	case bp.c <- b[:bp.w]:
	default:
	}
}
