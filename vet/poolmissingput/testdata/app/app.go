// Package app uses the pooled values of another package.
package app

import (
	"errors"
	"io"

	"cases/lib"
)

var errNegative = errors.New("negative")

func badPutOnOneWay(w io.Writer, n int) error {
	l := lib.Get() // want "is not put back"
	if n < 0 {
		return errNegative
	}
	_, err := l.Int(n).WriteTo(w)
	lib.Put(l)
	return err
}

func goodPutOnAllWays(w io.Writer, n int) error {
	l := lib.Get()
	defer lib.Put(l)
	if n < 0 {
		return errNegative
	}
	_, err := l.Int(n).WriteTo(w)
	return err
}

func badNever(n int) int {
	l := lib.Get() // want "is never put back"
	return lib.Size(l.Int(n))
}

func goodFreed(n int) int {
	l := lib.Get()
	defer l.Free()
	return lib.Size(l.Int(n))
}

func badEmitOnOneWay(w io.Writer, n int) error {
	l := lib.Get() // want "is not put back"
	l.Level = n
	if n < 0 {
		return errNegative
	}
	return lib.Emit(w, l)
}

func goodEmitOnAllWays(w io.Writer, n int) error {
	l := lib.Get()
	l.Level = n
	if n < 0 {
		l.Free()
		return errNegative
	}
	return lib.Emit(w, l)
}

// The batch frees its lines.
func goodBatch(b *lib.Batch, n int) {
	l := lib.Get()
	b.Add(l.Int(n))
}

func goodHandedOn(n int) *lib.Line {
	l := lib.Get()
	return l.Int(n)
}

func badText(n int) string {
	l := lib.Get() // want "is never put back"
	return l.Int(n).String()
}

type point struct{ x, y int }

var points lib.Cache[point]

func badBorrowed(x int) int {
	p := points.Borrow() // want "is not put back"
	p.x, p.y = x, x
	if p.x < 0 {
		return 0
	}
	sum := p.x + p.y
	points.Return(p)
	return sum
}

func goodBorrowed(x int) int {
	p := points.Borrow()
	defer points.Return(p)
	p.x, p.y = x, x
	if p.x < 0 {
		return 0
	}
	return p.x + p.y
}
