// Package callbacks has functions in fields that keep what they are given.
package callbacks

import (
	"bytes"
	"io"
	"sync"
)

var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type handler func(b []byte, n int)

// A loop hands each block to its handler.
type loop struct {
	handle handler
	last   int
}

func (l *loop) run(r io.Reader) error {
	for {
		b := blocks.Get().(*[]byte)
		n, err := r.Read(*b)
		if err != nil {
			blocks.Put(b)
			return err
		}
		l.deliver((*b)[:n], n) // want "the value kept by deliver aliases b"
		blocks.Put(b)
	}
}

func (l *loop) deliver(b []byte, n int) {
	if n == l.last {
		return
	}
	l.last = n
	if l.handle != nil {
		l.handle(b, n)
	}
}

type inbox struct{ packets map[int][]byte }

func keeping() (*loop, *inbox) {
	in := &inbox{packets: map[int][]byte{}}
	l := new(loop)
	l.handle = func(b []byte, n int) { in.packets[n] = b }
	return l, in
}

func copying() (*loop, *inbox) {
	in := &inbox{packets: map[int][]byte{}}
	l := new(loop)
	l.handle = func(b []byte, n int) { in.packets[n] = bytes.Clone(b) }
	return l, in
}

// A scanner has one function, which keeps nothing.
type scanner struct{ visit func(b []byte) }

func newScanner(in *inbox) *scanner {
	return &scanner{visit: func(b []byte) { in.packets[len(b)] = bytes.Clone(b) }}
}

func (s *scanner) goodScan(r io.Reader) error {
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	n, err := r.Read(*b)
	s.visit((*b)[:n])
	return err
}

// A collector has one that appends to a variable of the function around it.
type collector struct{ visit func(b []byte) }

func collecting() (*collector, func() [][]byte) {
	var all [][]byte
	c := &collector{visit: func(b []byte) { all = append(all, b) }}
	return c, func() [][]byte { return all }
}

func (c *collector) badCollect(r io.Reader) error {
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	n, err := r.Read(*b)
	c.visit((*b)[:n]) // want "the value kept by the called function aliases b"
	return err
}

// A latest has one that remembers the last block.
type latest struct{ visit func(b []byte) }

func remembering() (*latest, func() []byte) {
	var last []byte
	l := &latest{visit: func(b []byte) { last = b }}
	return l, func() []byte { return last }
}

func (l *latest) badRemember(r io.Reader) error {
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	n, err := r.Read(*b)
	l.visit((*b)[:n]) // want "the value kept by the called function aliases b"
	return err
}

// The closure keeps it in something that does not outlive the release.
func goodLocal(r io.Reader) int {
	b := blocks.Get().(*[]byte)
	seen := map[int][]byte{}
	visit := func(b []byte) { seen[len(b)] = b }
	n, _ := r.Read(*b)
	visit((*b)[:n])
	total := len(seen)
	blocks.Put(b)
	return total
}

// What is kept is handed on, and put by whoever gets it.
func (l *latest) goodHanded(r io.Reader) error {
	b := blocks.Get().(*[]byte)
	n, err := r.Read(*b)
	l.visit((*b)[:n])
	return err
}
