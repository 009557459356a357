// Package meant has values that are taken out of a pool to be gone, and errors that cannot happen.
package meant

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"sync"
)

type conn struct{ w io.WriteCloser }

var (
	conns   sync.Pool
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	hashes  = sync.Pool{New: func() any { return sha256.New() }}
)

// A pool without New is empty at last.
func goodDrain() (n int) {
	for {
		v := conns.Get()
		if v == nil {
			return n
		}
		v.(*conn).w.Close()
		n++
	}
}

func goodDrainTyped() {
	for {
		c, ok := conns.Get().(*conn)
		if !ok {
			break
		}
		c.w.Close()
	}
}

func badLoop(names []string) {
	for _, name := range names {
		v := conns.Get() // want "v is never put back"
		if v == nil {
			return
		}
		io.WriteString(v.(*conn).w, name)
	}
}

func goodDiscard(n int) {
	for range n {
		conns.Get()
	}
}

// What is taken out is looked at to see whether it has been used.
func goodDrainUsed(n int) {
	for range n {
		b, _ := buffers.Get().(*bytes.Buffer)
		if b == nil || b.Cap() == 0 {
			break
		}
	}
}

func badSum(n int) (sum int) {
	for range n {
		b := buffers.Get().(*bytes.Buffer) // want "b is never put back"
		sum += b.Cap()
	}
	return sum
}

// A buffer in memory does not fail.
func goodWrite(w io.Writer, s string) error {
	b := buffers.Get().(*bytes.Buffer)
	if _, err := b.WriteString(s); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func badWrite(w io.Writer, s string) error {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 94"
	if _, err := b.WriteString(s); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n", s); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func goodHash(p []byte) ([]byte, error) {
	h := hashes.Get().(hash.Hash)
	h.Reset()
	if _, err := h.Write(p); err != nil {
		return nil, err
	}
	sum := h.Sum(nil)
	hashes.Put(h)
	return sum, nil
}

func badHash(r io.Reader, p []byte) ([]byte, error) {
	h := hashes.Get().(hash.Hash) // want "h is not put back on the path to line 116"
	h.Reset()
	if _, err := r.Read(p); err != nil {
		return nil, err
	}
	h.Write(p)
	sum := h.Sum(nil)
	hashes.Put(h)
	return sum, nil
}
