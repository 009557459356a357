// Package limits has goroutines that a function goes on without when its time is over.
package limits

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errTime = errors.New("out of time")
)

func get() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func badAfter(w io.Writer, limit time.Duration) error {
	b := get()
	defer buffers.Put(b)
	done := make(chan error, 1)
	go func() { // want "the value used by a goroutine aliases b"
		_, err := b.WriteTo(w)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return errTime
	}
}

func goodAfter(w io.Writer, limit time.Duration) error {
	b := get()
	done := make(chan error, 1)
	go func() {
		_, err := b.WriteTo(w)
		done <- err
		buffers.Put(b)
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return errTime
	}
}

func badTimer(w io.Writer, limit time.Duration) error {
	b := get()
	done := make(chan error, 1)
	go func() { // want "the value used by a goroutine aliases b, which is put back .line 67.: "
		_, err := b.WriteTo(w)
		done <- err
	}()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case err := <-done:
		buffers.Put(b)
		return err
	case <-t.C:
		buffers.Put(b)
		return errTime
	}
}

func goodTimer(w io.Writer, limit time.Duration) error {
	b := get()
	done := make(chan error, 1)
	go func() {
		_, err := b.WriteTo(w)
		done <- err
	}()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case err := <-done:
		buffers.Put(b)
		return err
	case <-t.C:
		return errTime // the goroutine has it
	}
}

// It waits on.
func goodWarns(w io.Writer, limit time.Duration, warn func(string)) {
	b := get()
	done := make(chan error, 1)
	go func() {
		_, err := b.WriteTo(w)
		done <- err
	}()
	for {
		select {
		case <-done:
			buffers.Put(b)
			return
		case <-time.After(limit):
			warn("slow")
		}
	}
}

func badCancel(ctx context.Context, w io.Writer, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	b := get()
	done := make(chan error, 1)
	go func() { // want "the value used by a goroutine aliases b"
		_, err := b.WriteTo(w)
		done <- err
	}()
	select {
	case err := <-done:
		buffers.Put(b)
		return err
	case <-ctx.Done():
		buffers.Put(b)
		return ctx.Err()
	}
}

func goodCancel(ctx context.Context, w io.Writer, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	b := get()
	done := make(chan error, 1)
	go func() {
		_, err := b.WriteTo(w)
		done <- err
	}()
	select {
	case err := <-done:
		buffers.Put(b)
		return err
	case <-ctx.Done():
		<-done
		buffers.Put(b)
		return ctx.Err()
	}
}

func badOnlyLate(w io.Writer, limit time.Duration) error {
	b := get()
	done := make(chan error, 1)
	go func() { // want "the value used by a goroutine aliases b"
		_, err := b.WriteTo(w)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		buffers.Put(b)
		return errTime
	}
}

// within leaves f running when the time is over.
//
// summary: f: escapes, left running
func within(limit time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return errTime
	}
}

// waiting waits for f, however long that takes.
func waiting(f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return <-done
}

type limits struct {
	limit time.Duration
	warn  func(string)
}

// summary: l: used; f: escapes, left running
func (l *limits) run(f func() error) error { return within(l.limit, f) }

func badWithin(w io.Writer, limit time.Duration) error {
	b := get()
	defer buffers.Put(b)
	return within(limit, func() error { // want "the value used by a goroutine aliases b"
		_, err := b.WriteTo(w)
		return err
	})
}

func goodWithin(w io.Writer, limit time.Duration) error {
	return within(limit, func() error {
		b := get()
		defer buffers.Put(b)
		_, err := b.WriteTo(w)
		return err
	})
}

func goodWaiting(w io.Writer) error {
	b := get()
	defer buffers.Put(b)
	return waiting(func() error {
		_, err := b.WriteTo(w)
		return err
	})
}

func badMethod(l *limits, w io.Writer) error {
	b := get()
	err := l.run(func() error { // want "the value used by a goroutine aliases b"
		_, err := w.Write(b.Bytes())
		return err
	})
	l.warn("done")
	buffers.Put(b)
	return err
}

func goodMethodDropped(l *limits, w io.Writer) error {
	b := get()
	err := l.run(func() error {
		_, err := w.Write(b.Bytes())
		return err
	})
	if err == nil {
		buffers.Put(b)
	}
	return err
}

func goodMethodWaits(l *limits, w io.Writer) error {
	b := get()
	var done sync.WaitGroup
	done.Add(1)
	err := l.run(func() error {
		defer done.Done()
		_, err := w.Write(b.Bytes())
		return err
	})
	done.Wait()
	buffers.Put(b)
	return err
}

type writer struct {
	http.ResponseWriter
	body *bytes.Buffer
}

func newWriter(w http.ResponseWriter, b *bytes.Buffer) *writer { return &writer{w, b} }

func (w *writer) Write(p []byte) (int, error) { return w.body.Write(p) }

func badHandler(w http.ResponseWriter, r *http.Request, h http.HandlerFunc, late func(http.ResponseWriter)) {
	b := get()
	b.Reset()
	tw := newWriter(w, b)
	done := make(chan struct{})
	go func() { // want "the value used by a goroutine aliases b"
		defer close(done)
		h(tw, r)
	}()
	select {
	case <-done:
		w.Write(b.Bytes())
		buffers.Put(b)
	case <-r.Context().Done():
		buffers.Put(b)
		late(w)
	}
}

func goodHandler(w http.ResponseWriter, r *http.Request, h http.HandlerFunc, late func(http.ResponseWriter)) {
	b := get()
	b.Reset()
	tw := newWriter(w, b)
	done := make(chan struct{})
	go func() {
		defer close(done)
		h(tw, r)
	}()
	select {
	case <-done:
		w.Write(b.Bytes())
		buffers.Put(b)
	case <-r.Context().Done():
		late(w)
	}
}
