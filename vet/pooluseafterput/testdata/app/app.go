// Package app uses the pooled values of another package.
package app

import (
	"io"

	"cases/lib"
)

func badAfterPut(w io.Writer, n int) {
	l := lib.Get()
	l.Int(n)
	lib.Put(l)
	l.WriteTo(w) // want "is used after it was put back"
}

func goodBeforePut(w io.Writer, n int) {
	l := lib.Get()
	l.Int(n)
	l.WriteTo(w)
	lib.Put(l)
}

func badAfterFree(n int) int {
	l := lib.Get()
	l.Int(n)
	l.Free()
	return l.Level // want "is used after it was put back"
}

func goodBeforeFree(n int) int {
	l := lib.Get()
	l.Int(n)
	level := l.Level
	l.Free()
	return level
}

func badAfterEmit(w io.Writer, n int) (int, error) {
	l := lib.Get().Int(n)
	err := lib.Emit(w, l)
	return lib.Size(l), err // want "is used after it was put back"
}

func goodBeforeEmit(w io.Writer, n int) (int, error) {
	l := lib.Get().Int(n)
	size := lib.Size(l)
	return size, lib.Emit(w, l)
}

func badBytesAfterFree(w io.Writer, n int) error {
	l := lib.Get()
	text := l.Int(n).Bytes()
	l.Free()
	_, err := w.Write(text) // want "is used after it was put back"
	return err
}

func goodStringAfterFree(w io.Writer, n int) error {
	l := lib.Get()
	text := l.Int(n).String()
	l.Free()
	_, err := io.WriteString(w, text)
	return err
}

func goodStolenAfterFree(w io.Writer, n int) error {
	l := lib.Get()
	l.Int(n)
	text := lib.Steal(l)
	l.Free()
	_, err := w.Write(text)
	return err
}

// The batch frees its lines later, at Close.
func goodAfterAdd(w io.Writer, n int) {
	var b lib.Batch
	defer b.Close()
	l := lib.Get()
	b.Add(l)
	l.Int(n)
	l.WriteTo(w)
}

type point struct{ x, y int }

var points lib.Cache[point]

func badAfterReturn(x int) int {
	p := points.Borrow()
	p.x, p.y = x, x
	points.Return(p)
	return p.x + p.y // want "is used after it was put back"
}

func goodBeforeReturn(x int) int {
	p := points.Borrow()
	p.x, p.y = x, x
	sum := p.x + p.y
	points.Return(p)
	return sum
}
