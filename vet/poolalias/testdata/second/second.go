// Package second has buffers that are put back with the encoder that holds them.
package second

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// An encoder is pooled itself, and puts back the buffer that it holds.
type encoder struct {
	buf   *bytes.Buffer
	depth int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func newEncoder() *encoder { return encoders.Get().(*encoder) }

func (e *encoder) free() {
	if e.buf != nil {
		buffers.Put(e.buf)
		e.buf = nil
	}
	encoders.Put(e)
}

func freeAll(e *encoder) {
	buffers.Put(e.buf)
	e.buf = nil
	e.depth = 0
	encoders.Put(e)
}

func (e *encoder) add(s string) { e.buf.WriteString(s) }

func badHeld(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	defer freeAll(e)
	e.add(s)
	return b.Bytes() // want "the value returned aliases b"
}

func goodHeld(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	defer freeAll(e)
	e.add(s)
	return bytes.Clone(b.Bytes())
}

func badHeldLater(s string) []byte {
	e := encoders.Get().(*encoder)
	defer freeAll(e)
	e.buf = buffers.Get().(*bytes.Buffer)
	e.add(s)
	return e.buf.Bytes() // want "which is put back"
}

// goodTakenOut leaves the encoder without the buffer, which the caller puts back.
func goodTakenOut(s string) []byte {
	e := encoders.Get().(*encoder)
	e.buf = buffers.Get().(*bytes.Buffer)
	e.add(s)
	out := e.buf.Bytes()
	e.buf = nil
	e.free()
	return out
}

// goodExchanged puts back another buffer.
func goodExchanged(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	e := newEncoder()
	e.buf = b
	e.add(s)
	e.buf = new(bytes.Buffer)
	freeAll(e)
	return b.Bytes()
}

type parseError struct{ text []byte }

func (e *parseError) Error() string { return string(e.text) }

func badError(s string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(s)
	return &parseError{text: b.Bytes()} // want "the value returned aliases b"
}

func goodError(s string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(s)
	return &parseError{text: bytes.Clone(b.Bytes())}
}

type detailed interface {
	error
	Details() []byte
}

func (e *parseError) Details() []byte { return e.text }

func newDetailed(text []byte) detailed { return &parseError{text} }

func badMadeError(s string) (int, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(s)
	if b.Len() > 8 {
		return 0, newDetailed(b.Bytes()) // want "the value returned aliases b"
	}
	return b.Len(), nil
}

// newText copies.
func newText(text []byte) detailed { return &parseError{bytes.Clone(text)} }

func goodMadeError(s string) (int, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(s)
	if b.Len() > 8 {
		return 0, newText(b.Bytes())
	}
	return b.Len(), nil
}

// A session has a buffer until a deferred function puts it back.
type session struct{ buf *bytes.Buffer }

func newSession() *session { return &session{buf: buffers.Get().(*bytes.Buffer)} }

func (s *session) end() {
	defer func() { buffers.Put(s.buf) }()
	s.buf.WriteString("end")
}

func (s *session) later() func() { return func() { buffers.Put(s.buf) } }

func badSession() []byte {
	s := newSession()
	out := s.buf.Bytes()
	s.end()
	return out // want "which is put back"
}

func goodSession() []byte {
	s := newSession()
	out := bytes.Clone(s.buf.Bytes())
	s.end()
	return out
}

// goodLater leaves it to the caller when the session ends.
func goodLater() ([]byte, func()) {
	s := newSession()
	return s.buf.Bytes(), s.later()
}

// endReplacing releases the buffer that it has put in place of the first.
func (s *session) endReplacing(b *bytes.Buffer) {
	defer func() { buffers.Put(s.buf) }()
	s.buf = b
}

func goodReplaced() []byte {
	s := newSession()
	out := s.buf.Bytes()
	s.endReplacing(buffers.Get().(*bytes.Buffer))
	return out
}

// badCaptured has the session itself in a variable that a closure has captured.
func badCaptured() []byte {
	var s session
	s.buf = buffers.Get().(*bytes.Buffer)
	end := func() { buffers.Put(s.buf) }
	out := s.buf.Bytes()
	end()
	return out // want "aliases s.buf"
}

func goodCaptured() []byte {
	var s session
	s.buf = buffers.Get().(*bytes.Buffer)
	swap := func() { s.buf = new(bytes.Buffer) }
	end := func() { buffers.Put(s.buf) }
	out := s.buf.Bytes()
	swap()
	end()
	return out
}

// goodOther has two sessions in one variable.
func goodOther(other *session) []byte {
	s := newSession()
	end := func() { buffers.Put(s.buf) }
	out := s.buf.Bytes()
	s = other
	end()
	return out
}
