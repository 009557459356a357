package grow

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// A guard in one function does not help the other.
var halves = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodHalf(r io.Reader) int {
	b := halves.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	n := b.Len()
	if b.Cap() <= 1<<16 {
		halves.Put(b)
	}
	return n
}

func badHalf(r io.Reader) int {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b) // want `a \*bytes.Buffer is put into halves`
	b.Reset()
	io.Copy(b, r)
	return b.Len()
}

func goodHalfIdle() {
	b := halves.Get().(*bytes.Buffer)
	halves.Put(b)
}

func goodHalfSmall(n int) int {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b)
	b.Reset()
	fmt.Fprintf(b, "%d", n)
	return b.Len()
}

func goodHalfOther(c *bytes.Buffer, r io.Reader) int {
	b := halves.Get().(*bytes.Buffer)
	c.ReadFrom(r)
	n := b.Len()
	halves.Put(b)
	return n
}

func goodHalfBefore(r io.Reader) *bytes.Buffer {
	b := halves.Get().(*bytes.Buffer)
	if r == nil {
		halves.Put(b)
		return nil
	}
	b.ReadFrom(r)
	return b
}

func badHalfPassed(words []string) int {
	b := halves.Get().(*bytes.Buffer)
	b.Reset()
	spell(b, words)
	n := b.Len()
	halves.Put(b) // want `a \*bytes.Buffer is put into halves`
	return n
}

func spell(b *bytes.Buffer, words []string) {
	for _, w := range words {
		b.WriteString(w)
	}
}

// The helper of one looks, and the other has none.
var helped = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putHelped(b *bytes.Buffer) {
	if small(b) {
		helped.Put(b)
	}
}

func goodHelped(r io.Reader) int {
	b := helped.Get().(*bytes.Buffer)
	defer putHelped(b)
	b.Reset()
	b.ReadFrom(r)
	return b.Len()
}

func badNotHelped(r io.Reader) int {
	b := helped.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		helped.Put(b) // want `a \*bytes.Buffer is put into helped`
	}()
	b.ReadFrom(r)
	return b.Len()
}

func goodGivenToOther(r io.Reader, use func(*bytes.Buffer)) {
	b := helped.Get().(*bytes.Buffer)
	use(b)
	putHelped(b)
}

// The one who puts has not got the value: whoever calls may look.
var handed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodHanded(b *bytes.Buffer) { handed.Put(b) }

func goodHanding(r io.Reader) int {
	b := handed.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	n := b.Len()
	if n < 1<<12 {
		goodHanded(b)
	}
	return n
}

func goodHandingAll(r io.Reader) int {
	b := handed.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	n := b.Len()
	goodHanded(b)
	return n
}

// Parts of structs.
type table struct{ rows []string }

var tables = sync.Pool{New: func() any { return new(table) }}

func goodTable(rows []string) {
	t := tables.Get().(*table)
	t.rows = append(t.rows[:0], rows...)
	if cap(t.rows) < 1000 {
		tables.Put(t)
	}
}

func badTable(rows []string) {
	t := tables.Get().(*table)
	defer tables.Put(t) // want `a \*table is put into tables`
	for _, r := range rows {
		t.rows = append(t.rows, r)
	}
}

// A pool that is limited in one place is not reported in another.
var read = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodRead(r io.Reader) int {
	b := read.Get().(*bytes.Buffer)
	defer read.Put(b)
	b.Reset()
	b.ReadFrom(io.LimitReader(r, 100))
	return b.Len()
}

func goodReadAll(r io.Reader) int {
	b := read.Get().(*bytes.Buffer)
	defer read.Put(b)
	b.Reset()
	b.ReadFrom(r)
	return b.Len()
}

// If other functions look at some of their values, all fixes go together.
var mixed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badMixedGiven(b *bytes.Buffer) {
	b.Reset()
	mixed.Put(b) // want `a \*bytes.Buffer is put into mixed`
}

func badMixed(r io.Reader) int {
	b := mixed.Get().(*bytes.Buffer)
	b.ReadFrom(r)
	n := b.Len()
	mixed.Put(b) // want `a \*bytes.Buffer is put into mixed`
	return n
}
