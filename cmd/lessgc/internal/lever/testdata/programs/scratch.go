package programs

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

// A sticky writer keeps the last error.
type sticky struct {
	w   io.Writer
	err error
}

func (s *sticky) uvarint(x uint64) {
	if s.err != nil {
		return
	}
	var b [32]byte // want receiver-buffer
	n := binary.PutUvarint(b[:], x)
	_, s.err = s.w.Write(b[:n])
}

// It notes an error if there is one, and may be for several goroutines else.
func (s *sticky) fixed(x uint64) {
	var b [32]byte // no receiver-buffer
	binary.BigEndian.PutUint64(b[:], x)
	if _, err := s.w.Write(b[:8]); err != nil {
		s.err = err
	}
}

func writeNumbers(w io.Writer, n uint64) error {
	s := &sticky{w: w}
	for x := range n {
		s.uvarint(x)
		s.fixed(x)
	}
	return s.err
}

// A byteSource has a method of its own for bytes.
type byteSource struct{ io.Reader }

func (s *byteSource) ReadByte() (byte, error) {
	var b [1]byte // want receiver-buffer
	_, err := s.Read(b[:])
	return b[0], err
}

func sumBytes(in io.Reader, n int) (sum byte) {
	r := io.ByteReader(&byteSource{in})
	for range n {
		b, _ := r.ReadByte()
		sum += b
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

type header struct {
	Kind   uint16
	Length [6]uint32
}

func headers(buf *bytes.Buffer, n uint32) error {
	binary.Write(buf, binary.BigEndian, n) // want byte-order
	for i := range int64(9) {
		err := binary.Write(buf, binary.LittleEndian, i) // want byte-order
		if err != nil {
			return err
		}
	}
	h := header{Kind: uint16(n)}
	return binary.Write(buf, binary.BigEndian, &h) // want byte-order
}

func readHeader(r io.Reader) (h header, err error) {
	err = binary.Read(r, binary.BigEndian, &h) // want byte-order
	return h, err
}

// A slice of numbers is written at once, without reflection.
func numbers(w io.Writer, all []uint16) {
	binary.Write(w, binary.BigEndian, all) // no byte-order
}

// Of what type it is only those who call it know.
func anything(w io.Writer, v any) {
	binary.Write(w, binary.BigEndian, v) // no byte-order
}

// It is not of fixed size, which is an error.
func unfixed(w io.Writer, u user) {
	binary.Write(w, binary.BigEndian, u) // no byte-order
}

func dotted(words []string) string {
	var b bytes.Buffer
	for _, w := range words {
		b.WriteString(w)
		b.WriteByte('.')
	}
	return b.String() // want strings-builder
}

func labels(u user) string {
	b := new(bytes.Buffer)
	fmt.Fprintf(b, "%s-%d", u.name, u.id)
	return b.String() // want strings-builder
}

// Its bytes are used, too.
func trimmedRow(words []string) string {
	var b bytes.Buffer
	for _, w := range words {
		b.WriteString(w)
		b.WriteByte('.')
	}
	b.Truncate(b.Len() - 1)
	return b.String() // no strings-builder
}

func bracketed(word string) string {
	var b bytes.Buffer
	b.WriteString("[" + word + "]") // want concatenate
	return b.String()
}

// Its length is asked for, too.
func bracketedLength(word string) (string, int) {
	var b bytes.Buffer
	b.WriteString("[" + word + "]") // no concatenate
	return b.String(), b.Len()
}

func fillBuffer(b *bytes.Buffer) { b.WriteString("some words for the buffer") }

// A function wants a buffer.
func filled() string {
	var b bytes.Buffer
	fillBuffer(&b)
	return b.String() // no strings-builder
}

// It is used again, and a builder gives its memory away.
func reused(words []string) (all []string) {
	var b bytes.Buffer
	for _, w := range words {
		b.Reset()
		b.WriteString(w)
		b.WriteString("and more")
		all = append(all, b.String()) // no strings-builder
	}
	return all
}

// Package bytes is used for more than buffers here.
func isDot(b []byte) bool { return bytes.Equal(b, []byte(".")) }

// A walker calls functions that it does not look into.
type walker interface{ walk(func(string)) }

type wordWalker []string

func (w wordWalker) walk(f func(string)) {
	for _, s := range w {
		f(s)
	}
}

func count3(ws []walker) (n int) {
	for _, w := range ws {
		w.walk(func(s string) { n += len(s) }) // want hoist-closure
	}
	return n
}

type counter struct{ n int }

func (c *counter) add(s string) { c.n += len(s) }

func countBy(ws []walker, c *counter) int {
	for range 2 {
		for _, w := range ws {
			w.walk(c.add) // want hoist-closure
		}
	}
	return c.n
}

// It captures the number of the iteration.
func countEach(ws []walker) (n int) {
	for i, w := range ws {
		w.walk(func(s string) { n += i * len(s) }) // no hoist-closure
	}
	return n
}

// There is no loop around it.
func countOne(w walker) (n int) {
	w.walk(func(s string) { n += len(s) }) // no hoist-closure
	return n
}

// The counter changes.
func countLast(ws []walker) int {
	c := &counter{}
	for _, w := range ws {
		w.walk(c.add) // no hoist-closure
		c = &counter{}
	}
	return c.n
}
