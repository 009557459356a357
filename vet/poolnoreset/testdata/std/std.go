// Package std has pools of types of the standard library.
package std

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"

	"lessgc/pool"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badPage(w io.Writer, name string) {
	b := pages.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of pages`
	defer pages.Put(b)
	fmt.Fprintf(b, "<h1>%s</h1>", name)
	w.Write(b.Bytes())
}

var titles = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodResetAfterGet(w io.Writer, name string) {
	b := titles.Get().(*bytes.Buffer)
	defer titles.Put(b)
	b.Reset()
	fmt.Fprintf(b, "<h1>%s</h1>", name)
	w.Write(b.Bytes())
}

var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodResetBeforePut(w io.Writer, name string) {
	b := bodies.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		bodies.Put(b)
	}()
	fmt.Fprintf(b, "<h1>%s</h1>", name)
	w.Write(b.Bytes())
}

// Wrappers.
var rows = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badGetRow() *bytes.Buffer {
	return rows.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of rows`
}

func putRow(b *bytes.Buffer) { rows.Put(b) }

func row(cells []string) string {
	b := badGetRow()
	defer putRow(b)
	for _, c := range cells {
		b.WriteString(c)
	}
	return b.String()
}

var cells = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodGetCell() *bytes.Buffer { return cells.Get().(*bytes.Buffer) }

func putCell(b *bytes.Buffer) {
	b.Reset()
	cells.Put(b)
}

func cell(s string) string {
	b := goodGetCell()
	defer putCell(b)
	b.WriteString(s)
	return b.String()
}

// The one who uses it resets it.
var notes = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getNote() *bytes.Buffer  { return notes.Get().(*bytes.Buffer) }
func putNote(b *bytes.Buffer) { notes.Put(b) }

func goodCaller(s string) string {
	b := getNote()
	defer putNote(b)
	begin(b)
	b.WriteString(s)
	return b.String()
}

func begin(b *bytes.Buffer) { b.Truncate(0) }

// A buffer that is read dry is empty.
var drained = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodDrained(w io.Writer, v any) error {
	b := drained.Get().(*bytes.Buffer)
	defer drained.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

var copied = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodCopied(w io.Writer, v any) error {
	b := copied.Get().(*bytes.Buffer)
	defer copied.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := io.Copy(w, b)
	return err
}

var undrained = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badUndrained(w io.Writer, v any) error {
	b := undrained.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of undrained`
	defer undrained.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A wholesale assignment.
var assigned = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodAssigned(s string) int {
	b := assigned.Get().(*bytes.Buffer)
	defer assigned.Put(b)
	*b = bytes.Buffer{}
	b.WriteString(s)
	return b.Len()
}

// A method value.
var valued = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodMethodValue(s string, cleanup func(func())) int {
	b := valued.Get().(*bytes.Buffer)
	defer valued.Put(b)
	cleanup(b.Reset)
	b.WriteString(s)
	return b.Len()
}

var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

func badBuilder(words []string) string {
	b := builders.Get().(*strings.Builder) // want `the \*strings.Builder of builders`
	defer builders.Put(b)
	for _, w := range words {
		b.WriteString(w)
	}
	return b.String()
}

var resetBuilders = sync.Pool{New: func() any { return new(strings.Builder) }}

func goodBuilder(words []string) string {
	b := resetBuilders.Get().(*strings.Builder)
	defer resetBuilders.Put(b)
	b.Reset()
	for _, w := range words {
		b.WriteString(w)
	}
	return b.String()
}

var hashes = sync.Pool{New: func() any { return sha256.New() }}

func badHash(data []byte) []byte {
	h := hashes.Get().(hash.Hash) // want `the hash.Hash of hashes`
	defer hashes.Put(h)
	h.Write(data)
	return h.Sum(nil)
}

var resetHashes = sync.Pool{New: func() any { return sha256.New() }}

func goodHash(data []byte) []byte {
	h := resetHashes.Get().(hash.Hash)
	defer resetHashes.Put(h)
	h.Reset()
	h.Write(data)
	return h.Sum(nil)
}

// The writer of the last connection.
var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func badWriter(s string) error {
	w := writers.Get().(*bufio.Writer) // want `the \*bufio.Writer of writers`
	defer writers.Put(w)
	w.WriteString(s)
	return w.Flush()
}

var resetWriters = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func goodWriter(to io.Writer, s string) error {
	w := resetWriters.Get().(*bufio.Writer)
	defer resetWriters.Put(w)
	w.Reset(to)
	w.WriteString(s)
	return w.Flush()
}

// Values that leave the package may be reset elsewhere.
var exported = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// GoodGet is for others.
func GoodGet(s string) *bytes.Buffer {
	b := exported.Get().(*bytes.Buffer)
	b.WriteString(s)
	return b
}

// GoodPut is for others.
func GoodPut(b *bytes.Buffer) { exported.Put(b) }

// Stored in a field: its owner resets it.
var stored = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type encoder struct{ buf *bytes.Buffer }

func goodNewEncoder(s string) *encoder {
	e := &encoder{buf: stored.Get().(*bytes.Buffer)}
	e.start()
	e.buf.WriteString(s)
	return e
}

func (e *encoder) close() { stored.Put(e.buf) }

func (e *encoder) start() { e.buf.Reset() }

// Pools of this project.
var typed pool.Pool[bytes.Buffer]

func badTyped(s string) int {
	b := typed.Get() // want `the \*bytes.Buffer of typed`
	defer typed.Put(b)
	b.WriteString(s)
	return b.Len()
}

var resetTyped = pool.Pool[bytes.Buffer]{Reset: (*bytes.Buffer).Reset}

func goodTyped(s string) int {
	b := resetTyped.Get()
	defer resetTyped.Put(b)
	b.WriteString(s)
	return b.Len()
}

var scoped pool.Pool[bytes.Buffer]

func badScoped(s string) (n int) {
	scoped.With(func(b *bytes.Buffer) { // want `the \*bytes.Buffer of scoped`
		b.WriteString(s)
		n = b.Len()
	})
	return n
}

var resetScoped pool.Pool[bytes.Buffer]

func goodScoped(s string) (n int) {
	resetScoped.With(func(b *bytes.Buffer) {
		b.Reset()
		b.WriteString(s)
		n = b.Len()
	})
	return n
}

var lines pool.Buffers

func goodBuffers(s string) int {
	b := lines.Get(0)
	defer lines.Put(b)
	b.WriteString(s)
	return b.Len()
}
