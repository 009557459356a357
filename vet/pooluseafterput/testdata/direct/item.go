package direct

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"sync"
)

func badWriteAfterPut(w io.Writer, name string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	w.Write(buf.Bytes())
	buffers.Put(buf)
	buf.WriteByte('\n') // want "is used after it was put back"
}

func goodWriteBeforePut(w io.Writer, name string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(name)
	buf.WriteByte('\n')
	w.Write(buf.Bytes())
	buffers.Put(buf)
}

func badResetAfterPut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	fmt.Fprint(buf, v)
	buf.WriteTo(w)
	buffers.Put(buf)
	buf.Reset() // want "is used after it was put back"
}

func goodResetBeforePut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	fmt.Fprint(buf, v)
	buf.WriteTo(w)
	buf.Reset()
	buffers.Put(buf)
}

func badLenAfterPut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprintf(buf, "%v\n", v)
	w.Write(buf.Bytes())
	buffers.Put(buf)
	observe(buf.Len()) // want "is used after it was put back"
}

func goodLenBeforePut(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprintf(buf, "%v\n", v)
	w.Write(buf.Bytes())
	n := buf.Len()
	buffers.Put(buf)
	observe(n)
}

func badBytesAfterPut(w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	buffers.Put(buf)
	_, err := w.Write(buf.Bytes()) // want "is used after it was put back"
	return err
}

func goodBytesBeforePut(w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	_, err := w.Write(buf.Bytes())
	buffers.Put(buf)
	return err
}

func badFieldAfterPut(data []byte) int {
	e := events.Get().(*event)
	e.header.size = len(data)
	e.body = append(e.body[:0], data...)
	observe(e.header.size)
	events.Put(e)
	return e.header.size // want "is used after it was put back"
}

func goodFieldBeforePut(data []byte) int {
	e := events.Get().(*event)
	e.header.size = len(data)
	e.body = append(e.body[:0], data...)
	size := e.header.size
	observe(size)
	events.Put(e)
	return size
}

func badClearFieldAfterPut(u *user) {
	e := events.Get().(*event)
	e.author = u
	log.Print(e.author.name)
	events.Put(e)
	e.author = nil // want "is used after it was put back"
}

func goodClearFieldBeforePut(u *user) {
	e := events.Get().(*event)
	e.author = u
	log.Print(e.author.name)
	e.author = nil
	events.Put(e)
}

func badMapOfItemAfterPut(names []string) bool {
	e := events.Get().(*event)
	e.reset()
	for _, n := range names {
		e.seen[n] = true
	}
	events.Put(e)
	return e.seen["root"] // want "is used after it was put back"
}

func goodMapOfItemBeforePut(names []string) bool {
	e := events.Get().(*event)
	e.reset()
	for _, n := range names {
		e.seen[n] = true
	}
	found := e.seen["root"]
	events.Put(e)
	return found
}

func badArgumentAfterPut(name string) {
	e := events.Get().(*event)
	e.name = name
	events.Put(e)
	logEvent(e) // want "is used after it was put back"
}

func goodArgumentBeforePut(name string) {
	e := events.Get().(*event)
	e.name = name
	logEvent(e)
	events.Put(e)
}

func logEvent(e *event) { log.Print(e.name, e.header.id) }

func badMethodAfterPut(tags []string) int {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], tags...)
	events.Put(e)
	return e.count() // want "is used after it was put back"
}

func goodMethodBeforePut(tags []string) int {
	e := events.Get().(*event)
	e.tags = append(e.tags[:0], tags...)
	n := e.count()
	events.Put(e)
	return n
}

func badCopyOfStructAfterPut(id int) header {
	e := events.Get().(*event)
	e.header = header{id: id, size: len(e.body)}
	events.Put(e)
	return e.header // want "is used after it was put back"
}

func goodCopyOfStructBeforePut(id int) header {
	e := events.Get().(*event)
	e.header = header{id: id, size: len(e.body)}
	h := e.header
	events.Put(e)
	return h
}

// badParameterAfterPut is what a consumer at the end of a pipeline does.
func badParameterAfterPut(e *event) {
	events.Put(e)
	observe(e.header.size) // want "is used after it was put back"
}

func goodParameterBeforePut(e *event) {
	observe(e.header.size)
	events.Put(e)
}

func badPrintAfterPut(name string) {
	e := events.Get().(*event)
	e.name = name
	events.Put(e)
	log.Printf("done: %+v", e) // want "is used after it was put back"
}

func goodPrintBeforePut(name string) {
	e := events.Get().(*event)
	e.name = name
	log.Printf("done: %+v", e)
	events.Put(e)
}

// A pool in a struct, as services have it.
type encoder struct {
	scratch sync.Pool
	written int
}

func (c *encoder) badPoolInStruct(w io.Writer, v any) {
	buf := c.scratch.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	w.Write(buf.Bytes())
	c.scratch.Put(buf)
	c.written += buf.Len() // want "is used after it was put back"
}

func (c *encoder) goodPoolInStruct(w io.Writer, v any) {
	buf := c.scratch.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	w.Write(buf.Bytes())
	c.written += buf.Len()
	c.scratch.Put(buf)
}

// Comparing a pointer, or forgetting it, touches nothing.

func goodCompareAfterPut(w io.Writer, big bool) {
	var buf *bytes.Buffer
	if big {
		buf = buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString("big")
		w.Write(buf.Bytes())
		buffers.Put(buf)
	}
	if buf == nil {
		io.WriteString(w, "small")
	}
}

func goodForgetAfterPut(e *event) {
	for e != nil {
		events.Put(e)
		e = nil
	}
}

// The name is a string of its own: what holds it does not matter.
func goodStringOfItem(name string) string {
	e := events.Get().(*event)
	e.name = name + "!"
	s := e.name
	e.reset()
	events.Put(e)
	return s + s
}

// The author was never the pool's.
func goodPointerOfItem(e *event) string {
	u := e.author
	e.reset()
	events.Put(e)
	return u.name
}

func goodAnotherItem(a, b *event) int {
	events.Put(a)
	return b.header.size
}

// An item that is put and got again is another one, whatever the variable says.
func goodGetAgain(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(head)
	w.Write(buf.Bytes())
	buffers.Put(buf)
	buf = buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(tail)
	w.Write(buf.Bytes())
	buffers.Put(buf)
}

func badSecondItemOfVariable(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(head)
	w.Write(buf.Bytes())
	buffers.Put(buf)
	other := buffers.Get().(*bytes.Buffer)
	other.Reset()
	buf.WriteString(tail) // want "is used after it was put back"
	w.Write(other.Bytes())
	buffers.Put(other)
}

// A benchmark that drains its pool on purpose says so.
func goodIgnored() int {
	e := events.Get().(*event)
	events.Put(e)
	//lessgc:ignore pooluseafterput nobody else runs before the service has started
	return e.header.size
}
