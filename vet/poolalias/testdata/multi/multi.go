// Package multi has getters with several results, one of which releases the other.
package multi

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func load() (*bytes.Buffer, func()) {
	b := buffers.Get().(*bytes.Buffer)
	return b, func() { buffers.Put(b) }
}

func badBytes(s string) []byte {
	b, release := load()
	defer release()
	b.WriteString(s)
	return b.Bytes() // want "the value returned aliases b"
}

func goodBytes(s string) string {
	b, release := load()
	defer release()
	b.WriteString(s)
	return b.String()
}

func goodBoth(s string) ([]byte, func()) {
	b, release := load()
	b.WriteString(s)
	return b.Bytes(), release
}
