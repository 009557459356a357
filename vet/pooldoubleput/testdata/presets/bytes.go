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

func badSharedBuffer(w io.Writer, text string) error {
	b := shared.Get()
	defer shared.Put(b) // want "is put back twice"
	b.WriteString(text)
	_, err := b.WriteTo(w)
	shared.Put(b)
	return err
}

func goodSharedBuffer(w io.Writer, text string) error {
	b := shared.Get()
	defer shared.Put(b)
	b.WriteString(text)
	_, err := b.WriteTo(w)
	return err
}

func badSizedBuffer(w io.Writer, text string) error {
	b := sized.Get()
	b.WriteString(text)
	_, err := b.WriteTo(w)
	if err != nil {
		sized.Put(b)
	}
	sized.Put(b) // want "is put back twice"
	return err
}

func goodSizedBuffer(w io.Writer, text string) error {
	b := sized.Get()
	b.WriteString(text)
	_, err := b.WriteTo(w)
	if err != nil {
		b.Reset()
	}
	sized.Put(b)
	return err
}

// Put restores the length: a part is the whole block.
func badBlock(r io.Reader) (int, error) {
	b := blocks.Get()
	n, err := r.Read(b)
	if err != nil {
		blocks.Put(b[:n])
	}
	blocks.Put(b) // want "is put back twice"
	return n, err
}

func goodBlock(r io.Reader) (int, error) {
	b := blocks.Get()
	n, err := r.Read(b)
	if err != nil {
		blocks.Put(b[:n])
		return 0, err
	}
	blocks.Put(b)
	return n, nil
}

func badMalloc(r io.Reader, n int) error {
	b := mcache.Malloc(n)
	defer mcache.Free(b) // want "is put back twice"
	if _, err := io.ReadFull(r, b); err != nil {
		mcache.Free(b)
		return err
	}
	return nil
}

func goodMalloc(r io.Reader, n int) error {
	b := mcache.Malloc(n)
	if _, err := io.ReadFull(r, b); err != nil {
		mcache.Free(b)
		return err
	}
	mcache.Free(b)
	return nil
}
