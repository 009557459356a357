package others

import "github.com/dgraph-io/ristretto/v2/z"

func badAllocator(p []byte) byte {
	a := z.NewAllocator(1<<10, "case")
	b := a.Copy(p)
	a.Release()
	return b[0] // want "is used after"
}

func goodAllocator(p []byte) byte {
	a := z.NewAllocator(1<<10, "case")
	b := a.Copy(p)
	first := b[0]
	a.Release()
	return first
}

func badCalloc() byte {
	b := z.Calloc(64, "case")
	b[0] = 1
	z.Free(b)
	return b[0] // want "is used after"
}

func goodCalloc() byte {
	b := z.Calloc(64, "case")
	b[0] = 1
	first := b[0]
	z.Free(b)
	return first
}
