// Package reached has values that are put on one path, and used on a path from there.
package reached

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"strings"
	"sync"
)

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errShort = errors.New("short")
)

func get() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func put(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

func badErrorBetween(r io.Reader, small bool) error {
	b := get()
	if small {
		put(b)
	}
	p := make([]byte, 10)
	n, err := r.Read(p)
	if err != nil {
		return err
	}
	b.Write(p[:n]) // want "b is used when perhaps released, as a path leads here from its put .line 29."
	return nil
}

func goodErrorBetween(r io.Reader, small bool) error {
	b := get()
	if small {
		put(b)
		return nil
	}
	p := make([]byte, 10)
	n, err := r.Read(p)
	if err != nil {
		return err
	}
	b.Write(p[:n])
	return nil
}

func badMissingReturn(w io.Writer, r io.Reader) error {
	b := get()
	if _, err := b.ReadFrom(r); err != nil {
		log.Print(err)
		put(b)
	}
	if _, err := io.WriteString(w, "header"); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes()) // want "b is used when perhaps released"
	return err
}

// The write fails again.
func goodFailsAgain(w io.Writer, p []byte) error {
	b := get()
	if _, err := io.WriteString(w, "header"); err != nil {
		put(b)
	}
	if _, err := w.Write(p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	put(b)
	return err
}

func badElements(list map[string]*bytes.Buffer, old func(string) bool, report func(string)) {
	for name, b := range list {
		if old(name) {
			delete(list, name)
			put(b)
		}
		if report != nil && b.Len() > 0 { // want "is used when perhaps released"
			report(name)
		}
	}
}

func goodElements(list map[string]*bytes.Buffer, old func(string) bool, report func(string)) {
	for name, b := range list {
		if old(name) {
			delete(list, name)
			put(b)
			continue
		}
		if report != nil && b.Len() > 0 {
			report(name)
		}
	}
}

func badLoop(lines []string, done bool) {
	b := get()
	if done {
		put(b)
	}
	for _, line := range lines {
		b.WriteString(line) // want "b is used when perhaps released"
	}
}

func goodLoopEmpty(lines []string) {
	b := get()
	if len(lines) == 0 {
		put(b)
	}
	for _, line := range lines {
		b.WriteString(line)
	}
}

func badSwitch(w io.Writer, r io.Reader, kind int) {
	b := get()
	if n, _ := io.Copy(b, r); n == 0 {
		put(b)
	}
	switch kind {
	case 1:
		w.Write(b.Bytes()) // want "b is used when perhaps released"
	case 2:
		io.WriteString(w, "two")
	}
}

func badFirstOf(b *bytes.Buffer, full, debug bool) {
	if full {
		put(b)
	}
	if debug {
		log.Print(b.String()) // want "b is used when perhaps released"
	}
}

func goodSameCondition(full bool) {
	b := get()
	if full {
		put(b)
	}
	if !full {
		b.WriteString("x")
		put(b)
	}
}

func goodSameVariable(n int) {
	b := get()
	if n > 10 {
		put(b)
	}
	if n < 5 {
		b.WriteString("x")
		put(b)
	}
}

func goodFlag(r io.Reader) {
	b, released := get(), false
	if _, err := b.ReadFrom(r); err != nil {
		put(b)
		released = true
	}
	if !released {
		b.WriteString("x")
		put(b)
	}
}

func goodNil(r io.Reader, late bool) {
	b := get()
	if late {
		put(b)
		b = nil
	}
	if b != nil {
		b.WriteString("x")
		put(b)
	}
}

func goodSameError(r io.Reader, p []byte) (err error) {
	b := get()
	n, err := r.Read(p)
	if err == io.EOF {
		put(b)
	}
	if n > 0 {
		b.Write(p[:n])
	}
	return err
}

type conn struct {
	closed bool
	w      io.Writer
	last   error
}

func (c *conn) send() error {
	if c.closed {
		return errShort
	}
	return nil
}

func (c *conn) isOpen() bool { return c.w != nil }

func goodSameStruct(c *conn) {
	b := get()
	if c.closed {
		put(b)
	}
	if c.isOpen() {
		c.w.Write(b.Bytes())
		put(b)
	}
}

func goodMethodFails(c *conn) error {
	b := get()
	if c.closed {
		put(b)
	}
	if err := c.send(); err != nil {
		return err
	}
	b.WriteString("x")
	put(b)
	return nil
}

func goodSetAlong(c *conn, late bool) error {
	b := get()
	if late {
		put(b)
		c.closed = true
	}
	if err := c.send(); err != nil {
		return err
	}
	b.WriteString("x")
	put(b)
	return nil
}

func goodCanceled(ctx context.Context, do func(context.Context) error) error {
	b := get()
	if ctx.Err() != nil {
		put(b)
	}
	if err := do(ctx); err != nil {
		return err
	}
	b.WriteString("x")
	put(b)
	return nil
}

var disabled, verbose bool

func isDisabled() bool { return disabled }
func isEnabled() bool  { return !disabled }

func goodCallsTell() {
	b := get()
	if isDisabled() {
		put(b)
	}
	if isEnabled() {
		b.WriteString("x")
		put(b)
	}
}

func goodModes(s string) {
	b, mode := get(), 0
	if strings.HasPrefix(s, "x") {
		mode = 1
	}
	if mode == 1 {
		put(b)
	}
	if s != "xx" && mode == 0 {
		b.WriteString("x")
		put(b)
	}
}

func badGlobal(late bool) {
	b := get()
	if late {
		put(b)
	}
	if verbose {
		log.Print(b.Len()) // want "b is used when perhaps released"
	}
}

func goodReturned(late bool, w io.Writer) (int, error) {
	b := get()
	if late {
		put(b)
		return w.Write(nil)
	}
	if verbose {
		log.Print(b.Len())
	}
	put(b)
	return 0, nil
}

func (c *conn) close() { c.closed = true }

func goodClosedAlong(c *conn, late bool) error {
	b := get()
	if late {
		c.close()
		put(b)
	}
	if err := c.send(); err != nil {
		return err
	}
	b.WriteString("x")
	put(b)
	return nil
}

func badClosed(c *conn, late bool) {
	b := get()
	if late {
		b.Reset()
		c.close()
		put(b)
	}
	if verbose {
		b.WriteString("x") // want "b is used when perhaps released"
	}
}

func badSecond(full, debug bool) {
	b := get()
	if full {
		put(b)
	}
	if !full {
		b.WriteString("x")
	}
	if debug {
		log.Print(b.String()) // want "b is used when perhaps released"
	}
}
