package presets

import (
	"io"

	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/oxtoacart/bpool"
)

var (
	shared = bpool.NewBufferPool(64)
	sized  = bpool.NewSizedBufferPool(64, 4096)
	blocks = bpool.NewBytePool(64, 4096)
)

func badSharedBuffer(w io.Writer, text string) {
	b := shared.Get()
	b.WriteString(text)
	shared.Put(b)
	b.WriteTo(w) // want "is used after it was put back"
}

func goodSharedBuffer(w io.Writer, text string) {
	b := shared.Get()
	b.WriteString(text)
	b.WriteTo(w)
	shared.Put(b)
}

func badBytesOfSizedBuffer(w io.Writer, text string) {
	b := sized.Get()
	b.WriteString(text)
	line := b.Bytes()
	sized.Put(b)
	w.Write(line) // want "is used after it was put back"
}

func goodStringOfSizedBuffer(w io.Writer, text string) {
	b := sized.Get()
	b.WriteString(text)
	line := b.String()
	sized.Put(b)
	io.WriteString(w, line)
}

func badBlock(w io.Writer, r io.Reader) error {
	b := blocks.Get()
	n, err := r.Read(b)
	blocks.Put(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n]) // want "is used after it was put back"
	return err
}

func goodBlock(w io.Writer, r io.Reader) error {
	b := blocks.Get()
	n, err := r.Read(b)
	if err == nil {
		_, err = w.Write(b[:n])
	}
	blocks.Put(b)
	return err
}

func badMalloc(r io.Reader, n int) (byte, error) {
	b := mcache.Malloc(n)
	_, err := io.ReadFull(r, b)
	mcache.Free(b)
	return b[0], err // want "is used after it was put back"
}

func goodMalloc(r io.Reader, n int) (byte, error) {
	b := mcache.Malloc(n)
	_, err := io.ReadFull(r, b)
	first := b[0]
	mcache.Free(b)
	return first, err
}

// What append returns may be the memory that b has from the cache.
func badMallocAppended(w io.Writer, text string) {
	b := mcache.Malloc(0, len(text))
	line := append(b, text...)
	mcache.Free(b)
	w.Write(line) // want "is used after it was put back"
}

func goodMallocAppended(w io.Writer, text string) {
	b := mcache.Malloc(0, len(text))
	b = append(b, text...)
	w.Write(b)
	mcache.Free(b)
}
