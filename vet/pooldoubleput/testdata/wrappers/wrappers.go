// Package wrappers puts values through functions and methods of its own.
package wrappers

import (
	"bytes"
	"errors"
	"io"
	"log"
	"sync"
	"sync/atomic"
)

const maxKept = 64 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

func putBuffer(buf *bytes.Buffer) { buffers.Put(buf) }

// putSmall keeps only what is worth keeping.
func putSmall(buf *bytes.Buffer) {
	if buf.Cap() > maxKept {
		return
	}
	buffers.Put(buf)
}

func badDeferredAndReleased(w io.Writer, data []byte) error {
	buf := getBuffer()
	defer putBuffer(buf) // want "is put back twice"
	buf.Write(data)
	if _, err := buf.WriteTo(w); err != nil {
		putBuffer(buf)
		return err
	}
	return nil
}

func goodDeferredRelease(w io.Writer, data []byte) error {
	buf := getBuffer()
	defer putBuffer(buf)
	buf.Write(data)
	_, err := buf.WriteTo(w)
	return err
}

func badReleasedBySizeTwice(w io.Writer, data []byte) {
	buf := getBuffer()
	buf.Write(data)
	buf.WriteTo(w)
	putSmall(buf)
	putSmall(buf) // want "is put back twice"
}

func goodReleasedBySize(w io.Writer, data []byte) {
	buf := getBuffer()
	buf.Write(data)
	buf.WriteTo(w)
	putSmall(buf)
}

// A large buffer goes to the other pool.
var large = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, maxKept)) }}

func goodReleasedByClass(w io.Writer, data []byte) {
	buf := getBuffer()
	buf.Write(data)
	buf.WriteTo(w)
	if buf.Cap() > maxKept {
		large.Put(buf)
	} else {
		buffers.Put(buf)
	}
}

// flush writes and puts: its caller has nothing left to put.
func flush(w io.Writer, buf *bytes.Buffer) error {
	defer putBuffer(buf)
	_, err := buf.WriteTo(w)
	return err
}

func badPutAfterConsumer(w io.Writer, data []byte) error {
	buf := getBuffer()
	buf.Write(data)
	err := flush(w, buf)
	putBuffer(buf) // want "is put back twice"
	return err
}

func goodConsumer(w io.Writer, data []byte) error {
	buf := getBuffer()
	buf.Write(data)
	return flush(w, buf)
}

func badDeferredAndConsumer(w io.Writer, data []byte) error {
	buf := getBuffer()
	defer putBuffer(buf) // want "is put back twice"
	if len(data) == 0 {
		return errors.New("nothing to write")
	}
	buf.Write(data)
	return flush(w, buf)
}

func goodPutOrConsumer(w io.Writer, data []byte) error {
	buf := getBuffer()
	if len(data) == 0 {
		putBuffer(buf)
		return errors.New("nothing to write")
	}
	buf.Write(data)
	return flush(w, buf)
}

// write only writes: the buffer stays its caller's.
func write(w io.Writer, buf *bytes.Buffer) error {
	_, err := buf.WriteTo(w)
	return err
}

func goodPutAfterBorrower(w io.Writer, data []byte) error {
	buf := getBuffer()
	buf.Write(data)
	err := write(w, buf)
	putBuffer(buf)
	return err
}

// A decoder puts itself.
type decoder struct {
	scratch []byte
	closed  bool
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

func newDecoder() *decoder {
	d := decoders.Get().(*decoder)
	d.closed = false
	return d
}

func (d *decoder) free() {
	d.scratch = d.scratch[:0]
	decoders.Put(d)
}

func (d *decoder) decode(data []byte) error {
	if len(data) == 0 {
		return io.ErrUnexpectedEOF
	}
	d.scratch = append(d.scratch, data...)
	return nil
}

// next returns d itself, for chains.
func (d *decoder) next() *decoder { return d }

func badFreedTwice(data []byte) {
	d := newDecoder()
	if err := d.decode(data); err != nil {
		log.Print(err)
		d.free()
	}
	d.free() // want "is put back twice"
}

func goodFreedOnce(data []byte) {
	d := newDecoder()
	if err := d.decode(data); err != nil {
		log.Print(err)
		d.free()
		return
	}
	d.free()
}

func badFreedAndDeferred(data []byte) error {
	d := newDecoder()
	defer d.free() // want "is put back twice"
	err := d.decode(data)
	if err != nil {
		d.free()
	}
	return err
}

func goodFreedDeferred(data []byte) error {
	d := newDecoder()
	defer d.free()
	err := d.decode(data)
	if err != nil {
		log.Print(err)
	}
	return err
}

// next returns its receiver: both names are one decoder.
func badFreedThroughChain(data []byte) {
	d := newDecoder()
	d.decode(data)
	d.next().free()
	d.free() // want "is put back twice"
}

func goodFreedThroughChain(data []byte) {
	d := newDecoder()
	d.decode(data)
	d.next().free()
}

func badFreeFromMethodValue(data []byte) {
	d := newDecoder()
	free := d.free
	d.decode(data)
	free()
	d.free() // want "is put back twice"
}

func goodFreeFromMethodValue(data []byte) {
	d := newDecoder()
	free := d.free
	d.decode(data)
	free()
}

// Close may be called as often as one likes: it remembers.
func (d *decoder) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	d.scratch = nil
	return nil
}

func goodClosedTwice(data []byte) error {
	d := newDecoder()
	defer decoders.Put(d)
	defer d.Close()
	if err := d.decode(data); err != nil {
		return err
	}
	return d.Close()
}

// A reader that owns its decoder forgets it when it closes.
type reader struct {
	d *decoder
}

func (r *reader) Close() error {
	if r.d == nil {
		return nil
	}
	r.d.free()
	r.d = nil
	return nil
}

func goodOwnerClosedTwice(data []byte) error {
	r := &reader{d: newDecoder()}
	defer r.Close()
	if err := r.d.decode(data); err != nil {
		return err
	}
	return r.Close()
}

// A message goes back with the last reference.
type message struct {
	refs atomic.Int32
	text []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) unref() {
	if m.refs.Add(-1) == 0 {
		messages.Put(m)
	}
}

func goodCounted(w io.Writer, text []byte) {
	m := messages.Get().(*message)
	m.refs.Store(2)
	m.text = append(m.text[:0], text...)
	w.Write(m.text)
	m.unref()
	m.unref()
}

func badUncounted(w io.Writer, text []byte) {
	m := messages.Get().(*message)
	m.text = append(m.text[:0], text...)
	w.Write(m.text)
	messages.Put(m)
	messages.Put(m) // want "is put back twice"
}

// A slot belongs to a ring of a driver.
type slot struct{ data [2048]byte }

type ring interface {
	next() *slot
	done(*slot)
}

// take waits for a slot.
//
//lessgc:acquire
func take(r ring) *slot { return r.next() }

// give returns a slot.
//
//lessgc:releases s
func give(r ring, s *slot) { r.done(s) }

func badReleasesDirective(r ring, data []byte) {
	s := take(r)
	defer give(r, s) // want "is put back twice"
	if copy(s.data[:], data) == 0 {
		give(r, s)
	}
}

func goodReleasesDirective(r ring, data []byte) {
	s := take(r)
	if copy(s.data[:], data) == 0 {
		give(r, s)
		return
	}
	defer give(r, s)
	s.data[0]++
}

// lend gives a slot to f and takes it back: what f does with it is a promise.
//
//lessgc:borrows s
func lend(s *slot, f func(*slot)) { f(s) }

func goodBorrowsDirective(r ring, f func(*slot)) {
	s := take(r)
	lend(s, f)
	lend(s, f)
	give(r, s)
}

// What a ring does with a slot is not known.
func goodUnknown(r ring) {
	s := r.next()
	r.done(s)
	s = r.next()
	r.done(s)
}

// queue collects what it will put later.
type queue struct{ waiting []*bytes.Buffer }

func (q *queue) add(buf *bytes.Buffer) { q.waiting = append(q.waiting, buf) }

func (q *queue) goodFlush(w io.Writer) {
	for _, buf := range q.waiting {
		buf.WriteTo(w)
		putBuffer(buf)
	}
	q.waiting = q.waiting[:0]
}

func (q *queue) badFlush(w io.Writer) {
	for _, buf := range q.waiting {
		if _, err := buf.WriteTo(w); err != nil {
			putBuffer(buf)
		}
		putBuffer(buf) // want "is put back twice"
	}
	q.waiting = q.waiting[:0]
}
