package flow

import "bytes"

type later struct{ at **bytes.Buffer }

func (l *later) set(at **bytes.Buffer) { l.at = at }

func (l *later) renew() { *l.at = new(bytes.Buffer) }

// The method keeps the address, and sets the variable when the next is called.
func goodKeptAddress(l *later) {
	buf := buffers.Get().(*bytes.Buffer)
	l.set(&buf)
	buffers.Put(buf)
	l.renew()
	buf.Reset()
}

func badKeptAddress(l *later) {
	buf := buffers.Get().(*bytes.Buffer)
	buffers.Put(buf)
	buf.Reset() // want "buf is used after it was put back"
	l.set(&buf)
	l.renew()
}

// The same, with the value stored after the address is known.
func goodKeptAddressFirst(l *later) {
	var buf *bytes.Buffer
	l.set(&buf)
	buf = buffers.Get().(*bytes.Buffer)
	buffers.Put(buf)
	l.renew()
	buf.Reset()
}

func renewSoon(at **bytes.Buffer, done chan bool) {
	*at = new(bytes.Buffer)
	done <- true
}

// A goroutine sets the variable.
func goodGoroutine(done chan bool) {
	var buf *bytes.Buffer
	go renewSoon(&buf, done)
	buf = buffers.Get().(*bytes.Buffer)
	buffers.Put(buf)
	<-done
	buf.Reset()
}

func goodDeferredAddress(done chan bool) {
	var buf *bytes.Buffer
	defer renewSoon(&buf, done)
	buf = buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buffers.Put(buf)
}

func length(at **bytes.Buffer) int { return (*at).Len() }

// A function that only reads it does not keep it.
func badReadAddress() {
	buf := buffers.Get().(*bytes.Buffer)
	n := length(&buf)
	buf = buffers.Get().(*bytes.Buffer)
	buffers.Put(buf)
	println(n)
	buf.Reset() // want "buf is used after it was put back"
}
