// Package stored has functions that store something in what outlives them.
package stored

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log"
	"sync"
	"sync/atomic"
	"unsafe"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

type record struct {
	id   int
	data []byte
	tags [][]byte
}

var records = sync.Pool{New: func() any { return new(record) }}

var (
	last     []byte
	lastText string
	byName   = map[string][]byte{}
	current  *record
)

func badGlobal(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	last = buf.Bytes() // want "which is put back"
}

func goodGlobal(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	last = bytes.Clone(buf.Bytes())
}

// The copy reuses the memory of the copy before.
func goodGlobalReused(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	last = append(last[:0], buf.Bytes()...)
}

func badGlobalUnsafeString(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	b := buf.Bytes()
	lastText = unsafe.String(unsafe.SliceData(b), len(b)) // want "which is put back"
}

func goodGlobalString(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	lastText = buf.String()
}

func badGlobalItem(id int) {
	r := records.Get().(*record)
	r.id = id
	current = r // want "which is put back"
	log.Print(r.id)
	records.Put(r)
}

func goodGlobalItem(id int) {
	r := records.Get().(*record)
	r.id = id
	former := current
	current = r
	log.Print(r.id)
	if former != nil {
		records.Put(former)
	}
}

// The global is taken back before the record goes.
func goodGlobalRestored(id int, work func()) {
	r := records.Get().(*record)
	r.id = id
	current = r
	work()
	current = nil
	records.Put(r)
}

func badGlobalMap(name string, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	byName[name] = buf.Bytes() // want "which is put back"
}

func goodGlobalMap(name string, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	byName[name] = []byte(buf.String())
}

// A key is a copy.
func goodGlobalMapKey(v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	byName[string(buf.Bytes())] = nil
}

// A cache keeps what it was given.
type cache struct {
	mu     sync.Mutex
	recent []byte
	lines  [][]byte
	pages  map[string][]byte
	all    sync.Map
	newest atomic.Pointer[record]
}

func (c *cache) badField(r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	c.recent = (*bp)[:n] // want "which is put back"
	return err
}

func (c *cache) goodField(r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	c.recent = append(c.recent[:0], (*bp)[:n]...)
	return err
}

// Every way out of the function has cleared the field.
func (c *cache) goodFieldCleared(r io.Reader, parse func() error) error {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	c.recent = (*bp)[:n]
	err = parse()
	c.recent = nil
	return err
}

func (c *cache) goodFieldRestoredByDefer(r io.Reader, parse func() error) error {
	bp := blocks.Get().(*[]byte)
	before := c.recent
	defer func() {
		c.recent = before
		blocks.Put(bp)
	}()
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	c.recent = (*bp)[:n]
	return parse()
}

func (c *cache) badFieldNotRestored(r io.Reader, parse func() error) error {
	bp := blocks.Get().(*[]byte)
	defer func() {
		blocks.Put(bp)
	}()
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	c.recent = (*bp)[:n] // want "which is put back"
	return parse()
}

func (c *cache) badMap(name string, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[name] = buf.Bytes() // want "which is put back"
	return err
}

func (c *cache) goodMap(name string, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[name] = bytes.Clone(buf.Bytes())
	return err
}

func (c *cache) badList(line string) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(line)
	c.lines = append(c.lines, buf.Bytes()) // want "which is put back"
}

func (c *cache) goodList(line string) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.WriteString(line)
	c.lines = append(c.lines, []byte(buf.String()))
}

func (c *cache) badSyncMap(name string, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	c.all.Store(name, buf.Bytes()) // want "which is put back"
}

func (c *cache) goodSyncMap(name string, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	c.all.Store(name, buf.String())
}

func (c *cache) badPublished(id int) {
	r := records.Get().(*record)
	defer records.Put(r)
	r.id = id
	c.newest.Store(r) // want "which is put back"
}

// What is put is the record before.
func (c *cache) goodPublished(id int) {
	r := records.Get().(*record)
	r.id = id
	if former := c.newest.Swap(r); former != nil {
		records.Put(former)
	}
}

func (c *cache) goodPublishedOrPut(id int) {
	r := records.Get().(*record)
	r.id = id
	if !c.newest.CompareAndSwap(nil, r) {
		records.Put(r)
	}
}

func badParameter(out *[]byte, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	*out = buf.Bytes() // want "which is put back"
}

func goodParameter(out *[]byte, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	*out = append((*out)[:0], buf.Bytes()...)
}

func badFieldOfParameter(r *record, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	r.data = buf.Bytes() // want "which is put back"
}

func goodFieldOfParameter(r *record, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	r.data = bytes.Clone(buf.Bytes())
}

func badElementOfParameter(out [][]byte, words []string) {
	for i, w := range words {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(w)
		out[i] = buf.Bytes() // want "which is put back"
		buffers.Put(buf)
	}
}

func goodElementOfParameter(out [][]byte, words []string) {
	for i, w := range words {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(w)
		copy(out[i], buf.Bytes())
		buffers.Put(buf)
	}
}

// Copying bytes into the memory of others is not a store of the slice.
func goodCopyIntoParameter(dst []byte, r io.Reader) (int, error) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	return copy(dst, (*bp)[:n]), err
}

// A store into the pooled value itself goes back with it.
func goodIntoItem(data []byte) int {
	r := records.Get().(*record)
	defer records.Put(r)
	r.data = append(r.data[:0], data...)
	r.tags = append(r.tags[:0], r.data)
	return len(r.tags)
}

func badAfterPut(c *cache, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := buf.Bytes()
	buffers.Put(buf)
	c.recent = text // want "which is put back"
}

func goodAfterPut(c *cache, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	text := []byte(buf.String())
	buffers.Put(buf)
	c.recent = text
}

func badInRangeOverFunc(c *cache, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		c.pages[l] = buf.Bytes() // want "which is put back"
		buffers.Put(buf)
	}
}

func goodInRangeOverFunc(c *cache, lines iter.Seq[string]) {
	for l := range lines {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		buf.WriteString(l)
		c.pages[l] = bytes.Clone(buf.Bytes())
		buffers.Put(buf)
	}
}

// A writer that owns its buffer until Close.
type writer struct {
	w   io.Writer
	buf *bytes.Buffer
}

func goodConstructor(w io.Writer) *writer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return &writer{w: w, buf: buf}
}

func (w *writer) Write(p []byte) (int, error) { return w.buf.Write(p) }

// Close writes what was collected and puts the buffer.
func (w *writer) Close() error {
	_, err := w.buf.WriteTo(w.w)
	buffers.Put(w.buf)
	w.buf = nil
	return err
}

// The field gets a new buffer where the old one goes.
func (w *writer) goodExchange() error {
	old := w.buf
	w.buf = buffers.Get().(*bytes.Buffer)
	_, err := old.WriteTo(w.w)
	buffers.Put(old)
	return err
}

func (w *writer) badExchange() error {
	next := buffers.Get().(*bytes.Buffer)
	w.buf.WriteTo(next)
	_, err := next.WriteTo(w.w)
	w.buf = next // want "which is put back"
	buffers.Put(next)
	return err
}
