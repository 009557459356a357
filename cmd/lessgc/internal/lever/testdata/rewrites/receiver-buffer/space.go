// Package space has methods that need some memory in each call.
package space

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"
)

// A source reads numbers from a stream.
type source struct {
	r    io.Reader
	read int
}

func (s *source) uint32() (uint32, error) {
	var b [4]byte // rewritten
	n, err := io.ReadFull(s.r, b[:])
	s.read += n
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(b[:]), nil
}

// Sum adds numbers.
func Sum(r io.Reader) (sum uint32, read int) {
	s := &source{r: r}
	for {
		n, err := s.uint32()
		if err != nil {
			return sum, s.read
		}
		sum += n
	}
}

// A lenient source takes what is there of a number.
type lenient struct {
	r    io.Reader
	read int
}

func (s *lenient) uint32() uint32 {
	var b [4]byte // rewritten
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

// Lenient returns some numbers.
func Lenient(r io.Reader, n int) (all []uint32) {
	s := &lenient{r: r}
	for range n {
		all = append(all, s.uint32())
	}
	return all
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
	b := make([]byte, binary.MaxVarintLen64) // rewritten
	n := binary.PutUvarint(b, x)
	_, s.err = s.w.Write(b[:n])
}

// Uvarints writes numbers.
func Uvarints(w io.Writer, all ...uint64) error {
	s := &sticky{w: w}
	for _, x := range all {
		s.uvarint(x)
	}
	return s.err
}

const blockSize = 4 << 10

type copier struct {
	w      io.Writer
	r      io.Reader
	copied int
}

func (c *copier) block() error {
	b := make([]byte, blockSize) // rewritten
	n, err := c.r.Read(b)
	c.copied += n
	if err != nil {
		return err
	}
	_, err = c.w.Write(b[:n])
	return err
}

// Copy copies by blocks.
func Copy(w io.Writer, r io.Reader) int {
	c := &copier{w: w, r: r}
	for c.block() == nil {
	}
	return c.copied
}

// A target writes texts.
type target struct {
	w       io.Writer
	written int
}

func (t *target) numbers(all []int) {
	var line []byte
	for i, n := range all {
		if i > 0 {
			line = append(line, ',') // rewritten
		}
		line = append(line, strconv.Itoa(n)...)
	}
	t.w.Write(line)
	t.written += len(line)
}

// Numbers writes lines of numbers.
func Numbers(w io.Writer, lines ...[]int) {
	t := &target{w: w}
	for _, line := range lines {
		t.numbers(line)
	}
}

type upperTarget struct {
	w       io.Writer
	written int
}

func (t *upperTarget) text(text string) int {
	t.written++
	b := make([]byte, 0, 2*len(text)) // rewritten
	for i := range len(text) {
		b = append(b, text[i]&^0x20)
	}
	if len(b) == 0 {
		return 0
	}
	n, _ := t.w.Write(b)
	return n
}

// Upper writes texts.
func Upper(w io.Writer, texts ...string) (n int) {
	t := &upperTarget{w: w}
	for _, text := range texts {
		n += t.text(text)
	}
	return n + t.written
}

// A joiner joins words.
type joiner struct {
	sep    string
	joined int
}

func (j *joiner) fields(text string) string {
	j.joined++
	var words []string
	for _, word := range strings.Fields(text) {
		words = append(words, word) // rewritten
	}
	return strings.Join(words, j.sep)
}

// Joined joins the fields of texts.
func Joined(sep string, texts ...string) (all []string) {
	j := &joiner{sep: sep}
	for _, text := range texts {
		all = append(all, j.fields(text))
	}
	return all
}

// A counter counts.
type counter struct {
	most int
}

func (c *counter) distinct(all []byte) int {
	seen := make(map[byte]bool)
	for _, b := range all {
		seen[b] = true // rewritten
	}
	c.most = max(c.most, len(seen))
	return len(seen)
}

func (c *counter) lengths(words []string) int {
	seen := make(map[int]bool, len(words))
	for _, w := range words {
		seen[len(w)] = true // rewritten
	}
	c.most = max(c.most, len(seen))
	return len(seen)
}

func (c *counter) words(text string) (first string) {
	c.most++
	count := map[string]int{}
	for _, word := range strings.Fields(text) {
		if count[word]++; count[word] > 1 { // rewritten
			return word
		}
	}
	return ""
}

// Counts counts bytes and words.
func Counts(texts ...string) (all []string) {
	c := &counter{}
	for _, text := range texts {
		all = append(all, strconv.Itoa(c.distinct([]byte(text))), strconv.Itoa(c.lengths(strings.Fields(text))), c.words(text))
	}
	return append(all, strconv.Itoa(c.most))
}
