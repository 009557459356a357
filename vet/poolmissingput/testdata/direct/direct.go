// Package direct has functions that get a value and put it, on all ways or on some.
package direct

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"sync"
	"text/template"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

var unzippers = sync.Pool{New: func() any { return new(gzip.Reader) }}

var sheets = sync.Pool{New: func() any { return new(sheet) }}

var errTooLarge = errors.New("too large")

type parser struct {
	depth  int
	tokens []string
	broken bool
}

func (p *parser) parse(s string) error {
	p.tokens = append(p.tokens[:0], strings.Fields(s)...)
	if len(p.tokens) == 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (p *parser) usable() bool { return !p.broken }

var parsers = sync.Pool{New: func() any { return new(parser) }}

func badErrorReturn(w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	buffers.Put(buf)
	return err
}

func goodErrorReturn(w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		buffers.Put(buf)
		return err
	}
	_, err := w.Write(buf.Bytes())
	buffers.Put(buf)
	return err
}

func goodDeferred(w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(buf.Bytes())
	return err
}

func badNever(t *template.Template, data any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer) // want "is never put back"
	buf.Reset()
	err := t.Execute(buf, data)
	return buf.String(), err
}

func goodAlways(t *template.Template, data any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	err := t.Execute(buf, data)
	s := buf.String()
	buffers.Put(buf)
	return s, err
}

// The defer comes too late for the first return.
func badLateDefer(r io.Reader, limit int) (int, error) {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	if limit > len(*bp) {
		return 0, errTooLarge
	}
	defer blocks.Put(bp)
	return io.ReadFull(r, (*bp)[:limit])
}

func goodEarlyDefer(r io.Reader, limit int) (int, error) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	if limit > len(*bp) {
		return 0, errTooLarge
	}
	return io.ReadFull(r, (*bp)[:limit])
}

func goodCheckedBefore(r io.Reader, limit int) (int, error) {
	if limit > 4096 {
		return 0, errTooLarge
	}
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	return io.ReadFull(r, (*bp)[:limit])
}

func badReadError(w io.Writer, r io.Reader) error {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	n, err := r.Read(*bp)
	if err != nil {
		return err
	}
	_, err = w.Write((*bp)[:n])
	blocks.Put(bp)
	return err
}

func goodReadError(w io.Writer, r io.Reader) error {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err == nil {
		_, err = w.Write((*bp)[:n])
	}
	blocks.Put(bp)
	return err
}

func badOneBranch(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	if len(data) > 100 {
		fmt.Fprintf(buf, "%d bytes", len(data))
		buf.WriteTo(w)
		buffers.Put(buf)
	} else {
		fmt.Fprintf(buf, "%q", data)
		buf.WriteTo(w)
	}
}

func goodBothBranches(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if len(data) > 100 {
		fmt.Fprintf(buf, "%d bytes", len(data))
		buf.WriteTo(w)
		buffers.Put(buf)
	} else {
		fmt.Fprintf(buf, "%q", data)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func badCase(w io.Writer, kind byte) error {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	switch kind {
	case 'i':
		buf.WriteString("int")
	case 's':
		buf.WriteString("string")
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	_, err := buf.WriteTo(w)
	buffers.Put(buf)
	return err
}

func goodCase(w io.Writer, kind byte) error {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	switch kind {
	case 'i':
		buf.WriteString("int")
	case 's':
		buf.WriteString("string")
	default:
		buffers.Put(buf)
		return fmt.Errorf("unknown kind %q", kind)
	}
	_, err := buf.WriteTo(w)
	buffers.Put(buf)
	return err
}

func badCancelled(ctx context.Context, lines <-chan string) (string, error) {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	for {
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case l, ok := <-lines:
			if !ok {
				s := buf.String()
				buffers.Put(buf)
				return s, nil
			}
			buf.WriteString(l)
		}
	}
}

func goodCancelled(ctx context.Context, lines <-chan string) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	for {
		select {
		case <-ctx.Done():
			buffers.Put(buf)
			return "", ctx.Err()
		case l, ok := <-lines:
			if !ok {
				s := buf.String()
				buffers.Put(buf)
				return s, nil
			}
			buf.WriteString(l)
		}
	}
}

// Two values, and an error between them.
func badFirstOfTwo(r io.Reader) (int, error) {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	n, err := r.Read(*bp)
	if err != nil {
		return 0, err
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	defer blocks.Put(bp)
	buf.Reset()
	buf.Write((*bp)[:n])
	return buf.Len(), nil
}

func goodFirstOfTwo(r io.Reader) (int, error) {
	bp := blocks.Get().(*[]byte)
	defer blocks.Put(bp)
	n, err := r.Read(*bp)
	if err != nil {
		return 0, err
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	buf.Write((*bp)[:n])
	return buf.Len(), nil
}

// The first buffer is lost when the variable gets the second.
func badOverwritten(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer) // want "is never put back"
	buf.Reset()
	buf.WriteString(head)
	buf.WriteTo(w)
	buf = buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(tail)
	buf.WriteTo(w)
	buffers.Put(buf)
}

func goodOverwritten(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(head)
	buf.WriteTo(w)
	buffers.Put(buf)
	buf = buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.WriteString(tail)
	buf.WriteTo(w)
	buffers.Put(buf)
}

func goodGrown(r io.Reader, n int) (int, error) {
	bp := blocks.Get().(*[]byte)
	if len(*bp) < n {
		*bp = make([]byte, n)
	}
	n, err := r.Read(*bp)
	blocks.Put(bp)
	return n, err
}

func goodGrownAndPut(r io.Reader, n int) (int, error) {
	bp := blocks.Get().(*[]byte)
	if len(*bp) < n {
		larger := make([]byte, n)
		blocks.Put(bp)
		bp = &larger
	}
	n, err := r.Read(*bp)
	blocks.Put(bp)
	return n, err
}

// A value of a struct's pool.
type server struct{ scratch sync.Pool }

func (s *server) badServe(w io.Writer, v any) error {
	buf := s.scratch.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	if _, err := fmt.Fprint(buf, v); err != nil {
		return err
	}
	defer s.scratch.Put(buf)
	_, err := buf.WriteTo(w)
	return err
}

func (s *server) goodServe(w io.Writer, v any) error {
	buf := s.scratch.Get().(*bytes.Buffer)
	defer s.scratch.Put(buf)
	buf.Reset()
	if _, err := fmt.Fprint(buf, v); err != nil {
		return err
	}
	_, err := buf.WriteTo(w)
	return err
}

// The pool may be empty; then there is a new buffer, which is worth a put too.
func badFallback(w io.Writer, v any) error {
	buf, ok := buffers.Get().(*bytes.Buffer) // want "is not put back"
	if !ok {
		buf = new(bytes.Buffer)
	}
	buf.Reset()
	if _, err := fmt.Fprint(buf, v); err != nil {
		return err
	}
	_, err := buf.WriteTo(w)
	buffers.Put(buf)
	return err
}

func goodFallback(w io.Writer, v any) error {
	buf, ok := buffers.Get().(*bytes.Buffer)
	if !ok {
		buf = new(bytes.Buffer)
	}
	defer buffers.Put(buf)
	buf.Reset()
	if _, err := fmt.Fprint(buf, v); err != nil {
		return err
	}
	_, err := buf.WriteTo(w)
	return err
}

func goodNothingInPool(w io.Writer, v any) error {
	buf, ok := buffers.Get().(*bytes.Buffer)
	if !ok {
		_, err := fmt.Fprint(w, v)
		return err
	}
	defer buffers.Put(buf)
	buf.Reset()
	fmt.Fprint(buf, v)
	_, err := buf.WriteTo(w)
	return err
}

func goodNilItem(w io.Writer, v any) error {
	x := buffers.Get()
	if x == nil {
		_, err := fmt.Fprint(w, v)
		return err
	}
	buf := x.(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	_, err := buf.WriteTo(w)
	buffers.Put(x)
	return err
}

// What is too large is left to the collector.
func goodDroppedBySize(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	buf.WriteTo(w)
	if buf.Cap() > 64<<10 {
		return
	}
	buffers.Put(buf)
}

func goodKeptBySize(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	buf.WriteTo(w)
	if buf.Cap() <= 64<<10 {
		buffers.Put(buf)
	}
}

func goodDeferredBySize(w io.Writer, v any) error {
	bp := blocks.Get().(*[]byte)
	defer func() {
		if cap(*bp) <= 64<<10 {
			blocks.Put(bp)
		}
	}()
	b := fmt.Append((*bp)[:0], v)
	*bp = b
	_, err := w.Write(b)
	return err
}

// A parser that has failed is not worth keeping.
func goodDroppedAfterError(s string) (int, error) {
	p := parsers.Get().(*parser)
	if err := p.parse(s); err != nil {
		return 0, err
	}
	n := len(p.tokens)
	parsers.Put(p)
	return n, nil
}

func badOtherError(s string, w io.Writer) (int, error) {
	p := parsers.Get().(*parser) // want "is not put back"
	p.depth++
	if _, err := io.WriteString(w, s); err != nil {
		return 0, err
	}
	n := len(p.tokens)
	parsers.Put(p)
	return n, nil
}

func goodDroppedUnusable(s string) (int, error) {
	p := parsers.Get().(*parser)
	p.tokens = append(p.tokens[:0], s)
	if !p.usable() {
		return 0, io.ErrUnexpectedEOF
	}
	n := len(p.tokens)
	parsers.Put(p)
	return n, nil
}

func goodDroppedAfterReset(r io.Reader) ([]byte, error) {
	zr := unzippers.Get().(*gzip.Reader)
	if err := zr.Reset(r); err != nil {
		return nil, err
	}
	defer unzippers.Put(zr)
	return io.ReadAll(zr)
}

func badAfterReset(r io.Reader, n int64) ([]byte, error) {
	zr := unzippers.Get().(*gzip.Reader) // want "is not put back"
	if n > 1<<20 {
		return nil, errTooLarge
	}
	if err := zr.Reset(r); err != nil {
		return nil, err
	}
	defer unzippers.Put(zr)
	return io.ReadAll(zr)
}

// Nobody needs the value when the program ends, or panics.
func goodFatal(r io.Reader) int {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Fatal(err)
	}
	blocks.Put(bp)
	return n
}

func goodExit(r io.Reader) int {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		os.Exit(1)
	}
	blocks.Put(bp)
	return n
}

func goodPanic(r io.Reader) int {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		panic(err)
	}
	blocks.Put(bp)
	return n
}

func badPrinted(r io.Reader) int {
	bp := blocks.Get().(*[]byte) // want "is not put back"
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		return 0
	}
	blocks.Put(bp)
	return n
}

// Only what was got is put.
func goodGotInBranch(w io.Writer, data []byte, indent bool) error {
	if indent {
		buf := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buf)
		buf.Reset()
		if err := json.Indent(buf, data, "", "  "); err != nil {
			return err
		}
		data = buf.Bytes()
	}
	_, err := w.Write(data)
	return err
}

func goodPutIfGot(w io.Writer, data []byte, indent bool) error {
	var buf *bytes.Buffer
	if indent {
		buf = buffers.Get().(*bytes.Buffer)
		buf.Reset()
		if json.Indent(buf, data, "", "  ") == nil {
			data = buf.Bytes()
		}
	}
	_, err := w.Write(data)
	if buf != nil {
		buffers.Put(buf)
	}
	return err
}

func goodIgnored() int {
	//lessgc:ignore poolmissingput the first ones have a long way to go: they are not worth keeping
	buf := buffers.Get().(*bytes.Buffer)
	return buf.Cap()
}

// A function of a package-level variable is one like any other.
var badVariable = func(v any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer) // want "is not put back"
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return "", err
	}
	s := buf.String()
	buffers.Put(buf)
	return s, nil
}

var goodVariable = func(v any) (string, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return "", err
	}
	return buf.String(), nil
}
