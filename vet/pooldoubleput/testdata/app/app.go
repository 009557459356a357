// Package app uses the pooled values of another package.
package app

import (
	"io"

	"cases/lib"
)

func badPutTwice(w io.Writer, n int) {
	l := lib.Get()
	defer lib.Put(l) // want "is put back twice"
	l.Int(n)
	if _, err := l.WriteTo(w); err != nil {
		lib.Put(l)
	}
}

func goodPutOnce(w io.Writer, n int) {
	l := lib.Get()
	defer lib.Put(l)
	l.Int(n)
	l.WriteTo(w)
}

func badFreeAndPut(w io.Writer, n int) {
	l := lib.Get().Int(n)
	l.WriteTo(w)
	l.Free()
	lib.Put(l) // want "is put back twice"
}

func goodFreeOrPut(w io.Writer, n int) {
	l := lib.Get().Int(n)
	if _, err := l.WriteTo(w); err != nil {
		l.Free()
	} else {
		lib.Put(l)
	}
}

// Emit frees the line that it was given.
func badFreeAfterEmit(w io.Writer, n int) error {
	l := lib.Get().Int(n)
	err := lib.Emit(w, l)
	l.Free() // want "is put back twice"
	return err
}

func goodEmit(w io.Writer, n int) error {
	l := lib.Get().Int(n)
	return lib.Emit(w, l)
}

func badDeferredFreeAndEmit(w io.Writer, n int) error {
	l := lib.Get()
	defer l.Free() // want "is put back twice"
	return lib.Emit(w, l.Int(n))
}

func goodFreeAfterSize(n int) int {
	l := lib.Get()
	defer l.Free()
	return lib.Size(l.Int(n))
}

// The batch frees what it was given: nobody else has to.
func goodBatch(w io.Writer, n int) {
	var b lib.Batch
	defer b.Close()
	for i := range n {
		l := lib.Get().Int(i)
		b.Add(l)
		l.WriteTo(w)
	}
}

type point struct{ x, y int }

var points lib.Cache[point]

func badReturnTwice(x int) (sum int) {
	p := points.Borrow()
	p.x, p.y = x, x
	if sum = p.x + p.y; sum < 0 {
		points.Return(p)
	}
	points.Return(p) // want "is put back twice"
	return sum
}

func goodReturnOnce(x int) (sum int) {
	p := points.Borrow()
	p.x, p.y = x, x
	sum = p.x + p.y
	points.Return(p)
	return sum
}
