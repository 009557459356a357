package wrappers

import (
	"sync"
	"sync/atomic"
)

// A message is shared by those that hold a reference.
type message struct {
	refs atomic.Int32
	text []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func newMessage(text string) *message {
	m := messages.Get().(*message)
	m.refs.Store(1)
	m.text = append(m.text[:0], text...)
	return m
}

func (m *message) retain() *message {
	m.refs.Add(1)
	return m
}

func (m *message) unref() {
	if m.refs.Add(-1) == 0 {
		messages.Put(m)
	}
}

// One reference is left.
func goodRetained(text string, subscribers []chan<- *message) int {
	m := newMessage(text)
	for _, s := range subscribers {
		s <- m.retain()
	}
	m.retain()
	m.unref()
	n := len(m.text)
	m.unref()
	return n
}

// A frame belongs to a ring that another process fills.
type frame struct {
	n    int
	data [512]byte
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

func badAfterReleasesDirective(r ring) int {
	f := take(r)
	give(r, f)
	return f.n // want "is used after it was put back"
}

func goodBeforeReleasesDirective(r ring) int {
	f := take(r)
	n := f.n
	give(r, f)
	return n
}

// tee hands a message to a sink that takes a reference of its own for as long as it
// needs it.
//
//lessgc:borrows m
func tee(m *message, sink func(*message)) {
	sink(m.retain())
	m.unref()
}

func goodAfterBorrowsDirective(m *message, sink func(*message)) int {
	tee(m, sink)
	return len(m.text)
}

// An unknown function does what nobody knows.
func goodUnknownFunction(m *message, observe func(*message)) int {
	observe(m)
	return len(m.text)
}

func goodUnknownMethod(r ring) int {
	f := r.next()
	f.n++
	n := f.n
	r.done(f)
	return n
}
