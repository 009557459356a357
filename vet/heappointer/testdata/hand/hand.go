// Package hand casts bytes to structs by hand.
package hand

import (
	"errors"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"
)

type entry struct {
	key   string
	value *int
	hits  uint32
}

// A slots holds entries in bytes.
type slots struct {
	buf  []byte
	off  int
	keep []string
}

func newSlots(n int) *slots { return &slots{buf: make([]byte, n)} }

const size = int(unsafe.Sizeof(entry{}))

func (s *slots) badPut(i int, key string) {
	e := (*entry)(unsafe.Pointer(&s.buf[i*size]))
	e.key = key // want `a string is stored in a ..byte, which the garbage collector does not scan`
	e.hits++
}

func (s *slots) goodHit(i int) {
	e := (*entry)(unsafe.Pointer(&s.buf[i*size]))
	e.hits++
}

// The keys are kept on the side.
func (s *slots) goodPutKept(i int, key string) {
	e := (*entry)(unsafe.Pointer(&s.buf[i*size]))
	s.keep = append(s.keep, key)
	e.key = key
}

// Reading is not a mistake: who wrote it made one.
func (s *slots) goodKey(i int) string {
	return (*entry)(unsafe.Pointer(&s.buf[i*size])).key
}

func (s *slots) badAssign(i int, n int) {
	*(*entry)(unsafe.Pointer(&s.buf[i*size])) = entry{key: strconv.Itoa(n)} // want `a value of type entry, which has pointers, is stored in a \[\]byte`
}

func (s *slots) goodAssign(i int) {
	*(*entry)(unsafe.Pointer(&s.buf[i*size])) = entry{key: "none"}
}

// Alloc is a bump allocator. What it returns is filled elsewhere.
func (s *slots) alloc() *entry {
	e := (*entry)(unsafe.Pointer(unsafe.SliceData(s.buf[s.off:])))
	s.off += size
	return e
}

func (s *slots) badFill(v *int) *entry {
	e := s.alloc()
	e.value = v // want `a pointer is stored in a `
	return e
}

var zero int

func (s *slots) goodFill() *entry {
	e := s.alloc()
	e.value = &zero
	return e
}

// A Record is filled by other packages.
type Record struct {
	Name string
	Size int64
}

// Records has room for some.
type Records struct {
	mem  [1 << 16]byte
	used uintptr
}

func (r *Records) BadNew() *Record {
	p := unsafe.Add(unsafe.Pointer(&r.mem), r.used)
	r.used += unsafe.Sizeof(Record{})
	return (*Record)(p) // want `memory for a Record, which has pointers, is taken from a .65536.byte`
}

// A Span is free of pointers.
type Span struct{ From, To uint32 }

func (r *Records) GoodNew() *Span {
	p := unsafe.Add(unsafe.Pointer(&r.mem), r.used)
	r.used += unsafe.Sizeof(Span{})
	return (*Span)(p)
}

// A view of memory that another function wrote.
func (r *Records) GoodAt(off uintptr) *Record {
	return (*Record)(unsafe.Add(unsafe.Pointer(&r.mem), off))
}

func badSlice(lines []string) []string {
	mem := make([]byte, len(lines)*int(unsafe.Sizeof("")))
	out := unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(mem))), len(lines))
	for i := range lines {
		out[i] = strconv.Quote(lines[i]) // want `a string is stored in a `
	}
	return out
}

func goodSlice(lines []string) []string {
	mem := make([]string, len(lines))
	out := unsafe.Slice((*string)(unsafe.Pointer(unsafe.SliceData(mem))), len(lines))
	for i := range lines {
		out[i] = strconv.Quote(lines[i])
	}
	return out
}

func badArray(n int) *[8]*int {
	mem := make([]uint64, 8)
	p := (*[8]*int)(unsafe.Pointer(&mem[0]))
	p[0] = new(int) // want `a pointer is stored in a `
	*p[0] = n
	return p
}

func goodArray(n int) *[8]int {
	mem := make([]uint64, 8)
	p := (*[8]int)(unsafe.Pointer(&mem[0]))
	p[0] = n
	return p
}

func badMapped(key []byte) (*entry, error) {
	mem, err := syscall.Mmap(-1, 0, 1<<12, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	e := (*entry)(unsafe.Pointer(&mem[0]))
	e.key = string(key) // want `a string is stored in memory of syscall.Mmap`
	return e, nil
}

func goodMapped() (uint32, error) {
	mem, err := syscall.Mmap(-1, 0, 1<<12, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return 0, err
	}
	e := (*entry)(unsafe.Pointer(&mem[0]))
	return e.hits, nil
}

// The bytes are another type's: the caller knows which.
func goodParameter(mem []byte, key string) {
	e := (*entry)(unsafe.Pointer(&mem[0]))
	e.key = key
}

// GoodText reads a slice header as that of a string: &b is the variable, not its bytes.
func GoodText(b []byte) string { return *(*string)(unsafe.Pointer(&b)) }

// GoodString shares the bytes.
func GoodString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// GoodPointers is another view of the same pointers.
func GoodPointers(list []*entry) []unsafe.Pointer {
	return unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(unsafe.SliceData(list))), len(list))
}

// The request is in bytes of its own, and what it points to lives until the call is done.
func goodRequest(fd uintptr, n int) (int, error) {
	var mem [64]byte
	r := (*entry)(unsafe.Pointer(&mem))
	v := &n
	r.value = v
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, fd, 1, uintptr(unsafe.Pointer(r)))
	runtime.KeepAlive(v)
	if e != 0 {
		return 0, e
	}
	return n, nil
}

// Chunks are bytes that grow.
type chunks struct {
	list [][]byte
	cur  *chunk
}

type chunk struct {
	mem []byte
	off int
}

var errFull = errors.New("full")

func (c *chunks) grow(n int) {
	mem := make([]byte, n)
	c.list = append(c.list, mem)
	c.cur = &chunk{mem: mem}
}

func (c *chunks) bytes(n int) []byte {
	b := c.cur.mem[c.cur.off : c.cur.off+n]
	c.cur.off += n
	return b
}

func (c *chunks) badNode(err error) *failure {
	f := (*failure)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(failure{})))[0]))
	f.err = err // want `an interface value is stored in a `
	return f
}

type failure struct {
	err  error
	next *failure
	code int
}

func (c *chunks) goodNode() *failure {
	f := (*failure)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(failure{})))[0]))
	f.err = errFull
	return f
}

// All failures are in the chunks, so that they may point to each other.
func (c *chunks) goodLinked(last *failure) *failure {
	f := (*failure)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(failure{})))[0]))
	f.next = last
	return f
}

func (c *chunks) badFirst(key string) *entry {
	e := (*entry)(unsafe.Pointer(&c.list[0][0]))
	e.key = key + "!" // want `a string is stored in a `
	return e
}

func (c *chunks) goodCopied(key string) *entry {
	e := (*entry)(unsafe.Pointer(&c.list[0][0]))
	b := c.bytes(len(key))
	copy(b, key)
	e.key = unsafe.String(&b[0], len(b))
	return e
}

func badLocal(key string) *entry {
	mem := make([]byte, size)
	e := (*entry)(unsafe.Pointer(&mem[0]))
	e.key = key // want `a string is stored in a \[`
	return e
}

func goodLocal(key string) int {
	mem := make([]byte, size)
	e := (*entry)(unsafe.Pointer(&mem[0]))
	e.key = key
	return len(e.key)
}

// A view leads to memory that others have.
type view struct {
	data unsafe.Pointer
	n    int
}

// GoodView may be given memory of C.
func (c *chunks) GoodView(p unsafe.Pointer, n int) {
	v := (*view)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(view{})))[0]))
	v.data, v.n = p, n
}

// BadView is given memory of the collector.
func (c *chunks) BadView(p unsafe.Pointer, n int) {
	v := (*view)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(view{})))[0]))
	v.data, v.n = p, n // want `a pointer is stored in`
}

func (c *chunks) viewOf(n int) { c.BadView(unsafe.Pointer(new([64]int)), n) }

// BadViewOf knows that it is of Go.
func (c *chunks) BadViewOf(p *int64) {
	v := (*view)(unsafe.Pointer(&c.bytes(int(unsafe.Sizeof(view{})))[0]))
	v.data = unsafe.Pointer(p) // want `a pointer is stored in`
}
