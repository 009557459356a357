package std

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// A reset in one function does not help the other.
var halves = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodHalf(name string) string {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b)
	b.Reset()
	fmt.Fprintf(b, "<%s>", name)
	return b.String()
}

func badHalf(name string) string {
	b := halves.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of halves is reset neither`
	defer halves.Put(b)
	fmt.Fprintf(b, "<%s>", name)
	return b.String()
}

func badHalfLast(name string) string {
	b := halves.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of halves`
	b.WriteString(name)
	s := b.String()
	b.Reset()
	halves.Put(b)
	return s
}

func badHalfPath(name string, anew bool) string {
	b := halves.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of halves`
	defer halves.Put(b)
	if anew {
		b.Reset()
	}
	b.WriteString(name)
	return b.String()
}

func goodHalfIdle() {
	b := halves.Get().(*bytes.Buffer)
	halves.Put(b)
}

func goodHalfUnread(name string) {
	b := halves.Get().(*bytes.Buffer)
	b.WriteString(name)
	halves.Put(b)
}

func goodHalfBegun(name string) string {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b)
	begin(b)
	b.WriteString(name)
	return b.String()
}

func goodHalfGiven(name string, anew func(*bytes.Buffer)) string {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b)
	anew(b)
	b.WriteString(name)
	return b.String()
}

func goodHalfFrom(name string) string {
	b := halves.Get().(*bytes.Buffer)
	defer halves.Put(b)
	at := b.Len()
	b.WriteString(name)
	return string(b.Bytes()[at:])
}

func badHalfPassed(names []string) string {
	b := halves.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of halves`
	defer halves.Put(b)
	spell(b, names)
	return b.String()
}

func spell(b *bytes.Buffer, names []string) {
	for _, s := range names {
		b.WriteString(s)
	}
}

// All values are reset before they are put.
var clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodClean(name string) string {
	b := clean.Get().(*bytes.Buffer)
	b.WriteString(name)
	s := b.String()
	b.Reset()
	clean.Put(b)
	return s
}

func putClean(b *bytes.Buffer) {
	b.Truncate(0)
	clean.Put(b)
}

func goodCleanDeferred(name string) string {
	b := clean.Get().(*bytes.Buffer)
	defer putClean(b)
	b.WriteString(name)
	return b.String()
}

func goodCleanTwice(name string) string {
	b := clean.Get().(*bytes.Buffer)
	defer clean.Put(b)
	defer b.Reset()
	b.WriteString(name)
	return b.String()
}

func goodCleanDrained(w io.Writer, name string) {
	b := clean.Get().(*bytes.Buffer)
	defer clean.Put(b)
	b.WriteString(name)
	b.WriteTo(w)
}

// A function that gets for others resets all, or none.
var renewed = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getRenewed() *bytes.Buffer {
	b := renewed.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func goodRenewed(name string) string {
	b := getRenewed()
	defer renewed.Put(b)
	b.WriteString(name)
	return b.String()
}

var plain = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getPlain() *bytes.Buffer  { return plain.Get().(*bytes.Buffer) }
func putPlain(b *bytes.Buffer) { plain.Put(b) }

func goodPlain(name string) string {
	b := getPlain()
	defer putPlain(b)
	b.Reset()
	b.WriteString(name)
	return b.String()
}

func badPlain(name string) string {
	b := getPlain() // want `the \*bytes.Buffer of plain`
	defer putPlain(b)
	b.WriteString(name)
	return b.String()
}

// Where nothing is reset, what is only put again is not reported.
var never = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badNever(w io.Writer, name string) {
	b := never.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of never`
	defer never.Put(b)
	b.WriteString(name)
	w.Write(b.Bytes())
}

func goodNever() {
	b := never.Get().(*bytes.Buffer)
	never.Put(b)
}

func badNeverGiven(w io.Writer, name string) {
	b := never.Get().(*bytes.Buffer) // want `the \*bytes.Buffer of never`
	func() { b.WriteString(name) }()
	w.Write(b.Bytes())
	never.Put(b)
}
