// Package moved has values that another function puts.
package moved

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

type job struct {
	id   int
	body *bytes.Buffer
	done chan error
}

func (j *job) run() error { return j.body.UnreadByte() }

var jobs = sync.Pool{New: func() any { return &job{done: make(chan error, 1)} }}

// The caller puts what it gets.
func goodReturned() *bytes.Buffer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf
}

func badNotReturned() string {
	buf := buffers.Get().(*bytes.Buffer) // want "is never put back"
	buf.Reset()
	fmt.Fprint(buf, runtime.Version())
	return buf.String()
}

func goodReturnedOrPut(r io.Reader) (*bytes.Buffer, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if _, err := buf.ReadFrom(r); err != nil {
		buffers.Put(buf)
		return nil, err
	}
	return buf, nil
}

func badReturnedOrLost(w io.Writer, r io.Reader) (*bytes.Buffer, error) {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	if _, err := io.WriteString(w, "ready\n"); err != nil {
		return nil, err
	}
	fmt.Fprint(buf, r)
	if buf.Len() == 0 {
		buffers.Put(buf)
		return nil, io.EOF
	}
	return buf, nil
}

func goodPutUnlessReturned(r io.Reader) (buf *bytes.Buffer, err error) {
	buf = buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(buf)
			buf = nil
		}
	}()
	buf.Reset()
	_, err = buf.ReadFrom(r)
	return buf, err
}

// A writer owns its buffer until Close.
type writer struct {
	w   io.Writer
	buf *bytes.Buffer
}

func goodConstructor(w io.Writer) *writer {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return &writer{w: w, buf: buf}
}

// Close puts the buffer.
func (w *writer) Close() error {
	_, err := w.buf.WriteTo(w.w)
	buffers.Put(w.buf)
	w.buf = nil
	return err
}

func goodField(w *writer) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	w.buf = buf
}

// Only its size gets into the field.
func badNumberInField(j *job) {
	buf := buffers.Get().(*bytes.Buffer) // want "is never put back"
	buf.Reset()
	fmt.Fprint(buf, j.done)
	j.id = buf.Len()
}

// A holder of an interface takes the value over.
type holder interface{ hold(*bytes.Buffer) error }

func goodInterface(h holder) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return h.hold(buf)
}

func goodCallback(take func(*bytes.Buffer)) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	take(buf)
}

func goodGlobal() {
	j := jobs.Get().(*job)
	current = j
}

var current *job

func goodSent(queue chan<- *job, id int) {
	j := jobs.Get().(*job)
	j.id = id
	queue <- j
}

// Whoever cannot be reached leaves the job to its maker, who forgets it.
func badNotSent(queue chan<- int, id int) bool {
	j := jobs.Get().(*job) // want "is not put back"
	j.id = id
	select {
	case queue <- j.id:
		jobs.Put(j)
		return true
	default:
		return false
	}
}

func goodSentOrPut(queue chan<- *job, id int) bool {
	j := jobs.Get().(*job)
	j.id = id
	select {
	case queue <- j:
		return true
	default:
		jobs.Put(j)
		return false
	}
}

// After a timeout the worker still has the job: nobody may put it.
func goodTimeout(ctx context.Context, queue chan<- *job, id int) error {
	j := jobs.Get().(*job)
	j.id = id
	queue <- j
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-j.done:
		jobs.Put(j)
		return err
	}
}

func goodGoroutine(id int) {
	j := jobs.Get().(*job)
	j.id = id
	go func() {
		defer jobs.Put(j)
		j.run()
	}()
}

func goodGoroutineArgument(id int) {
	j := jobs.Get().(*job)
	j.id = id
	go work(j)
}

func work(j *job) {
	j.done <- j.run()
	jobs.Put(j)
}

func goodWaited(id int) error {
	j := jobs.Get().(*job)
	j.id = id
	errs := make(chan error, 1)
	go func() { errs <- j.run() }()
	err := <-errs
	jobs.Put(j)
	return err
}

// The function that is returned puts it.
func goodReleaseFunction() (*bytes.Buffer, func()) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	return buf, func() { buffers.Put(buf) }
}

func goodListed(list []*bytes.Buffer, n int) []*bytes.Buffer {
	for range n {
		list = append(list, buffers.Get().(*bytes.Buffer))
	}
	return list
}

// A map of the values in use.
type sessions struct {
	mu   sync.Mutex
	open map[int]*job
}

func (s *sessions) goodOpen(id int) {
	j := jobs.Get().(*job)
	j.id = id
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[id] = j
}

func (s *sessions) badOpen(id int) {
	j := jobs.Get().(*job) // want "is never put back"
	j.id = id
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[j.id]; ok {
		delete(s.open, id)
	}
}

// Close puts the job of a session.
func (s *sessions) Close(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j, ok := s.open[id]; ok {
		delete(s.open, id)
		jobs.Put(j)
	}
}

var newest atomic.Pointer[job]

func goodPublished(id int) {
	j := jobs.Get().(*job)
	j.id = id
	if former := newest.Swap(j); former != nil {
		jobs.Put(former)
	}
}

func goodPublishedOrPut(id int) {
	j := jobs.Get().(*job)
	j.id = id
	if !newest.CompareAndSwap(nil, j) {
		jobs.Put(j)
	}
}

// A counted value goes back with its last reference.
type message struct {
	refs atomic.Int32
	text []byte
}

var messages = sync.Pool{New: func() any { return new(message) }}

func (m *message) unref() {
	if m.refs.Add(-1) == 0 {
		messages.Put(m)
	}
}

func goodCounted(w io.Writer, text string) error {
	m := messages.Get().(*message)
	m.refs.Store(1)
	defer m.unref()
	m.text = append(m.text[:0], text...)
	_, err := w.Write(m.text)
	return err
}

func badUncounted(w io.Writer, text string) error {
	m := messages.Get().(*message) // want "is never put back"
	m.refs.Store(1)
	m.text = append(m.text[:0], text...)
	_, err := w.Write(m.text)
	return err
}

// A value with a value in it: both go with the outer one.
func goodNested(id int) *job {
	j := jobs.Get().(*job)
	j.id = id
	j.body = buffers.Get().(*bytes.Buffer)
	return j
}

func (j *job) free() {
	if j.body != nil {
		j.body.Reset()
		buffers.Put(j.body)
		j.body = nil
	}
	jobs.Put(j)
}

func goodNestedFreed(id int) error {
	j := jobs.Get().(*job)
	defer j.free()
	j.id = id
	j.body = buffers.Get().(*bytes.Buffer)
	return j.run()
}

// A handle puts its block when nobody holds it any more.
type handle struct{ bp *[]byte }

func goodRegistered() *handle {
	bp := blocks.Get().(*[]byte)
	h := &handle{bp}
	runtime.AddCleanup(h, func(bp *[]byte) { blocks.Put(bp) }, bp)
	return h
}

func goodAfterFunc(ctx context.Context) context.Context {
	bp := blocks.Get().(*[]byte)
	context.AfterFunc(ctx, func() { blocks.Put(bp) })
	return context.WithValue(ctx, handle{}, cap(*bp))
}

// One of two pools, chosen when the program runs.
var large = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 1<<20)) }}

func goodTwoPools(w io.Writer, data []byte) error {
	p := &buffers
	if len(data) > 1<<16 {
		p = &large
	}
	buf := p.Get().(*bytes.Buffer)
	defer p.Put(buf)
	buf.Reset()
	buf.Write(data)
	_, err := buf.WriteTo(w)
	return err
}

func badTwoPools(w io.Writer, data []byte) error {
	p := &buffers
	if len(data) > 1<<16 {
		p = &large
	}
	buf := p.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	buf.Write(data)
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	p.Put(buf)
	return nil
}

func goodPutByClass(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	buf.WriteTo(w)
	if buf.Cap() >= 1<<20 {
		large.Put(buf)
	} else {
		buffers.Put(buf)
	}
}
