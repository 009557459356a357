// Package lent has values that are in a field, a map or a variable while others use them, and are taken
// back from there.
package lent

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type entry struct {
	buffer *bytes.Buffer
	line   string
}

func (e *entry) clear() { e.buffer = nil }

func (e *entry) send() error {
	if e.buffer.Len() > 100 {
		return errors.New("too long")
	}
	buffers.Put(e.buffer)
	return nil
}

type formatter interface{ Format(*entry) ([]byte, error) }

type logger struct {
	format  formatter
	out     io.Writer
	byName  map[string]*bytes.Buffer
	current *bytes.Buffer
}

func (l *logger) badField(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 44"
	e.buffer = buf
	b, err := l.format.Format(e)
	e.buffer = nil
	if err != nil {
		return err
	}
	_, err = l.out.Write(b)
	buffers.Put(buf)
	return err
}

func (l *logger) goodField(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer)
	e.buffer = buf
	b, err := l.format.Format(e)
	e.buffer = nil
	if err != nil {
		buffers.Put(buf)
		return err
	}
	_, err = l.out.Write(b)
	buffers.Put(buf)
	return err
}

func (l *logger) badEmpty(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 75"
	e.buffer = buf
	if _, err := l.format.Format(e); err != nil {
		e.buffer = nil
		buffers.Put(buf)
		return err
	}
	e.buffer = nil
	if buf.Len() == 0 {
		return nil
	}
	_, err := buf.WriteTo(l.out)
	buffers.Put(buf)
	return err
}

func (l *logger) badHelper(all []*entry) {
	for _, e := range all {
		buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 88"
		e.buffer = buf
		l.format.Format(e)
		e.clear()
		if buf.Len() == 0 {
			continue
		}
		buf.WriteTo(l.out)
		buffers.Put(buf)
	}
}

func (l *logger) goodHelper(all []*entry) {
	for _, e := range all {
		buf := buffers.Get().(*bytes.Buffer)
		e.buffer = buf
		l.format.Format(e)
		e.clear()
		if buf.Len() > 0 {
			buf.WriteTo(l.out)
		}
		buffers.Put(buf)
	}
}

func (l *logger) badReceiver(e *entry) (n int64, err error) {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back on the path to line 115"
	l.current = buf
	_, err = l.format.Format(e)
	l.current = nil
	if err != nil {
		return
	}
	n, err = buf.WriteTo(l.out)
	buffers.Put(buf)
	return
}

func (l *logger) badMap(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 128"
	l.byName[e.line] = buf
	_, err := l.format.Format(e)
	delete(l.byName, e.line)
	if err != nil {
		return err
	}
	_, err = buf.WriteTo(l.out)
	buffers.Put(buf)
	return err
}

func (l *logger) goodMap(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer)
	l.byName[e.line] = buf
	_, err := l.format.Format(e)
	if err != nil {
		return err
	}
	delete(l.byName, e.line)
	_, err = buf.WriteTo(l.out)
	buffers.Put(buf)
	return err
}

// goodAnswered takes it back where it was not sent: the receiver has it otherwise.
func (l *logger) goodAnswered(e *entry, send func(*entry) error) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.WriteString(e.line)
	e.buffer = buf
	err := send(e)
	e.buffer = nil
	if err != nil {
		buffers.Put(buf)
		return err
	}
	return nil
}

// goodCleared leaves it to others where it does not clear the field.
func (l *logger) goodCleared(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer)
	e.buffer = buf
	if _, err := l.format.Format(e); err != nil {
		e.buffer = nil
		buffers.Put(buf)
		return err
	}
	return nil
}

// goodReplaced releases what is there after it was put there.
func (l *logger) goodReplaced(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer)
	l.current = buf
	l.format.Format(e)
	l.current = nil
	l.current = buf
	if e.line == "" {
		return nil
	}
	buffers.Put(buf)
	return nil
}

// goodElsewhere has it in another place, too.
func (l *logger) goodElsewhere(e *entry) error {
	buf := buffers.Get().(*bytes.Buffer)
	l.current = buf
	e.buffer = buf
	l.format.Format(e)
	e.buffer = nil
	if e.line == "" {
		return nil
	}
	buffers.Put(buf)
	return nil
}
