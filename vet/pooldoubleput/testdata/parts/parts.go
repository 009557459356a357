// Package parts puts back what is in the fields of structs.
package parts

import (
	"bytes"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type reader struct {
	inner  *bytes.Buffer
	closed bool
	users  atomic.Int32
}

func newReader() *reader { return &reader{inner: buffers.Get().(*bytes.Buffer)} }

func (r *reader) Close() { buffers.Put(r.inner) }

// Clear can be called again.
func (r *reader) Clear() {
	if r.inner != nil {
		buffers.Put(r.inner)
		r.inner = nil
	}
}

// Stop can be called again.
func (r *reader) Stop() {
	if !r.closed {
		r.closed = true
		buffers.Put(r.inner)
	}
}

// Leave is called by each user.
func (r *reader) Leave() {
	if r.users.Add(-1) == 0 {
		buffers.Put(r.inner)
	}
}

// Renew puts one back, and gets another.
func (r *reader) Renew() {
	buffers.Put(r.inner)
	r.inner = buffers.Get().(*bytes.Buffer)
}

func badTwice(r *reader) {
	r.Close()
	r.Close() // want "r.inner is put back twice"
}

func goodOnce(r *reader) {
	r.Close()
}

func badDeferred() {
	r := newReader()
	defer r.Close() // want "r.inner is put back twice when the function ends"
	r.inner.WriteString("x")
	r.Close()
}

func badError(r *reader, f func() error) error {
	defer r.Close() // want "r.inner is put back twice when the function ends"
	if err := f(); err != nil {
		r.Close()
		return err
	}
	return nil
}

func goodError(r *reader, f func() error) error {
	defer r.Clear()
	if err := f(); err != nil {
		r.Clear()
		return err
	}
	return nil
}

func badMade() {
	r := &reader{inner: buffers.Get().(*bytes.Buffer)}
	r.Close()
	r.Close() // want "r.inner is put back twice"
}

func goodMade() {
	r := &reader{inner: buffers.Get().(*bytes.Buffer)}
	r.Close()
	r = &reader{inner: buffers.Get().(*bytes.Buffer)}
	r.Close()
}

func goodCleared(r *reader) {
	r.Clear()
	r.Clear()
}

func goodStopped(r *reader) {
	r.Stop()
	r.Stop()
}

func goodLeft(r *reader) {
	r.Leave()
	r.Leave()
}

func goodRenewed(r *reader) {
	r.Renew()
	r.Renew()
}

func goodSet(r *reader, b *bytes.Buffer) {
	r.Close()
	r.inner = b
	r.Close()
}

// done ends it by way of another method.
func (r *reader) done() { r.Close() }

func badByWay(r *reader) {
	r.done()
	buffers.Put(r.inner) // want "r.inner is put back twice"
}

func goodByWay(r, other *reader) {
	r.done()
	buffers.Put(other.inner)
}
