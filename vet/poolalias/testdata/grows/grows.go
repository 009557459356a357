// Package grows has memory that is never written again, and memory that is.
package grows

import (
	"sync"
	"unsafe"
)

// A log hands out parts of buf as strings, and only appends.
type log struct{ buf []byte }

func (l *log) text(p []byte) string {
	if cap(l.buf)-len(l.buf) < len(p) {
		l.buf = make([]byte, 0, 2*(cap(l.buf)+len(p)))
	}
	l.buf = append(l.buf, p...)
	return l.last(len(p))
}

func (l *log) last(n int) string { return asString(l.buf[len(l.buf)-n:]) }

func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

var logs = sync.Pool{New: func() any { return new(log) }}

type file struct{ path string }

func (f *file) goodPath(p []byte) {
	l := logs.Get().(*log)
	defer logs.Put(l)
	f.path = l.text(p)
}

// A scratch is like a log, but begins anew each time.
type scratch struct{ buf []byte }

func (s *scratch) text(p []byte) string {
	s.buf = append(s.buf[:0], p...)
	return asString(s.buf)
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (f *file) badPath(p []byte) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	f.path = s.text(p) // want "the value stored in f.path aliases s"
}

type load struct{ fields [8]string }

var loads = sync.Pool{New: func() any { return new(load) }}

// resolve points to copies of what is in a pooled array.
func resolve(x []string) []*string {
	small := len(x) <= 8
	var w []string
	if small {
		w = make([]string, len(x))
	}
	y := make([]*string, len(x))
	for i := range x {
		if small {
			w[i] = x[i]
			y[i] = &w[i]
		} else {
			y[i] = &x[i]
		}
	}
	return y
}

func pointers(x []string) []*string {
	y := make([]*string, len(x))
	for i := range x {
		y[i] = &x[i]
	}
	return y
}

func goodResolve(names []string) []*string {
	p := loads.Get().(*load)
	defer loads.Put(p)
	x := p.fields[:0]
	for _, n := range names {
		x = append(x, n)
	}
	return resolve(x)
}

func badResolve(names []string) []*string {
	p := loads.Get().(*load)
	defer loads.Put(p)
	x := p.fields[:0]
	for _, n := range names {
		x = append(x, n)
	}
	return pointers(x) // want "the value returned aliases p"
}

type segment struct{ data []byte }

type queue struct{ list []segment }

var slices = sync.Pool{New: func() any { return make([]byte, 1500) }}

func (q *queue) badSegment(n int) {
	b := slices.Get().([]byte)
	var s segment
	s.data = b[:n]
	q.list = append(q.list, s) // want "the value stored in q.list aliases b"
	slices.Put(b)
}

func (q *queue) goodSegment(n int) {
	b := slices.Get().([]byte)
	var s segment
	s.data = b[:n]
	s.data = append([]byte(nil), s.data...)
	q.list = append(q.list, s)
	slices.Put(b)
}

func (q *queue) keep(s segment) { q.list = append(q.list, s) }

func (q *queue) keepCopy(s segment) {
	s.data = append([]byte(nil), s.data...)
	q.list = append(q.list, s)
}

func (q *queue) badKeep(n int) {
	b := slices.Get().([]byte)
	q.keep(segment{b[:n]}) // want "the value kept by keep aliases b"
	slices.Put(b)
}

func (q *queue) goodKeep(n int) {
	b := slices.Get().([]byte)
	q.keepCopy(segment{b[:n]})
	slices.Put(b)
}
