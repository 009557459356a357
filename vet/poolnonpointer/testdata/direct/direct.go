// Package direct calls Put itself.
package direct

import (
	"io"
	"sync"
	"unsafe"

	"lessgc/pool"
)

var p sync.Pool

type point struct{ x, y int }

type line []byte

func badSlice(w io.Writer, s string) {
	b, _ := p.Get().([]byte)
	b = append(b[:0], s...)
	w.Write(b)
	p.Put(b) // want `a value of type \[\]byte is put into a sync.Pool: every Put allocates 24 bytes`
}

func goodPointerToSlice(w io.Writer, s string) {
	b, _ := p.Get().(*[]byte)
	if b == nil {
		b = new([]byte)
	}
	*b = append((*b)[:0], s...)
	w.Write(*b)
	p.Put(b)
}

func badDefer(w io.Writer) {
	b, _ := p.Get().([]byte)
	defer p.Put(b) // want `a value of type \[\]byte is put into a sync.Pool`
	w.Write(b)
}

func goodDefer(w io.Writer) {
	b, _ := p.Get().(*[4096]byte)
	defer p.Put(b)
	w.Write(b[:])
}

func badArray(w io.Writer) {
	b, _ := p.Get().([16]byte)
	w.Write(b[:])
	p.Put(b) // want `a value of type \[16\]byte is put into a sync.Pool: every Put allocates 16 bytes`
}

func goodArrayOfNothing() {
	p.Put([16]struct{}{})
}

func badGo(b []byte) {
	go p.Put(b) // want `a value of type \[\]byte is put into a sync.Pool`
}

func goodGo(b *[]byte) {
	go p.Put(b)
}

func badNamedSlice(l line) {
	p.Put(l) // want `a value of type line is put into a sync.Pool: .* keep a \*line in the pool`
}

func goodNamedSlice(l *line) {
	p.Put(l)
}

func badStruct(x, y int) {
	v := point{x, y}
	p.Put(v) // want `a value of type point is put into a sync.Pool: every Put allocates 16 bytes`
}

func goodStruct(x, y int) {
	v := point{x, y}
	p.Put(&v)
}

func badString(s string) {
	p.Put(s) // want `a value of type string is put into a sync.Pool: every Put allocates 16 bytes`
}

func goodConstant() {
	p.Put("")
}

func badInt(n int) {
	p.Put(n) // want `a value of type int is put into a sync.Pool`
}

func goodByte(n byte) {
	p.Put(n)
}

func badMethodValue(b []byte) {
	put := p.Put
	defer func() {
		put(b) // want `a value of type \[\]byte is put into a sync.Pool`
	}()
	b[0] = 1
}

func goodMethodValue(b []byte) {
	put := p.Put
	defer func() {
		put(&b)
	}()
	b[0] = 1
}

func badMethodExpression(b []byte) {
	(*sync.Pool).Put(&p, b) // want `a value of type \[\]byte is put into a sync.Pool`
}

func goodMethodExpression(b []byte) {
	(*sync.Pool).Put(&p, &b)
}

var badLiteral = func(b []byte) {
	p.Put(b) // want `a value of type \[\]byte is put into a sync.Pool`
}

type embedded struct {
	sync.Pool
	name string
}

func (e *embedded) badEmbedded(b []byte) {
	e.Put(b) // want `a value of type \[\]byte is put into a sync.Pool`
}

func (e *embedded) goodEmbedded(b []byte) {
	e.Put(&b)
}

func badBoxedBefore(b []byte) {
	var x any = b
	p.Put(x) // want `a value of type \[\]byte is put into a sync.Pool`
}

func goodBoxedByOther() {
	x := p.Get()
	p.Put(x)
}

func goodPointerShapes(m map[string]int, c chan int, f func(), u unsafe.Pointer, e error) {
	p.Put(m)
	p.Put(c)
	p.Put(f)
	p.Put(u)
	p.Put(e)
	p.Put(struct{ m map[string]int }{m})
	p.Put([1]*int{new(int)})
	p.Put(struct{}{})
	p.Put(nil)
}

func badHolder(e error) {
	p.Put(struct{ err error }{e}) // want `a value of type struct\{err error\} is put into a sync.Pool`
}

func goodHolder(e *io.PipeReader) {
	p.Put(struct{ r *io.PipeReader }{e})
}

var typed pool.Pool[[]byte]

func goodTyped() {
	b := typed.Get()
	typed.Put(b)
}
