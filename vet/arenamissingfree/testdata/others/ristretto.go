package others

import (
	"io"

	"github.com/dgraph-io/ristretto/v2/z"
)

func badAllocator(r io.Reader, n int) (int, error) {
	a := z.NewAllocator(1<<10, "case") // want "a is not freed on the path to line"
	b := a.Allocate(n)
	n, err := io.ReadFull(r, b)
	if err != nil {
		return 0, err
	}
	a.Release()
	return n, nil
}

func goodAllocator(r io.Reader, n int) (int, error) {
	a := z.NewAllocator(1<<10, "case")
	defer a.Release()
	b := a.Allocate(n)
	return io.ReadFull(r, b)
}

func badZBuffer(p []byte) int {
	b := z.NewBuffer(len(p), "case") // want "b is not freed: nothing else frees its memory"
	b.Write(p)
	return len(b.Bytes())
}

func goodZBuffer(p []byte) int {
	b := z.NewBuffer(len(p), "case")
	defer b.Release()
	b.Write(p)
	return len(b.Bytes())
}

func badCalloc(r io.Reader) error {
	b := z.Calloc(64, "case") // want "b is not freed on the path to line"
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	z.Free(b)
	return nil
}

func goodCalloc(r io.Reader) error {
	b := z.Calloc(64, "case")
	defer z.Free(b)
	_, err := io.ReadFull(r, b)
	return err
}
