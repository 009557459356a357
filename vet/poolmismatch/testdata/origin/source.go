package origin

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"sync"
)

type gzReader struct {
	gz *gzip.Reader
	in *bufio.Reader
}

func (r *gzReader) Read(b []byte) (int, error) { return r.gz.Read(b) }

func (r *gzReader) open(from io.Reader) error {
	r.in.Reset(from)
	return r.gz.Reset(r.in)
}

var gzReaders = sync.Pool{New: func() any { return &gzReader{new(gzip.Reader), bufio.NewReader(nil)} }}

// The source is put in place of the reader that could not read it.
func badSource(from io.Reader) (*gzReader, error) {
	if r, ok := gzReaders.Get().(*gzReader); ok {
		if err := r.gz.Reset(from); err != nil {
			gzReaders.Put(from) // want `from, which is no value of gzReaders, is put into it instead of the \*gzReader`
			return nil, err
		}
		return r, nil
	}
	return nil, errors.New("none")
}

// By a method of the value.
func badSourceOpened(from io.Reader) (*gzReader, error) {
	r := gzReaders.Get().(*gzReader)
	if err := r.open(from); err != nil {
		gzReaders.Put(from) // want `from, which is no value of gzReaders, is put into it instead of the \*gzReader`
		return nil, err
	}
	return r, nil
}

// At the end of its use.
func badSourceRead(from io.ReadCloser) error {
	r := gzReaders.Get().(*gzReader)
	if err := r.open(from); err != nil {
		return err
	}
	_, err := io.ReadAll(r)
	gzReaders.Put(from) // want `from, which is no value of gzReaders`
	return err
}

func goodSource(from io.Reader) (*gzReader, error) {
	if r, ok := gzReaders.Get().(*gzReader); ok {
		if err := r.gz.Reset(from); err != nil {
			gzReaders.Put(r)
			return nil, err
		}
		return r, nil
	}
	return nil, errors.New("none")
}

// Whoever closes it passes what was got.
func goodSourceClosed(r io.Reader) { gzReaders.Put(r) }

// The pool gets another one in exchange.
type layer interface{ Under(l layer) }

type layerOf struct{ below layer }

func (l *layerOf) Under(below layer) { l.below = below }

var goodLayers = sync.Pool{New: func() any { return new(layerOf) }}

func goodExchange(l layer) layer {
	top := goodLayers.Get().(*layerOf)
	top.Under(l)
	goodLayers.Put(l)
	return top
}

// Both are put.
func goodBothLayers(l layer) {
	top := goodLayers.Get().(*layerOf)
	top.Under(l)
	goodLayers.Put(l)
	goodLayers.Put(top)
}
