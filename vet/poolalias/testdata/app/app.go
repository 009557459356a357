// Package app uses the pooled values of another package.
package app

import (
	"io"

	"cases/lib"
)

var last []byte

func badReturned(n int) []byte {
	l := lib.Get()
	defer lib.Put(l)
	return l.Int(n).Bytes() // want "which is put back"
}

func goodReturned(n int) string {
	l := lib.Get()
	defer lib.Put(l)
	return l.Int(n).String()
}

func badStored(n int) {
	l := lib.Get()
	defer l.Free()
	l.Int(n)
	last = l.Bytes() // want "which is put back"
}

func goodStored(n int) {
	l := lib.Get()
	defer l.Free()
	l.Int(n)
	last = append(last[:0], l.Bytes()...)
}

func badSent(ch chan<- []byte, n int) {
	l := lib.Get().Int(n)
	ch <- l.Bytes() // want "which is put back"
	l.Free()
}

func goodSent(ch chan<- []byte, n int) {
	l := lib.Get().Int(n)
	ch <- []byte(l.String())
	l.Free()
}

func badEmitted(w io.Writer, n int) ([]byte, error) {
	l := lib.Get().Int(n)
	text := l.Bytes()
	err := lib.Emit(w, l)
	return text, err // want "which is put back"
}

func goodEmitted(w io.Writer, n int) (int, error) {
	l := lib.Get().Int(n)
	size := lib.Size(l)
	err := lib.Emit(w, l)
	return size, err
}

// Steal leaves the line without its text.
func goodStolen(n int) []byte {
	l := lib.Get()
	defer l.Free()
	l.Int(n)
	return lib.Steal(l)
}

// The caller frees the line.
func goodHandedOn(n int) *lib.Line {
	l := lib.Get()
	l.Level = n
	return l.Int(n)
}

func badHandedOn(n int) *lib.Line {
	l := lib.Get()
	defer l.Free()
	l.Level = n
	return l.Int(n) // want "which is put back"
}

// A batch takes the lines over.
func goodBatch(n int) *lib.Batch {
	b := new(lib.Batch)
	for i := range n {
		b.Add(lib.Get().Int(i))
	}
	return b
}

func badBatch(b *lib.Batch, n int) {
	l := lib.Get().Int(n)
	defer lib.Put(l)
	b.Add(l) // want "which is put back"
}

type point struct{ x, y int }

var points lib.Cache[point]

func badBorrowed(x int) *point {
	p := points.Borrow()
	defer points.Return(p)
	p.x, p.y = x, x
	return p // want "which is put back"
}

func goodBorrowed(x int) point {
	p := points.Borrow()
	defer points.Return(p)
	p.x, p.y = x, x
	return *p
}
