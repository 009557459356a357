// Package left leaves functions on several ways.
package left

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type frame interface{ Len() int }

var errKind = errors.New("bad kind")

func convert(b *bytes.Buffer, kind int) (f frame, err error) {
	switch kind {
	case 1:
		f = b
	default:
		err = errKind
	}
	return
}

// What is put is returned by nobody: the frame is nil then.
func goodFrame(p []byte) (f frame, err error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	f, err = convert(b, int(p[0]))
	if err != nil {
		buffers.Put(b)
	}
	return
}

func badFrame(p []byte) (f frame, err error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(p)
	f, err = b, nil
	if len(p) > 10 {
		buffers.Put(b)
	}
	return // want "the value returned aliases b"
}

func goodPipe(w *io.PipeWriter, p []byte) (int, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.Write(p)
	return w.Write(b.Bytes())
}

// A keeper is not a pipe.
type keeper struct{ last []byte }

func (k *keeper) Keep(p []byte) (int, error) {
	k.last = p
	return len(p), nil
}

func badPipe(k *keeper, p []byte) (int, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.Write(p)
	return k.Keep(b.Bytes()) // want "the value kept by Keep aliases b"
}

func badReader(p []byte) io.Reader {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Write(p)
	return io.MultiReader(bytes.NewReader(p), b) // want "the value returned aliases b"
}

func goodReader(p []byte) io.Reader {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Write(p)
	return io.MultiReader(bytes.NewReader(p), bytes.NewReader(bytes.Clone(b.Bytes())))
}

// When ctx is done nobody waits for the goroutine.
func badContext(ctx context.Context, next func(*bytes.Buffer)) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	done := make(chan struct{})
	go func() { // want "the value used by a goroutine aliases b"
		next(b)
		b.WriteByte('\n')
		close(done)
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-done:
	}
	return nil
}

func goodContext(ctx context.Context, next func(*bytes.Buffer)) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	done := make(chan struct{})
	go func() {
		next(b)
		b.WriteByte('\n')
		close(done)
	}()
	select {
	case <-ctx.Done():
		<-done
		return ctx.Err()
	case <-done:
	}
	return nil
}

type writer struct{ buf []byte }

func (w *writer) text(s string) []byte {
	w.buf = append(w.buf[:0], s...)
	return w.buf
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// The writer is the caller's, or a pooled one.
func badEither(w *writer, s string) []byte {
	if w == nil {
		w = writers.Get().(*writer)
		defer writers.Put(w)
	}
	return w.text(s) // want "the value returned aliases w"
}

func goodEither(w *writer, s string) []byte {
	if w == nil {
		w = writers.Get().(*writer)
		defer writers.Put(w)
		return bytes.Clone(w.text(s))
	}
	return w.text(s)
}
