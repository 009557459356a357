package std

import (
	"bytes"
	"io"
	"sync"
)

// A short response stays in the buffer of a writer that collects its beginning.
type badLate struct {
	out io.Writer
	buf *bytes.Buffer
	big bool
}

func (w *badLate) Write(data []byte) (int, error) {
	if w.big {
		return w.out.Write(data)
	}
	w.buf.Write(data)
	if w.buf.Len() >= 100 {
		w.big = true
		if _, err := io.Copy(w.out, w.buf); err != nil {
			return 0, err
		}
	}
	return len(data), nil
}

func (w *badLate) Close() {
	if w.buf.Len() > 0 {
		w.out.Write(w.buf.Bytes())
	}
}

var badLates = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func serveBadLate(out io.Writer, serve func(io.Writer)) {
	b := badLates.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of badLates is reset neither`
	defer badLates.Put(b)
	w := &badLate{out: out, buf: b}
	defer w.Close()
	serve(w)
}

func serveGoodLate(out io.Writer, serve func(io.Writer)) {
	b := badLates.Get().(*bytes.Buffer)
	b.Reset()
	defer badLates.Put(b)
	w := &badLate{out: out, buf: b}
	defer w.Close()
	serve(w)
}

// It is emptied when the writer has it already.
func serveGoodLater(out io.Writer, serve func(io.Writer)) {
	b := badLates.Get().(*bytes.Buffer)
	defer badLates.Put(b)
	w := &badLate{out: out, buf: b}
	defer w.Close()
	b.Reset()
	serve(w)
}

// The buffer gets to the writer by a function; the writer forgets it, and does not empty it.
type badForgetful struct{ body *bytes.Buffer }

func newForgetful(b *bytes.Buffer) *badForgetful { return &badForgetful{body: b} }

func (w *badForgetful) Write(data []byte) (int, error) { return w.body.Write(data) }

func (w *badForgetful) forget() { w.body = nil }

func (w *badForgetful) free() {
	w.body.Reset()
	w.body = nil
}

type forgetfulPool struct{ pool sync.Pool }

func (p *forgetfulPool) get() *bytes.Buffer {
	b := p.pool.Get()
	if b == nil {
		return &bytes.Buffer{}
	}
	return b.(*bytes.Buffer)
}

func (p *forgetfulPool) put(b *bytes.Buffer) { p.pool.Put(b) }

var forgetfuls forgetfulPool

func serveBadForgetful(out io.Writer, serve func(io.Writer)) {
	b := forgetfuls.get() // want `the \*bytes.Buffer of forgetfuls.pool`
	w := newForgetful(b)
	serve(w)
	out.Write(b.Bytes())
	w.forget()
	forgetfuls.put(b)
}

func serveGoodFreed(out io.Writer, serve func(io.Writer)) {
	b := forgetfuls.get()
	w := newForgetful(b)
	serve(w)
	out.Write(b.Bytes())
	w.free()
	forgetfuls.put(b)
}

// A struct that is only a variable, and a method that is only called here.
type badRecord struct{ text *bytes.Buffer }

func (r *badRecord) field(name, value string) {
	r.text.WriteString(name)
	r.text.WriteString(value)
}

func (r *badRecord) String() string { return r.text.String() }

var badRecords = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badRecordOf(fields map[string]string) string {
	b := badRecords.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of badRecords`
	var r badRecord
	r.text = b
	for k, v := range fields {
		r.field(k, v)
	}
	s := r.String()
	badRecords.Put(b)
	return s
}

func goodOtherRecord(s string) string {
	b := badRecords.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	s = b.String()
	badRecords.Put(b)
	return s
}

// The close of the writer reads it dry.
type goodDry struct {
	out io.Writer
	buf *bytes.Buffer
}

func (w *goodDry) Write(data []byte) (int, error) { return w.buf.Write(data) }

func (w *goodDry) Close() {
	if w.buf.Len() > 0 {
		w.buf.WriteTo(w.out)
	}
}

var goodDries = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func serveGoodDry(out io.Writer, serve func(io.Writer)) {
	b := goodDries.Get().(*bytes.Buffer)
	defer goodDries.Put(b)
	w := &goodDry{out: out, buf: b}
	defer w.Close()
	serve(w)
}

// The writer empties it before it writes.
type goodFirst struct{ buf *bytes.Buffer }

func (w *goodFirst) start()                         { w.buf.Reset() }
func (w *goodFirst) Write(data []byte) (int, error) { return w.buf.Write(data) }

var goodFirsts = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func serveGoodFirst(out io.Writer, serve func(io.Writer)) {
	b := goodFirsts.Get().(*bytes.Buffer)
	defer goodFirsts.Put(b)
	w := &goodFirst{b}
	w.start()
	serve(w)
	out.Write(b.Bytes())
}

// Another helper of the writer empties it, by way of a function value.
type goodValue struct{ buf *bytes.Buffer }

func (w *goodValue) free()                          { w.buf.Reset() }
func (w *goodValue) Write(data []byte) (int, error) { return w.buf.Write(data) }

var goodValues = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func serveGoodValue(out io.Writer, serve func(io.Writer)) {
	b := goodValues.Get().(*bytes.Buffer)
	w := &goodValue{b}
	free := w.free
	serve(w)
	out.Write(b.Bytes())
	defer goodValues.Put(b)
	free()
}
