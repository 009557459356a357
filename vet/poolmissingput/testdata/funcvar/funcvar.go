// Package funcvar passes pooled values to functions by variables, and to functions without a body.
package funcvar

import (
	"bytes"
	"errors"
	"sync"
)

var errEmpty = errors.New("empty")

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type event struct{ text string }

// Encode is set to encodeText when colors are off.
var encode = encodeColor

func encodeColor(b *bytes.Buffer, e event) { b.WriteString("\x1b[1m" + e.text) }
func encodeText(b *bytes.Buffer, e event)  { b.WriteString(e.text) }

func init() {
	if colors == "" {
		encode = encodeText
	}
}

var colors string

func badEncoded(e event) error {
	b := buffers.Get().(*bytes.Buffer) // want "is not put back"
	encode(b, e)
	if b.String() == "" {
		return errEmpty
	}
	buffers.Put(b)
	return nil
}

func goodEncoded(e event) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	encode(b, e)
	if b.String() == "" {
		return errEmpty
	}
	return nil
}

// Consume puts back what it gets.
var consume = func(b *bytes.Buffer) { buffers.Put(b) }

func goodConsumed(e event) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(e.text)
	consume(b)
}

// Others set Sink.
var Sink = func(b *bytes.Buffer) {}

func goodOthers(e event) {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(e.text)
	Sink(b)
}

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

//go:noescape
func sum(p []byte) uint64

// Kept may keep what it gets.
func kept(p *[]byte) uint64

func badSummed(read func() []byte) (uint64, error) {
	p := blocks.Get().(*[]byte) // want "is not put back"
	n := copy(*p, read())
	s := sum((*p)[:n])
	if s == 0 {
		return 0, errEmpty
	}
	blocks.Put(p)
	return s, nil
}

func goodSummed(read func() []byte) (uint64, error) {
	p := blocks.Get().(*[]byte)
	n := copy(*p, read())
	s := sum((*p)[:n])
	blocks.Put(p)
	if s == 0 {
		return 0, errEmpty
	}
	return s, nil
}

func goodKept() uint64 {
	p := blocks.Get().(*[]byte)
	return kept(p)
}

//go:noescape
func compress(dst, src []byte, table *[1024]byte) int

var tables = sync.Pool{New: func() any { return new([1024]byte) }}

func badCompressed(dst, src []byte) int {
	t := tables.Get().(*[1024]byte) // want "is not put back"
	n := compress(dst, src, t)
	if n == 0 {
		return 0
	}
	tables.Put(t)
	return n
}

func goodCompressed(dst, src []byte) int {
	t := tables.Get().(*[1024]byte)
	n := compress(dst, src, t)
	if n == 0 {
		tables.Put(t)
		return 0
	}
	tables.Put(t)
	return n
}
