// Package own has pools of its own types.
package own

import (
	"bytes"
	"sync"
)

// The type knows how to reset itself, and nobody asks it to.
var messages = sync.Pool{New: func() any { return new(packet) }}

type packet struct {
	fields []string
	n      int
}

// Reset makes p empty.
func (p *packet) Reset() { p.fields, p.n = p.fields[:0], 0 }

func (p *packet) add(s string) {
	p.fields = append(p.fields, s)
	p.n += len(s)
}

func badPacket(words []string) int {
	p := messages.Get().(*packet) // want `the \*packet of messages`
	defer messages.Put(p)
	for _, w := range words {
		p.add(w)
	}
	return p.n
}

type frame packet

// Reset makes f empty.
func (f *frame) Reset() { f.fields, f.n = f.fields[:0], 0 }

func (f *frame) add(s string) {
	f.fields = append(f.fields, s)
	f.n += len(s)
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func goodFrame(words []string) int {
	f := frames.Get().(*frame)
	defer func() {
		f.Reset()
		frames.Put(f)
	}()
	for _, w := range words {
		f.add(w)
	}
	return f.n
}

// Partial resets.
type record struct {
	fields []string
	n      int
}

// Reset makes r empty.
func (r *record) Reset() { *r = record{} }

var records = sync.Pool{New: func() any { return new(record) }}

func goodFieldAssigned(words []string) int {
	r := records.Get().(*record)
	defer records.Put(r)
	r.fields = r.fields[:0]
	for _, w := range words {
		r.fields = append(r.fields, w)
	}
	return len(r.fields)
}

type table struct{ rows map[string]int }

// Reset makes t empty.
func (t *table) Reset() { t.rows = map[string]int{} }

var tables = sync.Pool{New: func() any { return &table{rows: map[string]int{}} }}

func badTable(words []string) int {
	t := tables.Get().(*table) // want `the \*table of tables`
	for _, w := range words {
		t.rows[w]++
	}
	n := len(t.rows)
	tables.Put(t)
	return n
}

type index struct{ rows map[string]int }

// Reset makes x empty.
func (x *index) Reset() { x.rows = map[string]int{} }

var indexes = sync.Pool{New: func() any { return &index{rows: map[string]int{}} }}

func goodCleared(words []string) int {
	x := indexes.Get().(*index)
	for _, w := range words {
		x.rows[w]++
	}
	n := len(x.rows)
	clear(x.rows)
	indexes.Put(x)
	return n
}

// Embedded.
type page struct {
	bytes.Buffer
	title string
}

var pages = sync.Pool{New: func() any { return new(page) }}

func badEmbedded(s string) int {
	p := pages.Get().(*page) // want `the \*page of pages`
	defer pages.Put(p)
	p.WriteString(s)
	return p.Len()
}

type sheet struct {
	bytes.Buffer
	title string
}

var sheets = sync.Pool{New: func() any { return new(sheet) }}

func goodEmbedded(s string) int {
	p := sheets.Get().(*sheet)
	defer sheets.Put(p)
	p.Buffer.Reset()
	p.WriteString(s)
	return p.Len()
}

// A slice with methods.
type line []byte

// Reset makes l empty.
func (l *line) Reset() { *l = (*l)[:0] }

var lines = sync.Pool{New: func() any { return new(line) }}

func badLine(s string) int {
	l := lines.Get().(*line) // want `the \*line of lines`
	*l = append(*l, s...)
	n := len(*l)
	lines.Put(l)
	return n
}

type text []byte

// Reset makes t empty.
func (t *text) Reset() { *t = (*t)[:0] }

var texts = sync.Pool{New: func() any { return new(text) }}

func goodTruncated(s string) int {
	t := texts.Get().(*text)
	*t = append((*t)[:0], s...)
	n := len(*t)
	texts.Put(t)
	return n
}

// Nobody changes it, so there is nothing to reset.
type constants struct{ pi float64 }

// Reset is for others.
func (c *constants) Reset() { c.pi = 0 }

var constant = sync.Pool{New: func() any { return &constants{pi: 3.14} }}

func goodUnchanged() float64 {
	c := constant.Get().(*constants)
	defer constant.Put(c)
	return c.pi
}

// A type without Reset.
type plain struct{ words []string }

var plains = sync.Pool{New: func() any { return new(plain) }}

func badPlain(s string) int {
	p := plains.Get().(*plain) // want `words of the \*plain of plains`
	defer plains.Put(p)
	p.words = append(p.words, s)
	return len(p.words)
}

// Handed to a function value that may do anything.
var handed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodHanded(s string, f func(*bytes.Buffer)) int {
	b := handed.Get().(*bytes.Buffer)
	defer handed.Put(b)
	f(b)
	b.WriteString(s)
	return b.Len()
}
