package appended

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unsafe"
)

func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func badSplit(data []byte) [][]byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	fields := bytes.Fields(b.Bytes())
	buffers.Put(b)
	return fields // want "the value returned aliases b"
}

func badSplitTexts(data []byte) (out []string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	for _, f := range bytes.Split(b.Bytes(), []byte{','}) {
		out = append(out, text(f))
	}
	buffers.Put(b)
	return out // want "the value returned aliases b"
}

func badSplitOne(data []byte) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	defer buffers.Put(b)
	return bytes.SplitN(b.Bytes(), []byte{'='}, 2)[0] // want "the value returned aliases b"
}

func goodSplitTexts(data []byte) (out []string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	for _, f := range bytes.Split(b.Bytes(), []byte{','}) {
		out = append(out, strings.Clone(text(f)))
	}
	buffers.Put(b)
	return out
}

// Of the list itself only the length is used.
func goodSplitCount(data []byte) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	fields := bytes.Fields(b.Bytes())
	buffers.Put(b)
	return len(fields)
}

func goodSplitCopies(data []byte) (out []string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.Write(data)
	for _, f := range bytes.Fields(b.Bytes()) {
		out = append(out, string(f))
	}
	buffers.Put(b)
	return out
}

type page struct{ data []byte }

var pages = sync.Pool{New: func() any { return &page{data: make([]byte, 0, 4096)} }}

type file struct {
	page *page
	name string
}

func open(name string, r io.Reader) (*file, error) {
	p := pages.Get().(*page)
	n, err := r.Read(p.data[:cap(p.data)])
	if err != nil {
		pages.Put(p)
		return nil, err
	}
	p.data = p.data[:n]
	return &file{p, name}, nil
}

// The page keeps its bytes.
func (f *file) close() {
	f.page.data = f.page.data[:0]
	pages.Put(f.page)
	f.page = nil
}

type label struct{ name, value string }

func badLabels(name string, r io.Reader) ([]label, error) {
	f, err := open(name, r)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var out []label
	for _, v := range bytes.Split(f.page.data, []byte{0}) {
		out = append(out, label{name, text(v)})
	}
	return out, nil // want "the value returned aliases"
}

func goodLabels(name string, r io.Reader) ([]label, error) {
	f, err := open(name, r)
	if err != nil {
		return nil, err
	}
	defer f.close()
	var out []label
	for _, v := range bytes.Split(f.page.data, []byte{0}) {
		out = append(out, label{name, string(v)})
	}
	return out, nil
}

// The bytes are the caller's from now on.
func (f *file) detach() {
	f.page.data = nil
	pages.Put(f.page)
	f.page = nil
}

func goodDetached(name string, r io.Reader) ([]label, error) {
	f, err := open(name, r)
	if err != nil {
		return nil, err
	}
	defer f.detach()
	var out []label
	for _, v := range bytes.Split(f.page.data, []byte{0}) {
		out = append(out, label{name, text(v)})
	}
	return out, nil
}
