package wrappers

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

const (
	smallBlock = 1 << 12
	largeBlock = 1 << 16
)

var (
	smallBlocks = sync.Pool{New: func() any { b := make([]byte, smallBlock); return &b }}
	largeBlocks = sync.Pool{New: func() any { b := make([]byte, largeBlock); return &b }}
)

// A class is the size of blocks.
type class int

// Get takes a block from one of two pools, each at a return of its own.
func (c class) Get() *[]byte {
	if c == 0 {
		return smallBlocks.Get().(*[]byte)
	}
	return largeBlocks.Get().(*[]byte)
}

func (c class) Put(b *[]byte) {
	switch cap(*b) {
	case smallBlock:
		smallBlocks.Put(b)
	case largeBlock:
		largeBlocks.Put(b)
	}
}

func badClass(c class, r io.Reader, use func([]byte) error) error {
	for {
		b := c.Get() // want "b is never put back"
		n, err := io.ReadFull(r, *b)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
	}
}

func goodClass(c class, r io.Reader) error {
	b := c.Get()
	defer c.Put(b)
	_, err := io.ReadFull(r, *b)
	return err
}

func badClassOnError(c class, r io.Reader) (int, error) {
	b := c.Get() // want "b is not put back on the path to line 67"
	n, err := io.ReadFull(r, *b)
	if err != nil {
		return 0, err
	}
	c.Put(b)
	return n, nil
}

var (
	texts  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	images = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

var errNoKind = errors.New("no such kind")

// getKind has three pools' values, or none.
func getKind(kind string) (*bytes.Buffer, error) {
	switch kind {
	case "text":
		b := texts.Get().(*bytes.Buffer)
		b.Reset()
		return b, nil
	case "image":
		b := images.Get().(*bytes.Buffer)
		b.Reset()
		return b, nil
	case "other":
		return new(bytes.Buffer), nil
	}
	return nil, errNoKind
}

func putKind(kind string, b *bytes.Buffer) {
	if kind == "image" {
		images.Put(b)
		return
	}
	texts.Put(b)
}

func badKind(kind string, r io.Reader, w io.Writer) error {
	b, err := getKind(kind) // want "b is not put back on the path to line 111"
	if err != nil {
		return err
	}
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	w.Write(b.Bytes())
	putKind(kind, b)
	return nil
}

func goodKind(kind string, r io.Reader, w io.Writer) error {
	b, err := getKind(kind)
	if err != nil {
		return err
	}
	defer putKind(kind, b)
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	w.Write(b.Bytes())
	return nil
}

var common = new(bytes.Buffer)

// getCommon has one that all share for the rest.
func getCommon(kind string) *bytes.Buffer {
	switch kind {
	case "text":
		return texts.Get().(*bytes.Buffer)
	case "image":
		return images.Get().(*bytes.Buffer)
	}
	return common
}

func goodCommon(kind string, w io.Writer) {
	b := getCommon(kind)
	w.Write(b.Bytes())
	if kind == "text" {
		texts.Put(b)
	}
}
