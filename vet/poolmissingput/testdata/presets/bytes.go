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

func badSharedBuffer(text string) string {
	b := shared.Get() // want "is never put back"
	b.WriteString(text)
	return b.String()
}

func goodSharedBuffer(text string) string {
	b := shared.Get()
	defer shared.Put(b)
	b.WriteString(text)
	return b.String()
}

func badSizedBuffer(w io.Writer, text string) error {
	b := sized.Get() // want "is not put back"
	b.WriteString(text)
	if _, err := b.WriteTo(w); err != nil {
		return err
	}
	sized.Put(b)
	return nil
}

func goodSizedBuffer(w io.Writer, text string) error {
	b := sized.Get()
	b.WriteString(text)
	_, err := b.WriteTo(w)
	sized.Put(b)
	return err
}

func badBlock(w io.Writer, r io.Reader) error {
	b := blocks.Get() // want "is not put back"
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	blocks.Put(b)
	return err
}

func goodBlock(w io.Writer, r io.Reader) error {
	b := blocks.Get()
	defer blocks.Put(b)
	n, err := r.Read(b)
	if err != nil {
		return err
	}
	_, err = w.Write(b[:n])
	return err
}

func badMalloc(w io.Writer, r io.Reader, n int) error {
	b := mcache.Malloc(n) // want "is not put back"
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	_, err := w.Write(b)
	mcache.Free(b)
	return err
}

func goodMalloc(w io.Writer, r io.Reader, n int) error {
	b := mcache.Malloc(n)
	if _, err := io.ReadFull(r, b); err != nil {
		mcache.Free(b)
		return err
	}
	_, err := w.Write(b)
	mcache.Free(b)
	return err
}

// The caller frees it.
func goodMallocReturned(r io.Reader, n int) ([]byte, error) {
	b := mcache.Malloc(n)
	if _, err := io.ReadFull(r, b); err != nil {
		mcache.Free(b)
		return nil, err
	}
	return b, nil
}
