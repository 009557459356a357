// Package copies copies numbers out of pooled interfaces.
package copies

import (
	"bytes"
	"sync"
)

var (
	ids     = sync.Pool{New: func() any { return uint64(1) }}
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

// An assertion to a type without pointers is a copy, as in github.com/zeebo/pcg.
func goodNamed() (v uint64) {
	x := ids.Get()
	ids.Put(x)
	v, _ = x.(uint64)
	return v
}

func goodDeferred() uint64 {
	x := ids.Get()
	defer ids.Put(x)
	v, ok := x.(uint64)
	if !ok {
		return 0
	}
	return v
}

func goodPlain() uint64 {
	x := ids.Get()
	defer ids.Put(x)
	return x.(uint64)
}

func goodPut() uint64 {
	v := ids.Get().(uint64)
	ids.Put(v)
	return v
}

func goodSwitch() uint64 {
	x := ids.Get()
	defer ids.Put(x)
	switch v := x.(type) {
	case uint64:
		return v
	case uint32:
		return uint64(v)
	}
	return 0
}

type holder struct {
	id   uint64
	data []byte
}

func (h *holder) goodStored() {
	x := ids.Get()
	defer ids.Put(x)
	h.id, _ = x.(uint64)
}

func (h *holder) badStored() {
	x := buffers.Get()
	defer buffers.Put(x)
	b, _ := x.(*bytes.Buffer)
	h.data = b.Bytes() // want "the value stored in h.data aliases x"
}

func badNamed() []byte {
	x := buffers.Get()
	buffers.Put(x)
	b, _ := x.(*bytes.Buffer)
	return b.Bytes() // want "the value returned aliases x"
}
