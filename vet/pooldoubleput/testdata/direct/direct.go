// Package direct has functions that put a value themselves, once or more often.
package direct

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var blocks = sync.Pool{New: func() any {
	b := make([]byte, 4096)
	return &b
}}

var pages = sync.Pool{New: func() any { return new([4096]byte) }}

type conn struct {
	buf  *bytes.Buffer
	bufs sync.Pool
	open bool
}

func badTwice(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	w.Write(buf.Bytes())
	buffers.Put(buf)
	buffers.Put(buf) // want "is put back twice"
}

func goodOnce(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	fmt.Fprint(buf, v)
	w.Write(buf.Bytes())
	buffers.Put(buf)
}

// The error branch lacks its return.
func badErrorBranch(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
	}
	log.Print(n)
	blocks.Put(bp) // want "is put back twice"
}

func goodErrorBranch(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		log.Print(err)
		blocks.Put(bp)
		return
	}
	log.Print(n)
	blocks.Put(bp)
}

func goodErrorBranchExits(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		log.Fatal(err)
	}
	log.Print(n)
	blocks.Put(bp)
}

func goodErrorBranchPanics(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if err != nil {
		blocks.Put(bp)
		panic(err)
	}
	log.Print(n)
	blocks.Put(bp)
}

func goodErrorBranchEndsProgram(w io.Writer, r io.Reader) {
	bp := blocks.Get().(*[]byte)
	n, err := r.Read(*bp)
	if errors.Is(err, os.ErrClosed) {
		blocks.Put(bp)
		os.Exit(1)
	}
	log.Print(n)
	blocks.Put(bp)
}

func badBothBranchesAndAfter(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if len(data) == 0 {
		buffers.Put(buf)
	} else {
		buf.Write(data)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
	buffers.Put(buf) // want "is put back twice"
}

func goodBothBranches(w io.Writer, data []byte) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if len(data) == 0 {
		buffers.Put(buf)
	} else {
		buf.Write(data)
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

func badCaseAndAfter(kind byte, w io.Writer) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	switch kind {
	case 'q':
		buf.WriteString("quit")
	case 'p':
		buf.WriteString("pong")
		buf.WriteTo(w)
		buffers.Put(buf)
	default:
		buf.WriteString("what?")
	}
	buf.Reset()
	buffers.Put(buf) // want "is put back twice"
}

func goodCaseReturns(kind byte, w io.Writer) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	switch kind {
	case 'q':
		buf.WriteString("quit")
	case 'p':
		buf.WriteString("pong")
		buf.WriteTo(w)
		buffers.Put(buf)
		return
	default:
		buf.WriteString("what?")
	}
	buf.Reset()
	buffers.Put(buf)
}

// Two names of one value.
func badTwoNames(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	out := buf
	fmt.Fprint(out, v)
	w.Write(out.Bytes())
	buffers.Put(out)
	buffers.Put(buf) // want "is put back twice"
}

func goodTwoValues(w io.Writer, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	out := buffers.Get().(*bytes.Buffer)
	fmt.Fprint(out, v)
	w.Write(out.Bytes())
	buffers.Put(out)
	buffers.Put(buf)
}

// The value as the pool gave it, and the same after the assertion.
func badInterfaceAndPointer(w io.Writer) {
	v := buffers.Get()
	buf := v.(*bytes.Buffer)
	buf.WriteTo(w)
	buffers.Put(v)
	buffers.Put(buf) // want "is put back twice"
}

func goodInterfaceOnly(w io.Writer) {
	v := buffers.Get()
	if buf, ok := v.(*bytes.Buffer); ok {
		buf.WriteTo(w)
	}
	buffers.Put(v)
}

func badArrayTwice(r io.Reader) (int, error) {
	b := pages.Get().(*[4096]byte)[:]
	n, err := r.Read(b)
	if err != nil {
		pages.Put((*[4096]byte)(b))
	}
	pages.Put((*[4096]byte)(b)) // want "is put back twice"
	return n, err
}

func goodArrayOnce(r io.Reader) (int, error) {
	b := pages.Get().(*[4096]byte)[:]
	n, err := r.Read(b)
	if err != nil {
		pages.Put((*[4096]byte)(b))
		return n, err
	}
	pages.Put((*[4096]byte)(b))
	return n, nil
}

func (c *conn) badPoolOfStruct(w io.Writer) error {
	buf := c.bufs.Get().(*bytes.Buffer)
	if !c.open {
		c.bufs.Put(buf)
		c.bufs.Put(buf) // want "is put back twice"
		return os.ErrClosed
	}
	_, err := buf.WriteTo(w)
	c.bufs.Put(buf)
	return err
}

func (c *conn) goodPoolOfStruct(w io.Writer) error {
	buf := c.bufs.Get().(*bytes.Buffer)
	if !c.open {
		c.bufs.Put(buf)
		return os.ErrClosed
	}
	_, err := buf.WriteTo(w)
	c.bufs.Put(buf)
	return err
}

// badParameter puts what its caller gave it.
func badParameter(w io.Writer, buf *bytes.Buffer) {
	if _, err := buf.WriteTo(w); err != nil {
		buffers.Put(buf)
	}
	buf.Reset()
	buffers.Put(buf) // want "is put back twice"
}

func goodParameter(w io.Writer, buf *bytes.Buffer) {
	if _, err := buf.WriteTo(w); err != nil {
		buf.Reset()
	}
	buffers.Put(buf)
}

// The method as a function with the pool as its first argument.
func badMethodExpression(w io.Writer) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.WriteTo(w)
	buffers.Put(buf)
	(*sync.Pool).Put(&buffers, buf) // want "is put back twice"
}

func goodMethodExpression(w io.Writer) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.WriteTo(w)
	(*sync.Pool).Put(&buffers, buf)
}

// The two branches exclude each other.
func goodSameCondition(w io.Writer, data []byte, later bool) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.Reset()
	buf.Write(data)
	if !later {
		buf.WriteTo(w)
		buffers.Put(buf)
	}
	log.Print(len(data))
	if later {
		buf.WriteTo(w)
		buffers.Put(buf)
	}
}

// The variable holds another value by then.
func goodReplaced(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.WriteString(head)
	buf.WriteTo(w)
	buffers.Put(buf)
	buf = buffers.Get().(*bytes.Buffer)
	buf.WriteString(tail)
	buf.WriteTo(w)
	buffers.Put(buf)
}

func badNotReplaced(w io.Writer, head, tail string) {
	buf := buffers.Get().(*bytes.Buffer)
	buf.WriteString(head)
	buf.WriteTo(w)
	buffers.Put(buf)
	next := buffers.Get().(*bytes.Buffer)
	next.WriteString(tail)
	next.WriteTo(w)
	buffers.Put(buf) // want "is put back twice"
}

// Each of the two is put once, whichever it is.
func goodSwapped(w io.Writer, data []byte) {
	a := buffers.Get().(*bytes.Buffer)
	b := buffers.Get().(*bytes.Buffer)
	if len(data)%2 == 1 {
		a, b = b, a
	}
	a.Write(data)
	b.ReadFrom(a)
	b.WriteTo(w)
	buffers.Put(a)
	buffers.Put(b)
}

// A block that is too small goes back at once and a larger one takes its place.
func goodGrown(w io.Writer, data []byte) {
	bp := blocks.Get().(*[]byte)
	if len(*bp) < len(data) {
		larger := make([]byte, len(data))
		blocks.Put(bp)
		bp = &larger
	}
	n := copy(*bp, data)
	w.Write((*bp)[:n])
	blocks.Put(bp)
}

// The field records whether there is something to put.
func (c *conn) goodGuarded() {
	if c.buf != nil {
		c.bufs.Put(c.buf)
		c.buf = nil
	}
	c.open = false
	if c.buf != nil {
		c.bufs.Put(c.buf)
	}
}

// The item may be missing; then there is a new one.
func goodFallback(w io.Writer, v any) {
	buf, ok := buffers.Get().(*bytes.Buffer)
	if !ok {
		buf = new(bytes.Buffer)
	}
	buf.Reset()
	fmt.Fprint(buf, v)
	if _, err := buf.WriteTo(w); err != nil {
		buffers.Put(buf)
		return
	}
	buffers.Put(buf)
}

func goodIgnored() {
	buf := buffers.Get()
	buffers.Put(buf)
	//lessgc:ignore pooldoubleput a test of what happens then
	buffers.Put(buf)
}
