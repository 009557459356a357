package from

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A Buffer has a buffer from a pool until Close.
type Buffer struct {
	*bytes.Buffer
}

func New() *Buffer { return &Buffer{buffers.Get().(*bytes.Buffer)} }

func (b *Buffer) Close() error {
	b.Reset()
	buffers.Put(b.Buffer)
	return nil
}
