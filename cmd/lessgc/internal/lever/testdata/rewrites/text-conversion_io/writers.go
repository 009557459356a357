// Package writers writes texts to interfaces. All types in it that have WriteString do with a text what they do with bytes.
package writers

import (
	"hash"
	"io"
	"net/http"
	"strings"
)

type name string

func text(w io.Writer, s string) (int, error) {
	return w.Write([]byte(s)) // rewritten
}

func named(w io.Writer, s name) error {
	_, err := w.Write([]byte(s)) // rewritten
	return err
}

func served(w http.ResponseWriter, s string) {
	w.Write([]byte(strings.ToUpper(s))) // rewritten
}

func constant(w io.WriteCloser) {
	w.Write([]byte("a text that never changes, and is not short")) // rewritten
	w.Close()
}

// A sink takes both.
type sink interface {
	io.Writer
	io.StringWriter
}

func sunk(w sink, s string) {
	w.Write([]byte(s)) // rewritten
}

// A tracer passes on what it is written.
type tracer struct {
	w io.Writer
	n int
}

func (t *tracer) Write(p []byte) (int, error) {
	t.n += len(p)
	return t.w.Write(p)
}

func (t *tracer) WriteString(s string) (int, error) {
	t.n += len(s)
	return io.WriteString(t.w, s)
}

func (t *tracer) line(s string) {
	t.w.Write([]byte(s)) // rewritten
}

// A passer takes texts as bytes. A way back to it has no end for bytes, either.
type passer struct{ w io.Writer }

func (p *passer) Write(b []byte) (int, error) { return p.w.Write(b) }

func (p *passer) WriteString(s string) (int, error) {
	return p.w.Write([]byte(s)) // rewritten
}

// A looper takes bytes as texts, and texts as bytes.
type looper struct{ w io.Writer }

func (l *looper) Write(b []byte) (int, error) { return l.WriteString(string(b)) }

func (l *looper) WriteString(s string) (int, error) {
	return l.w.Write([]byte(s)) // refused: it is the WriteString that may be called
}

// A hopper has a WriteString that calls another of its methods.
type hopper struct {
	to io.Writer
	n  int
}

func (h *hopper) Write(b []byte) (int, error) { return h.WriteString(string(b)) }

func (h *hopper) put(w io.Writer, s string) (int, error) {
	h.n += len(s)
	return w.Write([]byte(s)) // refused: WriteString of the writer may lead here
}

func (h *hopper) WriteString(s string) (int, error) { return h.put(h.to, s) }

func deferred(w io.Writer, s string) {
	defer w.Write([]byte(s)) // refused: a writer that is nil panics at once
}

func started(w io.Writer, s string) {
	go w.Write([]byte(s)) // refused: so it does here
}

type log struct{ w io.Writer }

func (l *log) next() string { l.w = &tracer{w: l.w}; return "next" }

func (l *log) changed() {
	l.w.Write([]byte(l.next())) // refused: a call changes which writer it is
}

func (l *log) indexed(all []string) {
	l.w.Write([]byte(all[0])) // refused: which panic comes first
}

func generic[W io.Writer](w W, s string) {
	w.Write([]byte(s)) // refused: a type parameter may be any type
}

type printer interface{ Write([]byte) int }

func printed(p printer, s string) {
	p.Write([]byte(s)) // refused: it has no error
}

func hashed(h hash.Hash, s string) {
	h.Write([]byte(s)) // refused: no hash has WriteString
}

func noted(w io.Writer, s string) {
	w.Write([]byte(s /* as it is */)) // refused: a comment would go
}

func shadowed(w io.Writer, s string) {
	io := len(s)
	w.Write([]byte(s)) // refused: io is a variable here
	_ = io
}

func both(w io.Writer, s string) {
	b := []byte(s) // refused: the bytes are changed
	b[0] = '-'
	w.Write(b)
}

func runes(w io.Writer, s []byte) {
	io.WriteString(w, string(s)) // refused: who is written to may keep bytes
}
