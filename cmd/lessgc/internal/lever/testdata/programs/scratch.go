package programs

import (
	"encoding/binary"
	"io"
	"strings"
	"sync"
)

// A source reads numbers from a stream.
type source struct {
	r    io.Reader
	read int
}

func (s *source) uint32() uint32 {
	var b [4]byte // want receiver-buffer
	io.ReadFull(s.r, b[:])
	return binary.BigEndian.Uint32(b[:])
}

func (s *source) all(n int) (sum uint32) {
	for range n {
		sum += s.uint32()
	}
	return sum
}

func sumOf(r io.Reader, n int) uint32 {
	s := &source{r: r}
	return s.all(n)
}

// A target writes texts.
type target struct {
	w       io.Writer
	written int
}

func (t *target) upper(text string) {
	b := make([]byte, 0, 2*len(text)) // want receiver-buffer
	for i := range len(text) {
		b = append(b, text[i]&^0x20)
	}
	t.written += len(b)
	t.w.Write(b)
}

func (t *target) lower(text string) {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // want receiver-buffer
	}
	t.written += len(b)
	t.w.Write(b)
}

func (t *target) distinct(text string) {
	seen := map[string]bool{}
	for _, word := range strings.Fields(text) {
		seen[word] = true // want receiver-buffer
	}
	t.written += len(seen)
}

func (t *target) texts(all []string) {
	for _, s := range all {
		t.upper(s)
		t.lower(s)
		t.distinct(strings.Repeat(s+" ", 2))
		t.nested(s, 2)
		t.kept(s)
		t.differences(s)
	}
}

// It calls itself while its bytes are in use.
func (t *target) nested(text string, depth int) {
	b := make([]byte, 0, 2*len(text)) // no receiver-buffer
	b = append(b, text...)
	if depth > 0 {
		t.nested(text, depth-1)
	}
	t.written += len(b)
	t.w.Write(b)
}

// The bytes are kept.
func (t *target) kept(text string) {
	b := make([]byte, 0, 2*len(text)) // no receiver-buffer
	b = append(b, text...)
	t.written += len(b)
	sink = b
}

// Two of the slices are in use at a time.
func (t *target) differences(text string) {
	var last []byte
	for i := range 3 {
		b := make([]byte, len(text)) // no receiver-buffer
		copy(b, text[i:])
		t.written += len(b) - len(last)
		t.w.Write(b)
		t.w.Write(last)
		last = b
	}
}

// A shared target has a lock, and goroutines.
type shared struct {
	mu      sync.Mutex
	w       io.Writer
	written int
}

func (t *shared) text(text string) {
	b := make([]byte, 0, 2*len(text)) // no receiver-buffer
	b = append(b, text...)
	t.mu.Lock()
	t.written += len(b)
	t.mu.Unlock()
	t.w.Write(b)
}

// Nothing says that a plain one has but one goroutine.
type plainTarget struct{ w io.Writer }

func (t *plainTarget) text(text string) {
	b := make([]byte, 0, 2*len(text)) // no receiver-buffer
	b = append(b, text...)
	t.w.Write(b)
}

func textsShared(t *shared, plain *plainTarget, all []string) {
	for _, s := range all {
		t.text(s)
		plain.text(s)
	}
}

// It is used once.
func (t *target) once(text string) {
	b := make([]byte, 0, 2*len(text)) // no receiver-buffer
	b = append(b, text...)
	t.written += len(b)
	t.w.Write(b)
}

func writeOnce(w io.Writer, all []string) {
	for _, s := range all {
		t := &target{w: w}
		t.once(s)
		sink = t
	}
}
