package perhaps

import (
	"bytes"
	"io"
	"log"
)

// What could not be written is dropped.
//
// summary: w: used; b: released or dropped, used
func putWritten(w io.Writer, b *bytes.Buffer) {
	if _, err := w.Write(b.Bytes()); err != nil {
		log.Print(err)
		return
	}
	buffers.Put(b)
}

func badWritten(w io.Writer, b *bytes.Buffer) int {
	putWritten(w, b)
	return b.Len() // want "b is used after it was put back"
}

func goodWritten(w io.Writer, b *bytes.Buffer) int {
	n := b.Len()
	putWritten(w, b)
	return n
}

// A caller who is told nothing may still have asked.
//
// summary: b: perhaps released; known: used
func putKnown(b *bytes.Buffer, known map[*bytes.Buffer]bool) {
	if !known[b] {
		return
	}
	buffers.Put(b)
}

func goodKnown(b *bytes.Buffer, known map[*bytes.Buffer]bool) int {
	putKnown(b, known)
	return b.Len()
}

// A reader that puts itself at the end tells that by its error.
type selfReader struct {
	src io.Reader
	n   int
}

func (r *selfReader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	if err == io.EOF {
		selfReaders.Put(r)
	}
	return n, err
}

func goodSelf(r *selfReader, p []byte) (int, error) {
	for {
		n, err := r.Read(p)
		if err != nil {
			return n, err
		}
		r.n += n
	}
}
