package funcvar

import (
	"bytes"
	"errors"
	"sync"
)

var errField = errors.New("field")

var fieldBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A lease has a function that gives back what it was made for.
type lease struct {
	done func()
	seen func() bool
}

func (l *lease) close() {
	if l.done != nil {
		l.done()
	}
}

func goodFieldOfLocal() int {
	b := fieldBuffers.Get().(*bytes.Buffer)
	l := &lease{}
	l.done = func() { fieldBuffers.Put(b) }
	n := b.Len()
	l.done()
	return n
}

func goodFieldDeferred(fail bool) (int, error) {
	b := fieldBuffers.Get().(*bytes.Buffer)
	l := lease{done: func() { fieldBuffers.Put(b) }}
	defer l.done()
	if fail {
		return 0, errField
	}
	return b.Len(), nil
}

func goodFieldByMethod(fail bool) (int, error) {
	b := fieldBuffers.Get().(*bytes.Buffer)
	l := lease{done: func() { fieldBuffers.Put(b) }}
	defer l.close()
	if fail {
		return 0, errField
	}
	return b.Len(), nil
}

func runDone(fn func()) { fn() }

func goodFieldPassed(fail bool) (int, error) {
	b := fieldBuffers.Get().(*bytes.Buffer)
	l := &lease{done: func() { fieldBuffers.Put(b) }}
	if fail {
		runDone(l.done)
		return 0, errField
	}
	n := b.Len()
	runDone(l.done)
	return n, nil
}

// The function in the field asks only.
func badFieldAsks() bool {
	b := fieldBuffers.Get().(*bytes.Buffer) // want "b is never put back"
	l := &lease{}
	l.seen = func() bool { return b.Len() > 0 }
	return l.seen()
}

// A ticket knows how it goes back, and whom to ask.
type ticket struct {
	back  func()
	probe func() bool
	buf   []byte
}

var tickets sync.Pool

func init() {
	tickets.New = func() any {
		t := new(ticket)
		t.back = func() { tickets.Put(t) }
		t.probe = func() bool { return len(t.buf) > 0 }
		return t
	}
}

func goodTicket() int {
	t := tickets.Get().(*ticket)
	n := len(t.buf)
	t.back()
	return n
}

func goodTicketDeferred(n int) int {
	t := tickets.Get().(*ticket)
	defer t.back()
	if n == 1 {
		return 0
	}
	return len(t.buf)
}

func goodTicketEither(n int) (int, error) {
	t := tickets.Get().(*ticket)
	if n == 1 {
		t.back()
		return 0, errField
	}
	if n > 2 {
		tickets.Put(t)
		return 0, errField
	}
	n = len(t.buf)
	t.back()
	return n, nil
}

func goodTicketProbed() (ok bool) {
	t := tickets.Get().(*ticket)
	if t.probe != nil {
		ok = t.probe()
	}
	if t.back != nil {
		t.back()
	}
	return ok
}

// Asking does not give it back.
func badTicketProbed() bool {
	t := tickets.Get().(*ticket) // want "t is never put back"
	return t.probe()
}
