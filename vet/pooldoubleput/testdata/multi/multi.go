// Package multi has getters with several results, one of which releases the other.
package multi

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func load() (*bytes.Buffer, func()) {
	b := buffers.Get().(*bytes.Buffer)
	return b, func() { buffers.Put(b) }
}

func badBoth(w io.Writer) {
	b, release := load()
	defer release() // want "b is put back twice"
	w.Write(b.Bytes())
	buffers.Put(b)
}

func goodOne(w io.Writer) {
	b, release := load()
	defer release()
	w.Write(b.Bytes())
}

func badTwice(w io.Writer) {
	b, release := load()
	w.Write(b.Bytes())
	release()
	release() // want "b is put back twice"
}

func loadOnce() (*bytes.Buffer, func()) {
	b := buffers.Get().(*bytes.Buffer)
	return b, sync.OnceFunc(func() { buffers.Put(b) })
}

func goodTwice(w io.Writer) {
	b, release := loadOnce()
	defer release()
	w.Write(b.Bytes())
	release()
}
