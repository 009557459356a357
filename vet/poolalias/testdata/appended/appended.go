// Package appended has lists with pooled memory in their elements.
package appended

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type chunk struct {
	data []byte
	n    int
}

func badMade(in []string) []chunk {
	list := make([]chunk, 0, len(in))
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	for _, s := range in {
		buf.Reset()
		buf.WriteString(s)
		list = append(list, chunk{data: buf.Bytes(), n: len(s)})
	}
	return list // want "the value returned aliases buf"
}

func goodMade(in []string) []chunk {
	list := make([]chunk, 0, len(in))
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	for _, s := range in {
		buf.Reset()
		buf.WriteString(s)
		list = append(list, chunk{data: bytes.Clone(buf.Bytes()), n: len(s)})
	}
	return list
}

func badMadeOfConstant(in []string) []*chunk {
	list := make([]*chunk, 0, 8)
	for _, s := range in {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(s)
		list = append(list, &chunk{data: buf.Bytes()})
		buffers.Put(buf)
	}
	return list // want "the value returned aliases buf"
}

func badLiteral(in []string) [][]byte {
	list := [][]byte{}
	for _, s := range in {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(s)
		list = append(list, buf.Bytes())
		buffers.Put(buf)
	}
	return list // want "the value returned aliases buf"
}

// goodNumbers appends no memory.
func goodNumbers(in []string) []chunk {
	list := make([]chunk, 0, len(in))
	for _, s := range in {
		buf := buffers.Get().(*bytes.Buffer)
		buf.WriteString(s)
		list = append(list, chunk{n: buf.Len()})
		buffers.Put(buf)
	}
	return list
}

// goodFilled begins with something else: which of them is returned is not known.
func goodFilled(in []string, first []byte) []byte {
	out := make([]byte, 16)
	buf := buffers.Get().(*bytes.Buffer)
	for _, s := range in {
		buf.WriteString(s)
		if s == "" {
			out = buf.Bytes()
		}
	}
	if len(out) > 16 {
		return nil
	}
	buffers.Put(buf)
	return out
}
