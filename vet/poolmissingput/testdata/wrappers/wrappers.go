// Package wrappers gets and puts values through functions and methods of its own.
package wrappers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

var errClosed = errors.New("closed")

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

func badReleasedOnOneWay(w io.Writer, n int) error {
	buf := getBuffer() // want "is not put back"
	buf.WriteString(strconv.Itoa(n))
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	putBuffer(buf)
	return nil
}

func goodReleasedOnAllWays(w io.Writer, n int) error {
	buf := getBuffer()
	defer putBuffer(buf)
	buf.WriteString(strconv.Itoa(n))
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	return nil
}

func badNeverReleased(n int) string {
	buf := getBuffer() // want "is never put back"
	buf.WriteString(strconv.Itoa(n))
	return buf.String()
}

// A release by size is one, though it drops the large ones.
func goodReleasedBySize(n int) string {
	buf := getBuffer()
	defer putSmall(buf)
	buf.WriteString(strconv.Itoa(n))
	return buf.String()
}

func badReleasedBySizeOnOneWay(w io.Writer, n int) error {
	buf := getBuffer() // want "is not put back"
	buf.WriteString(strconv.Itoa(n))
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	putSmall(buf)
	return nil
}

// length only looks.
func length(buf *bytes.Buffer) int { return buf.Len() }

// flush writes and puts.
func flush(w io.Writer, buf *bytes.Buffer) error {
	defer putBuffer(buf)
	_, err := buf.WriteTo(w)
	return err
}

func badBorrower(n int) int {
	buf := getBuffer() // want "is never put back"
	buf.WriteString(strconv.Itoa(n))
	return length(buf)
}

func goodConsumer(w io.Writer, n int) error {
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	return flush(w, buf)
}

func badConsumerOnOneWay(w io.Writer, n int) error {
	buf := getBuffer() // want "is not put back"
	if n < 0 {
		return errClosed
	}
	buf.WriteString(strconv.Itoa(n))
	return flush(w, buf)
}

func goodConsumerOnAllWays(w io.Writer, n int) error {
	if n < 0 {
		return errClosed
	}
	buf := getBuffer()
	buf.WriteString(strconv.Itoa(n))
	return flush(w, buf)
}

// An encoder puts itself.
type encoder struct {
	out  []byte
	deep int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder {
	e := encoders.Get().(*encoder)
	e.out = e.out[:0]
	return e
}

func (e *encoder) release() { encoders.Put(e) }

func (e *encoder) text() string { return string(e.out) }

func (e *encoder) int(n int) *encoder {
	e.out = strconv.AppendInt(e.out, int64(n), 10)
	return e
}

// encode fails where the value is wrong, and leaves the encoder as it is then.
func (e *encoder) encode(v any) error {
	e.deep++
	if e.deep > 100 {
		return errClosed
	}
	e.out = fmt.Append(e.out, v)
	e.deep--
	return nil
}

func badMethodOnOneWay(w io.Writer, n int) error {
	e := newEncoder() // want "is not put back"
	e.int(n)
	if _, err := w.Write(e.out); err != nil {
		return err
	}
	e.release()
	return nil
}

func goodMethodOnAllWays(w io.Writer, n int) error {
	e := newEncoder()
	defer e.release()
	e.int(n)
	if _, err := w.Write(e.out); err != nil {
		return err
	}
	return nil
}

// The encoder is what failed: better to have a new one.
func goodDroppedAfterFailure(v any) (string, error) {
	e := newEncoder()
	if err := e.encode(v); err != nil {
		return "", err
	}
	s := e.text()
	e.release()
	return s, nil
}

// int returns its receiver: releasing that is enough.
func goodChain(n int) string {
	e := newEncoder()
	last := e.int(n).int(n)
	s := last.text()
	last.release()
	return s
}

func badChain(n int) string {
	return newEncoder().int(n).int(n).text() // want "is never put back"
}

// A server with pools and methods for them.
type server struct {
	bufs   sync.Pool
	closed bool
}

func (s *server) acquire() *bytes.Buffer {
	if buf, ok := s.bufs.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

func (s *server) release(buf *bytes.Buffer) { s.bufs.Put(buf) }

func (s *server) badServe(w io.Writer, id int) error {
	buf := s.acquire() // want "is not put back"
	if s.closed {
		return errClosed
	}
	buf.WriteString(strconv.Itoa(id))
	_, err := buf.WriteTo(w)
	s.release(buf)
	return err
}

func (s *server) goodServe(w io.Writer, id int) error {
	buf := s.acquire()
	defer s.release(buf)
	if s.closed {
		return errClosed
	}
	buf.WriteString(strconv.Itoa(id))
	_, err := buf.WriteTo(w)
	return err
}

// open may fail: then there is nothing to put.
func (s *server) open() (*bytes.Buffer, error) {
	if s.closed {
		return nil, errClosed
	}
	return s.acquire(), nil
}

func (s *server) goodOpen(w io.Writer, id int) error {
	buf, err := s.open()
	if err != nil {
		return err
	}
	defer s.release(buf)
	buf.WriteString(strconv.Itoa(id))
	_, err = buf.WriteTo(w)
	return err
}

func (s *server) badOpen(w io.Writer, id int) error {
	buf, err := s.open() // want "is not put back"
	if err != nil {
		return err
	}
	if id < 0 {
		return errClosed
	}
	buf.WriteString(strconv.Itoa(id))
	_, err = buf.WriteTo(w)
	s.release(buf)
	return err
}

// lookup may find none: then there is nothing to put either.
func (s *server) lookup(id int) (*bytes.Buffer, bool) {
	if id == 0 {
		return nil, false
	}
	return s.acquire(), true
}

func (s *server) goodLookup(w io.Writer, id int) {
	buf, ok := s.lookup(id)
	if !ok {
		return
	}
	buf.WriteTo(w)
	s.release(buf)
}

// writer takes a buffer over in its constructor.
type writer struct {
	s   *server
	buf *bytes.Buffer
}

func newWriter(s *server, buf *bytes.Buffer) *writer { return &writer{s, buf} }

// Close puts the buffer.
func (w *writer) Close() error {
	w.s.release(w.buf)
	w.buf = nil
	return nil
}

func (s *server) goodWriter() io.Closer {
	buf := s.acquire()
	return newWriter(s, buf)
}

func (s *server) goodLocalWriter(data []byte) (int, error) {
	w := newWriter(s, s.acquire())
	defer w.Close()
	return w.buf.Write(data)
}

// A release function comes along with what it releases.
func borrow() (*bytes.Buffer, func()) {
	buf := getBuffer()
	return buf, func() { putBuffer(buf) }
}

func goodBorrowed(w io.Writer, n int) {
	buf, release := borrow()
	defer release()
	buf.WriteString(strconv.Itoa(n))
	buf.WriteTo(w)
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

// adopt puts the frame when it has become old.
//
//lessgc:owns f
func adopt(r ring, f *frame) {
	if f.n > 0 {
		r.done(f)
	}
}

func badDirectives(r ring, limit int) int {
	f := take(r) // want "is not put back"
	if f.n > limit {
		return 0
	}
	n := f.n
	give(r, f)
	return n
}

func goodDirectives(r ring, limit int) int {
	f := take(r)
	defer give(r, f)
	if f.n > limit {
		return 0
	}
	return f.n
}

func goodOwns(r ring, limit int) {
	f := take(r)
	f.n = min(f.n, limit)
	adopt(r, f)
}

// show looks at a frame through an interface that nobody can see into.
//
//lessgc:borrows f
func show(v interface{ visit(*frame) }, f *frame) { v.visit(f) }

func badBorrows(r ring, v interface{ visit(*frame) }) {
	f := take(r) // want "is never put back"
	show(v, f)
}

func goodBorrows(r ring, v interface{ visit(*frame) }) {
	f := take(r)
	show(v, f)
	give(r, f)
}

// Without a word about it, a visitor may well keep the frame.
func goodUnknown(r ring, v interface{ visit(*frame) }) {
	f := take(r)
	v.visit(f)
}
