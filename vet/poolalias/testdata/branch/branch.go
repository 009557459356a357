// Package branch gives a variable the memory of a pooled value in one branch, and other memory in another.
package branch

import (
	"bytes"
	"sync"
)

var arrays = sync.Pool{New: func() any { return new([4096]byte) }}

func get(n int) []byte {
	if n > 4096 {
		return make([]byte, n)
	}
	return arrays.Get().(*[4096]byte)[:n]
}

// put drops what is too large.
func put(b []byte) {
	if cap(b) == 4096 {
		arrays.Put((*[4096]byte)(b[:4096]))
	}
}

type queue struct {
	buf []byte
	off int
}

func (q *queue) badShift(n int) {
	if len(q.buf)+n > cap(q.buf) {
		var buf []byte
		if len(q.buf)-q.off+n <= cap(q.buf) {
			copy(q.buf, q.buf[q.off:])
			buf = q.buf[:len(q.buf)-q.off]
		} else {
			buf = get(len(q.buf) - q.off + n)
			copy(buf, q.buf[q.off:])
		}
		put(q.buf)
		q.buf = buf // want "the value stored in q.buf aliases q.buf, which is put back"
		q.off = 0
	}
}

func (q *queue) goodShift(n int) {
	if len(q.buf)+n > cap(q.buf) {
		var buf []byte
		if len(q.buf)-q.off+n <= cap(q.buf) {
			copy(q.buf, q.buf[q.off:])
			buf = q.buf[:len(q.buf)-q.off]
		} else {
			buf = get(len(q.buf) - q.off + n)
			copy(buf, q.buf[q.off:])
			put(q.buf)
		}
		q.buf = buf
		q.off = 0
	}
}

type message struct {
	body []byte
	kind int
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badBody(m *message, text string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(text)
	var body []byte
	switch m.kind {
	case 0:
		body = buf.Bytes()
	default:
		body = append(body, buf.Bytes()...)
	}
	buffers.Put(buf)
	m.body = body // want "the value stored in m.body aliases buf, which is put back"
}

func goodBody(m *message, text string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(text)
	var body []byte
	switch m.kind {
	case 0:
		body = []byte(text)
	default:
		body = append(body, buf.Bytes()...)
	}
	buffers.Put(buf)
	m.body = body
}

// What is empty needs no copy.
func goodUnlessEmpty(m *message, text string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(text)
	body := buf.Bytes()
	if len(body) > 0 {
		body = bytes.Clone(body)
	}
	buffers.Put(buf)
	m.body = body
}

// The caller of the first kind keeps the buffer.
func goodKind(m *message, text string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(text)
	var body []byte
	if m.kind == 0 {
		body = buf.Bytes()
	} else {
		body = []byte(text)
	}
	if m.kind != 0 {
		buffers.Put(buf)
	}
	m.body = body
}

// It is kept only if it is a copy.
func goodKeptIf(m *message, text string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(text)
	var body []byte
	if m.kind == 0 {
		body = buf.Bytes()
	} else {
		body = []byte(text)
	}
	println(len(body))
	buffers.Put(buf)
	if m.kind != 0 {
		m.body = body
	}
}

func goodNextOne(m *message, all []string) {
	var body []byte
	for _, text := range all {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(text)
		m.kind += len(body)
		if len(text) > 10 {
			body = buf.Bytes()
		} else {
			body = []byte(text)
		}
		println(string(body))
		body = nil
		buffers.Put(buf)
	}
}

func badReturned(text string, upper bool) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(text)
	var out []byte
	if upper {
		out = bytes.ToUpper(buf.Bytes())
	} else {
		out = buf.Bytes()
	}
	return out // want "the value returned aliases buf, which is put back"
}

func goodReturned(text string, upper bool) []byte {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(text)
	var out []byte
	if upper {
		out = bytes.ToUpper(buf.Bytes())
	} else {
		out = bytes.Clone(buf.Bytes())
	}
	return out
}
