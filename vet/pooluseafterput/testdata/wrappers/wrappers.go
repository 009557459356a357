// Package wrappers gets and puts values through functions and methods of its own.
package wrappers

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
)

const maxKept = 64 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// summary: result 0: item of buffers
func getBuffer() *bytes.Buffer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

// summary: buf: released
func putBuffer(buf *bytes.Buffer) { buffers.Put(buf) }

// putSmall keeps only what is worth keeping.
// summary: buf: released, used
func putSmall(buf *bytes.Buffer) {
	if buf.Cap() > maxKept {
		return
	}
	buf.Reset()
	buffers.Put(buf)
}

func badAfterRelease(w io.Writer, n int) error {
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	putBuffer(buf)
	_, err := buf.WriteTo(w) // want "is used after it was put back"
	return err
}

func goodBeforeRelease(w io.Writer, n int) error {
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	_, err := buf.WriteTo(w)
	putBuffer(buf)
	return err
}

func badAliasAfterRelease(w io.Writer, n int) error {
	buf := getBuffer()
	out := strconv.AppendInt(buf.AvailableBuffer(), int64(n), 10)
	putBuffer(buf)
	_, err := w.Write(out) // want "is used after it was put back"
	return err
}

func goodCopyAfterRelease(w io.Writer, n int) error {
	buf := getBuffer()
	out := string(strconv.AppendInt(buf.AvailableBuffer(), int64(n), 10))
	putBuffer(buf)
	_, err := io.WriteString(w, out)
	return err
}

// That large buffers are dropped does not make small ones usable.
func badAfterReleaseBySize(w io.Writer, n int) error {
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	putSmall(buf)
	_, err := buf.WriteTo(w) // want "is used after it was put back"
	return err
}

func goodBeforeReleaseBySize(w io.Writer, n int) error {
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	_, err := buf.WriteTo(w)
	putSmall(buf)
	return err
}

// An encoder puts itself.
type encoder struct {
	out  []byte
	keys []string
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder {
	e := encoders.Get().(*encoder)
	e.out = e.out[:0]
	return e
}

func (e *encoder) release() {
	e.keys = e.keys[:0]
	encoders.Put(e)
}

// Bytes returns the text so far, which stays the encoder's.
func (e *encoder) Bytes() []byte { return e.out }

// Text returns a copy of the text so far.
func (e *encoder) Text() string { return string(e.out) }

// detach returns the text so far and leaves the encoder without.
func (e *encoder) detach() []byte {
	out := e.out
	e.out = nil
	return out
}

func (e *encoder) add(key string) *encoder {
	e.keys = append(e.keys, key)
	e.out = strconv.AppendQuote(e.out, key)
	return e
}

func badAfterMethodReleases(key string) int {
	e := newEncoder()
	e.add(key)
	e.release()
	return len(e.keys) // want "is used after it was put back"
}

func goodBeforeMethodReleases(key string) int {
	e := newEncoder()
	e.add(key)
	n := len(e.keys)
	e.release()
	return n
}

func badOwnBytesAfterRelease(w io.Writer, key string) {
	e := newEncoder()
	text := e.add(key).Bytes()
	e.release()
	w.Write(text) // want "is used after it was put back"
}

func goodOwnTextAfterRelease(w io.Writer, key string) {
	e := newEncoder()
	text := e.add(key).Text()
	e.release()
	io.WriteString(w, text)
}

func goodDetachedAfterRelease(w io.Writer, key string) {
	e := newEncoder()
	text := e.add(key).detach()
	e.release()
	w.Write(text)
}

// add returns its receiver: both names are one encoder.
func badThroughChain(key string) string {
	e := newEncoder()
	chained := e.add(key)
	e.release()
	return chained.Text() // want "is used after it was put back"
}

func goodThroughChain(key string) string {
	e := newEncoder()
	chained := e.add(key)
	text := chained.Text()
	e.release()
	return text
}

func (e *encoder) badReleaseOfReceiver() {
	encoders.Put(e)
	e.keys = e.keys[:0] // want "is used after it was put back"
}

func (e *encoder) goodReleaseOfReceiver() {
	e.keys = e.keys[:0]
	encoders.Put(e)
}

// A server with pools and methods for them.
type server struct {
	bufs   sync.Pool
	served atomic.Int64
}

func (s *server) acquire() *bytes.Buffer {
	if buf, ok := s.bufs.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

func (s *server) release(buf *bytes.Buffer) { s.bufs.Put(buf) }

func (s *server) badServe(w io.Writer, id int) {
	buf := s.acquire()
	buf.WriteString(strconv.Itoa(id))
	w.Write(buf.Bytes())
	s.release(buf)
	s.served.Add(int64(buf.Len())) // want "is used after it was put back"
}

func (s *server) goodServe(w io.Writer, id int) {
	buf := s.acquire()
	buf.WriteString(strconv.Itoa(id))
	w.Write(buf.Bytes())
	s.served.Add(int64(buf.Len()))
	s.release(buf)
}

// flush writes and puts: its caller has nothing left.
func flush(w io.Writer, buf *bytes.Buffer) error {
	defer putBuffer(buf)
	_, err := buf.WriteTo(w)
	return err
}

func badAfterConsumer(w io.Writer, name string) error {
	buf := getBuffer()
	buf.WriteString(name)
	if err := flush(w, buf); err != nil {
		return errors.New("cannot write " + buf.String()) // want "is used after it was put back"
	}
	return nil
}

func goodAfterConsumer(w io.Writer, name string) error {
	buf := getBuffer()
	buf.WriteString(name)
	if err := flush(w, buf); err != nil {
		return errors.New("cannot write " + name)
	}
	return nil
}

// peek only looks: it is called as often as one likes.
func peek(buf *bytes.Buffer) int { return buf.Len() + buf.Cap() }

func goodAfterBorrower(w io.Writer, name string) int {
	buf := getBuffer()
	buf.WriteString(name)
	n := peek(buf)
	n += peek(buf)
	putBuffer(buf)
	return n
}

func badBorrowerAfterRelease(name string) int {
	buf := getBuffer()
	buf.WriteString(name)
	n := peek(buf)
	putBuffer(buf)
	n += peek(buf) // want "is used after it was put back"
	return n
}

// A large page is freed by the function that makes a larger one of it.
type page struct{ b []byte }

var pages = sync.Pool{New: func() any { return &page{make([]byte, 4096)} }}

func grow(p *page, n int) *page {
	larger := pages.Get().(*page)
	if cap(larger.b) < n {
		larger.b = make([]byte, n)
	}
	copy(larger.b[:n], p.b)
	pages.Put(p)
	return larger
}

func badAfterGrow(r io.Reader) (byte, error) {
	p := pages.Get().(*page)
	larger := grow(p, 2*len(p.b))
	_, err := r.Read(larger.b)
	p.b[0] = larger.b[0] // want "is used after it was put back"
	first := larger.b[0]
	pages.Put(larger)
	return first, err
}

func goodAfterGrow(r io.Reader) (byte, error) {
	p := pages.Get().(*page)
	p = grow(p, 2*len(p.b))
	_, err := r.Read(p.b)
	p.b[0]++
	first := p.b[0]
	pages.Put(p)
	return first, err
}

// A release function goes along with what it releases.
func borrow() (*bytes.Buffer, func()) {
	buf := getBuffer()
	return buf, func() { putBuffer(buf) }
}

func goodReleaseFunction(w io.Writer, name string) {
	buf, release := borrow()
	defer release()
	buf.WriteString(name)
	buf.WriteTo(w)
}
