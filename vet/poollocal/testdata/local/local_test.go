package local

import (
	"bytes"
	"sync"
	"testing"
)

func TestPool(t *testing.T) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
	if b.Len() != 0 {
		t.Error("not empty")
	}
}

func TestAll(t *testing.T) {
	var w bytes.Buffer
	badLiteral(&w, "a")
	if n := badVar("a") + badPointer("b") + badNew("c"); n != 3 || w.String() != "a" {
		t.Error(n, w.String())
	}
}
