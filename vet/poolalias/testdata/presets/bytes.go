package presets

import (
	"bytes"
	"io"

	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/oxtoacart/bpool"
)

var (
	shared = bpool.NewBufferPool(64)
	sized  = bpool.NewSizedBufferPool(64, 4096)
	blocks = bpool.NewBytePool(64, 4096)
)

func badSharedBuffer(text string) []byte {
	b := shared.Get()
	defer shared.Put(b)
	b.WriteString(text)
	return b.Bytes() // want "which is put back"
}

func goodSharedBuffer(text string) string {
	b := shared.Get()
	defer shared.Put(b)
	b.WriteString(text)
	return b.String()
}

func badSizedBuffer(text string) []byte {
	b := sized.Get()
	b.WriteString(text)
	line := bytes.TrimSpace(b.Bytes())
	sized.Put(b)
	return line // want "which is put back"
}

func goodSizedBuffer(text string) []byte {
	b := sized.Get()
	b.WriteString(text)
	line := bytes.Clone(bytes.TrimSpace(b.Bytes()))
	sized.Put(b)
	return line
}

func badBlock(r io.Reader) ([]byte, error) {
	b := blocks.Get()
	defer blocks.Put(b)
	n, err := r.Read(b)
	return b[:n], err // want "which is put back"
}

// The caller puts the block.
func goodBlock(r io.Reader) ([]byte, error) {
	b := blocks.Get()
	n, err := r.Read(b)
	return b[:n], err
}

type packet struct{ body []byte }

func badMalloc(r io.Reader, n int) (*packet, error) {
	b := mcache.Malloc(n)
	defer mcache.Free(b)
	_, err := io.ReadFull(r, b)
	return &packet{b}, err // want "which is put back"
}

func goodMalloc(r io.Reader, n int) (*packet, error) {
	b := mcache.Malloc(n)
	defer mcache.Free(b)
	_, err := io.ReadFull(r, b)
	return &packet{bytes.Clone(b)}, err
}
