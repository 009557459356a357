// Package wrappers gets and puts values through functions and methods of its own.
package wrappers

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

func putBuffer(buf *bytes.Buffer) { buffers.Put(buf) }

// putSmall keeps only what is worth keeping.
func putSmall(buf *bytes.Buffer) {
	if buf.Cap() > 64<<10 {
		return
	}
	buffers.Put(buf)
}

func badDeferredRelease(v any) []byte {
	buf := getBuffer()
	defer putBuffer(buf)
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func goodDeferredRelease(v any) string {
	buf := getBuffer()
	defer putBuffer(buf)
	fmt.Fprint(buf, v)
	return buf.String()
}

// That large buffers are not kept does not make the small ones the caller's.
func badReleaseBySize(v any) []byte {
	buf := getBuffer()
	defer putSmall(buf)
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func goodReleaseBySize(v any) []byte {
	buf := getBuffer()
	defer putSmall(buf)
	fmt.Fprint(buf, v)
	return bytes.Clone(buf.Bytes())
}

// render returns the buffer that it was given.
func render(buf *bytes.Buffer, v any) *bytes.Buffer {
	fmt.Fprintf(buf, "%+v", v)
	return buf
}

func badThroughFunction(v any) []byte {
	buf := getBuffer()
	defer putBuffer(buf)
	return render(buf, v).Bytes() // want "which is put back"
}

func goodThroughFunction(v any) string {
	buf := getBuffer()
	defer putBuffer(buf)
	return render(buf, v).String()
}

// text returns the memory of the buffer that it was given.
func text(buf *bytes.Buffer) []byte { return bytes.TrimRight(buf.Bytes(), "\n") }

// copied returns memory of its own.
func copied(buf *bytes.Buffer) []byte { return append([]byte(nil), text(buf)...) }

func badThroughAccessor(v any) []byte {
	buf := getBuffer()
	defer putBuffer(buf)
	fmt.Fprintln(buf, v)
	return text(buf) // want "which is put back"
}

func goodThroughAccessor(v any) []byte {
	buf := getBuffer()
	defer putBuffer(buf)
	fmt.Fprintln(buf, v)
	return copied(buf)
}

// An encoder puts itself.
type encoder struct {
	out    []byte
	indent int
	err    error
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder {
	e := encoders.Get().(*encoder)
	e.out = e.out[:0]
	return e
}

func (e *encoder) release() { encoders.Put(e) }

// Bytes returns the text, which stays the encoder's.
func (e *encoder) Bytes() []byte { return e.out }

// String returns a copy of the text.
func (e *encoder) String() string { return string(e.out) }

// Err returns the first error.
func (e *encoder) Err() error { return e.err }

// detach returns the text and leaves the encoder without.
func (e *encoder) detach() []byte {
	out := e.out
	e.out = nil
	return out
}

func (e *encoder) int(n int) *encoder {
	e.out = strconv.AppendInt(e.out, int64(n), 10)
	return e
}

func badOwnBytes(n int) []byte {
	e := newEncoder()
	defer e.release()
	e.int(n)
	return e.Bytes() // want "which is put back"
}

func goodOwnString(n int) string {
	e := newEncoder()
	defer e.release()
	e.int(n)
	return e.String()
}

func badChain(n int) []byte {
	e := newEncoder()
	defer e.release()
	return e.int(n).int(n).Bytes() // want "which is put back"
}

func goodChain(n int) []byte {
	e := newEncoder()
	defer e.release()
	return []byte(e.int(n).int(n).String())
}

func badOwnField(n int) []byte {
	e := newEncoder()
	defer e.release()
	return e.int(n).out // want "which is put back"
}

func goodOwnFieldAppended(dst []byte, n int) []byte {
	e := newEncoder()
	defer e.release()
	return append(dst, e.int(n).out...)
}

func goodDetached(n int) []byte {
	e := newEncoder()
	defer e.release()
	e.int(n)
	return e.detach()
}

// A new buffer takes the place of the old one before the encoder goes.
func goodReplaced(n int) []byte {
	e := newEncoder()
	e.int(n)
	out := e.out
	e.out = make([]byte, 0, cap(out))
	e.release()
	return out
}

func badNotReplaced(n int) []byte {
	e := newEncoder()
	e.int(n)
	out := e.out
	e.indent = cap(out)
	e.release()
	return out // want "which is put back"
}

func goodErr(n int) error {
	e := newEncoder()
	defer e.release()
	return e.int(n).Err()
}

// The caller's slice is lent to the encoder, and comes back grown.
func goodLentBuffer(dst []byte, n int) []byte {
	e := newEncoder()
	defer e.release()
	own := e.out
	e.out = dst
	e.int(n)
	dst, e.out = e.out, own
	return dst
}

// A server with pools and methods for them.
type server struct {
	bufs sync.Pool
	last []byte
}

func (s *server) acquire() *bytes.Buffer {
	if buf, ok := s.bufs.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

func (s *server) release(buf *bytes.Buffer) { s.bufs.Put(buf) }

func (s *server) badAnswer(v any) []byte {
	buf := s.acquire()
	defer s.release(buf)
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func (s *server) goodAnswer(w io.Writer, v any) error {
	buf := s.acquire()
	defer s.release(buf)
	fmt.Fprint(buf, v)
	_, err := w.Write(buf.Bytes())
	return err
}

// remember keeps what it was given.
func (s *server) remember(p []byte) { s.last = p }

// note copies what it was given.
func (s *server) note(p []byte) { s.last = append(s.last[:0], p...) }

func (s *server) badRemember(v any) {
	buf := s.acquire()
	defer s.release(buf)
	fmt.Fprint(buf, v)
	s.remember(buf.Bytes()) // want "which is put back"
}

func (s *server) goodRemember(v any) {
	buf := s.acquire()
	defer s.release(buf)
	fmt.Fprint(buf, v)
	s.note(buf.Bytes())
}

// flush writes and puts.
func flush(w io.Writer, buf *bytes.Buffer) {
	buf.WriteTo(w)
	putBuffer(buf)
}

func badConsumer(w io.Writer, v any) []byte {
	buf := getBuffer()
	fmt.Fprint(buf, v)
	b := buf.Bytes()
	flush(w, buf)
	return b // want "which is put back"
}

func goodConsumer(w io.Writer, v any) int {
	buf := getBuffer()
	fmt.Fprint(buf, v)
	n := buf.Len()
	flush(w, buf)
	return n
}

// A message goes back with the last reference; its caller holds one.
type message struct {
	refs atomic.Int32
	data []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) retain() *message {
	m.refs.Add(1)
	return m
}

func (m *message) unref() {
	if m.refs.Add(-1) == 0 {
		messages.Put(m)
	}
}

func goodCounted(data []byte) *message {
	m := messages.Get().(*message)
	m.refs.Store(1)
	defer m.unref()
	m.data = append(m.data[:0], data...)
	return m.retain()
}

func badUncounted(data []byte) *message {
	m := messages.Get().(*message)
	defer messages.Put(m)
	m.data = append(m.data[:0], data...)
	return m // want "which is put back"
}

// Buffers of one pool or the other, by size.
var large = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 1<<20)) }}

func badTwoPools(v any, n int) []byte {
	p := &buffers
	if n > 1<<16 {
		p = &large
	}
	buf := p.Get().(*bytes.Buffer)
	defer p.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func goodTwoPools(v any, n int) string {
	p := &buffers
	if n > 1<<16 {
		p = &large
	}
	buf := p.Get().(*bytes.Buffer)
	defer p.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	return buf.String()
}

// A frame belongs to a ring that a driver fills.
type frame struct {
	n    int
	data [2048]byte
}

type ring interface {
	next() *frame
	done(*frame)
}

// take waits for the next frame.
//
//lessgc:acquire
func take(r ring) *frame { return r.next() }

// give returns a frame to the ring.
//
//lessgc:releases f
func give(r ring, f *frame) { r.done(f) }

func badDirectives(r ring) []byte {
	f := take(r)
	defer give(r, f)
	return f.data[:f.n] // want "which is put back"
}

func goodDirectives(r ring) string {
	f := take(r)
	defer give(r, f)
	return string(f.data[:f.n])
}

// index keeps a slice of p for as long as it runs, in a place that the compiler cannot
// see through.
//
//lessgc:borrows p
func index(s *server, p []byte) int {
	s.last = p
	n := bytes.IndexByte(s.last, '\n')
	s.last = nil
	return n
}

func goodBorrows(s *server, r ring) int {
	f := take(r)
	defer give(r, f)
	return index(s, f.data[:f.n])
}

// A release function goes along with what it releases.
func borrow(v any) ([]byte, func()) {
	buf := getBuffer()
	fmt.Fprint(buf, v)
	return buf.Bytes(), func() { putBuffer(buf) }
}

func badBorrowed(v any) []byte {
	buf := getBuffer()
	release := func() { putBuffer(buf) }
	defer release()
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func goodBorrowed(w io.Writer, v any) error {
	b, release := borrow(v)
	defer release()
	_, err := w.Write(b)
	return err
}

func badOnceFunc(v any) []byte {
	buf := getBuffer()
	release := sync.OnceFunc(func() { putBuffer(buf) })
	defer release()
	fmt.Fprint(buf, v)
	return buf.Bytes() // want "which is put back"
}

func goodOnceFunc(v any) ([]byte, func()) {
	buf := getBuffer()
	release := sync.OnceFunc(func() { putBuffer(buf) })
	fmt.Fprint(buf, v)
	return buf.Bytes(), release
}
