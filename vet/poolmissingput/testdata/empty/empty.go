// Package empty has branches on how much is in a pooled value.
package empty

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
var blocks = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}

func get() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func put(b *bytes.Buffer) {
	if b.Cap() < 64 || b.Cap() > 1<<16 {
		return
	}
	buffers.Put(b)
}

func badNothing(w io.Writer, text string) {
	b := get() // want "is not put back"
	b.WriteString(text)
	if b.Len() == 0 {
		return
	}
	w.Write(b.Bytes())
	put(b)
}

func goodNothing(w io.Writer, text string) {
	b := get()
	b.WriteString(text)
	if b.Len() == 0 {
		put(b)
		return
	}
	w.Write(b.Bytes())
	put(b)
}

func badSomething(w io.Writer, text string) error {
	b := get() // want "is not put back"
	b.WriteString(text)
	if n := b.Len(); n > 0 {
		if _, err := w.Write(b.Bytes()); err != nil {
			put(b)
			return err
		}
		put(b)
	}
	return nil
}

func goodSomething(w io.Writer, text string) error {
	b := get()
	defer put(b)
	b.WriteString(text)
	if n := b.Len(); n > 0 {
		_, err := w.Write(b.Bytes())
		return err
	}
	return nil
}

func badNext(w io.Writer, parts []string) {
	for _, s := range parts {
		b := get() // want "is not put back"
		b.WriteString(s)
		if b.Len() < 2 {
			continue
		}
		w.Write(b.Bytes())
		put(b)
	}
}

func goodNext(w io.Writer, parts []string) {
	for _, s := range parts {
		b := get()
		b.WriteString(s)
		if b.Len() >= 2 {
			w.Write(b.Bytes())
		}
		put(b)
	}
}

func badShort(w io.Writer, s string) int {
	p := blocks.Get().(*[]byte) // want "is not put back"
	*p = append((*p)[:0], s...)
	if len(*p) < 4 {
		return 0
	}
	w.Write(*p)
	blocks.Put(p)
	return len(s)
}

// goodLarge leaves what is large to the collector.
func goodLarge(w io.Writer, s string) int {
	p := blocks.Get().(*[]byte)
	*p = append((*p)[:0], s...)
	w.Write(*p)
	if len(*p) > 1<<16 {
		return 0
	}
	*p = (*p)[:0]
	blocks.Put(p)
	return len(s)
}

// goodChosen puts back what was filled, and only that.
func goodChosen(text string) {
	b := get()
	b.WriteString(text)
	if b.Len() > 0 {
		b.Reset()
		buffers.Put(b)
	}
}

func getBlock() []byte {
	p, _ := pages.Get().([]byte)
	return p
}

var pages sync.Pool

// goodNone has no slice to put back.
func goodNone(w io.Writer) {
	p := getBlock()
	if len(p) == 0 {
		return
	}
	w.Write(p)
	pages.Put(p)
}

// goodHandedOn gives an empty buffer to others.
func goodHandedOn(w io.Writer, idle chan *bytes.Buffer, text string) {
	b := get()
	b.WriteString(text)
	if b.Len() == 0 {
		idle <- b
		return
	}
	w.Write(b.Bytes())
	put(b)
}
