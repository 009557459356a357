// Package first has pools that keep the address of a slice's first byte in its place.
package first

import (
	"sync"
	"unsafe"
)

// A sized pool has a pool for each power of two, as the buffer pools of network servers do.
type sized struct{ pools [20]sync.Pool }

func (s *sized) get(class, n int) []byte {
	if p, _ := s.pools[class].Get().(*byte); p != nil {
		return unsafe.Slice(p, 1<<class)[:n]
	}
	return make([]byte, n, 1<<class)
}

func (s *sized) put(class int, b []byte) {
	b = b[:cap(b)]
	s.pools[class].Put(unsafe.SliceData(b))
}

var buffers sized

func badReturned(n int) []byte {
	b := buffers.get(10, n)
	defer buffers.put(10, b)
	b[0] = 1
	return b[:1] // want "which is put back"
}

func goodReturned(n int) []byte {
	b := buffers.get(10, n)
	defer buffers.put(10, b)
	b[0] = 1
	return append([]byte(nil), b[:1]...)
}

func badText(n int) string {
	b := buffers.get(10, n)
	copy(b, "text")
	text := unsafe.String(unsafe.SliceData(b), n)
	buffers.put(10, b)
	return text // want "which is put back"
}

func goodText(n int) string {
	b := buffers.get(10, n)
	copy(b, "text")
	text := string(b)
	buffers.put(10, b)
	return text
}

var pages sync.Pool

func getPage() []byte {
	p, _ := pages.Get().(unsafe.Pointer)
	if p == nil {
		return make([]byte, 4096)
	}
	return (*[4096]byte)(p)[:]
}

func putPage(b []byte) { pages.Put(unsafe.Pointer(&b[0])) }

type reader struct{ page, rest []byte }

func (r *reader) badKept() {
	b := getPage()
	r.rest = b[100:] // want "the value stored in r.rest aliases b"
	putPage(b)
}

func (r *reader) goodKept() {
	b := getPage()
	r.rest = append(r.rest[:0], b[100:]...)
	putPage(b)
}

type header struct{ a, b int }

var headers sync.Pool

func putHeader(h *header) { headers.Put(h) }

var lists = sync.Pool{New: func() any { return new([]header) }}

// goodElement puts back an element, and the list only where it fails.
func goodElement(ok bool) []header {
	p := lists.Get().(*[]header)
	*p = append(*p, header{})
	putHeader(&(*p)[0])
	if !ok {
		lists.Put(p)
		return nil
	}
	return *p
}
