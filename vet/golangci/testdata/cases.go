// Package cases holds a mistake for one of the rules.
package cases

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func badLength(s string) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	buffers.Put(b)
	return b.Len() // want "b is used after it was put back"
}

func goodLength(s string) int {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.Len()
}
