package wrappers

import (
	"io"
	"sync"
)

// The pool has pointers; its users see the slices that they point to.
var slices = sync.Pool{New: func() any { b := make([]byte, 64); return &b }}

func getSlice() []byte  { return *slices.Get().(*[]byte) }
func putSlice(b []byte) { slices.Put(&b) }

func badSlice(r io.Reader) error {
	b := getSlice() // want "b is not put back on the path to line"
	if _, err := io.ReadFull(r, b); err != nil {
		return err
	}
	putSlice(b)
	return nil
}

func goodSlice(r io.Reader) error {
	b := getSlice()
	if _, err := io.ReadFull(r, b); err != nil {
		putSlice(b)
		return err
	}
	putSlice(b)
	return nil
}

// sized has a pool for each size.
type sized struct{ pools []sync.Pool }

var sizes = []int{1 << 10, 1 << 12, 1 << 14}

var bySize = sized{make([]sync.Pool, len(sizes))}

func (s *sized) get(n int) []byte {
	for i := range sizes {
		if v := s.pools[i].Get(); v != nil {
			return (*v.(*[]byte))[:n]
		}
	}
	return make([]byte, n)
}

func (s *sized) put(b []byte) {
	for i, n := range sizes {
		if cap(b) == n {
			s.pools[i].Put(&b)
			return
		}
	}
}

func badSized(r io.Reader, n int) (int, error) {
	b := bySize.get(n) // want "b is not put back on the path to line"
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, err
	}
	bySize.put(b)
	return n, nil
}

func goodSized(r io.Reader, n int) (int, error) {
	b := bySize.get(n)
	defer bySize.put(b)
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, err
	}
	return n, nil
}

// Who gets a slice that nobody ever puts back may be meant to keep it.
func takeSlice() []byte { return *slices.Get().(*[]byte) }

func goodTaken(r io.Reader) (string, error) {
	b := takeSlice()
	n, err := r.Read(b)
	return string(b[:n]), err
}

// What owns the pointer still has it.
type owner struct{ p *[]byte }

func (o *owner) buffer() []byte {
	o.p = slices.Get().(*[]byte)
	return *o.p
}

func (o *owner) Close() { slices.Put(o.p) }

func goodOwned(o *owner, r io.Reader) error {
	b := o.buffer()
	_, err := r.Read(b)
	return err
}
