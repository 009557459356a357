// Package lent lends values to structs that write to them.
package lent

import (
	"bytes"
	"io"
	"sync"
)

// A struct that was given the value writes to it.
type recorder struct{ body *bytes.Buffer }

func newRecorder(b *bytes.Buffer) *recorder { return &recorder{body: b} }

func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

var recorded = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badRecorder(f func(io.Writer)) int {
	b := recorded.Get().(*bytes.Buffer)
	b.Reset()
	f(newRecorder(b))
	n := b.Len()
	recorded.Put(b) // want `a \*bytes.Buffer is put into recorded`
	return n
}
