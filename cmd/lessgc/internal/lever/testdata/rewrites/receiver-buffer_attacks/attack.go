// Package attacks has programs that a rewrite may break.
package attacks

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
)

// 1: parts of the memory are filled, from a place that is not constant on.
type a1 struct {
	r    io.Reader
	read int
}

func (s *a1) next(from int) string {
	s.read++
	var b [8]byte // rewritten
	if _, err := io.ReadFull(s.r, b[from:]); err != nil {
		return "?"
	}
	return fmt.Sprint(b[0], b[:])
}

func A1(text string) (out string) {
	s := &a1{r: strings.NewReader(text)}
	for i := range 4 {
		out += s.next(2*i) + ";"
	}
	return out
}

// 2: a Read in the loop fills less than the one before.
type a2 struct {
	r    io.Reader
	read int
}

func (s *a2) next() (out string) {
	for i := range 2 {
		b := make([]byte, 6) // rewritten
		n, err := s.r.Read(b[i:])
		s.read += n
		if err != nil {
			return out + "eof"
		}
		out += string(b[:n]) + "|"
	}
	return out
}

func A2(text string) (out string) {
	s := &a2{r: strings.NewReader(text)}
	for range 3 {
		out += s.next() + ";"
	}
	return out
}

// 3: a pipe: who reads from it calls the same method while it writes.
type a3 struct {
	w io.Writer
	n int
}

func (s *a3) send(text string) {
	s.n++
	b := make([]byte, 0, 2*len(text)) // refused: another goroutine may call it while it waits for a reader
	b = append(b, text...)
	s.w.Write(b)
}

type A3holder struct{ s *a3 }

func (h *A3holder) Send(text string) {
	for range 1 {
		h.s.send(text)
	}
}

func A3() string {
	r, w := io.Pipe()
	h := &A3holder{&a3{w: w}}
	var got bytes.Buffer
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		h.Send("abcdef")
		wait.Done()
	}()
	half := make([]byte, 3)
	io.ReadFull(r, half)
	got.Write(half)
	wait.Add(1)
	go func() { h.Send("XYZXYZ"); wait.Done() }()
	rest := make([]byte, 9)
	io.ReadFull(r, rest)
	got.Write(rest)
	wait.Wait()
	return got.String()
}

// 4: the iterator yields while it uses the memory.
type a4 struct{ calls int }

func (s *a4) parts(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		s.calls++
		var b []byte
		for i := range len(text) {
			b = append(b, text[i]) // refused: the loop over the parts may call it again
			if !yield(string(b)) {
				return
			}
		}
	}
}

func A4(text string) (out string) {
	s := &a4{}
	for p := range s.parts(text) {
		for q := range s.parts(p) {
			out += q
		}
		out += p
	}
	return out
}

// 5: the elements are sorted by a function that calls the method.
type a5 struct{ calls int }

func (s *a5) key(text string) string {
	s.calls++
	var b []byte
	for i := range len(text) {
		b = append(b, text[len(text)-1-i]) // refused: the comparison calls it again
	}
	slices.SortFunc(b, func(x, y byte) int {
		if len(text) > 2 {
			return strings.Compare(s.key(string(x)), s.key(string(y)))
		}
		return 0
	})
	return string(b)
}

func A5(texts ...string) (out string) {
	s := &a5{}
	for _, text := range texts {
		out += s.key(text)
	}
	return out
}

// 6: a panic in the middle, which the caller recovers, leaves entries and pointers behind.
type a6 struct{ calls int }

func (s *a6) count(text string) int {
	s.calls++
	seen := map[byte]int{}
	for i := range len(text) {
		if text[i] == '!' {
			panic("!")
		}
		seen[text[i]]++ // refused: nothing calls it in a loop
	}
	return len(seen)
}

func (s *a6) words(text string) int {
	s.calls++
	seen := map[string]int{}
	for _, w := range strings.Fields(text) {
		if w == "!" {
			panic("!")
		}
		seen[w]++ // refused: nothing calls it in a loop
	}
	return len(seen)
}

func (s *a6) list(text string) string {
	s.calls++
	var all []string
	for _, w := range strings.Fields(text) {
		if w == "!" {
			panic("!")
		}
		all = append(all, w) // refused: nothing calls it in a loop
	}
	return fmt.Sprint(len(all), strings.Join(all, "+"))
}

func A6(texts ...string) (out string) {
	s := &a6{}
	for _, text := range texts {
		func() {
			defer func() { recover() }()
			out += fmt.Sprint(s.list(text), s.words(text), s.count(text))
		}()
		func() {
			defer func() { recover() }()
			out += fmt.Sprint(s.words(text))
		}()
		func() {
			defer func() { recover() }()
			out += fmt.Sprint(s.count(text))
		}()
	}
	return out
}

// 7: a generic function sees the value.
type a7 struct {
	r    io.Reader
	read int
}

func (s *a7) next() uint16 {
	s.read++
	var b [2]byte // refused: a generic function sees the value
	io.ReadFull(s.r, b[:])
	return binary.LittleEndian.Uint16(b[:])
}

func describe[V any](v V) string { return fmt.Sprintf("%+v", v) }

func A7(text string) (out string) {
	s := &a7{}
	for range 2 {
		s.r = strings.NewReader(text)
		out += fmt.Sprint(s.next())
		s.r = nil
	}
	return out + describe(s)
}

// 8: the slice is shortened, and its elements behind the end are looked at.
type a8 struct{ calls int }

func (s *a8) trim(text string) string {
	s.calls++
	b := make([]byte, 0, 2*len(text)) // rewritten
	b = append(b, text...)
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return string(b[:len(b)]) + string(b[0:])
}

func A8(texts ...string) (out string) {
	s := &a8{}
	for _, text := range texts {
		out += s.trim(text) + "."
	}
	return out
}

// 9: a method value of the method, called while it runs.
type a9 struct {
	calls int
	more  func(string) string
}

func (s *a9) quote(text string) string {
	s.calls++
	var b []byte
	b = append(b, '<')
	for i := range len(text) {
		b = append(b, text[i]) // refused: a function in a field calls it again
	}
	inner := ""
	if len(text) > 1 {
		inner = s.more(text[1:])
	}
	return string(b) + inner
}

func A9(texts ...string) (out string) {
	s := &a9{}
	s.more = s.quote
	for _, text := range texts {
		out += s.quote(text)
	}
	return out
}

// 10: the memory goes to a hash, whose Sum appends to it.
type a10 struct{ calls int }

type adder struct{ sum byte }

func (a *adder) Write(p []byte) (int, error) {
	for i := range p {
		a.sum += p[i]
	}
	return len(p), nil
}
func (a *adder) Sum(b []byte) []byte { return append(b, a.sum) }
func (a *adder) Reset()              {}
func (a *adder) Size() int           { return 1 }
func (a *adder) BlockSize() int      { return 1 }

type hasher interface {
	io.Writer
	Sum([]byte) []byte
}

func (s *a10) sum(h hasher, text string) string {
	s.calls++
	b := make([]byte, 2) // refused: a method that is not known is given it
	copy(b, text)
	h.Write(b)
	sum := h.Sum(b[:0])
	return string(sum) + string(b)
}

func A10(texts ...string) (out string) {
	s := &a10{}
	for _, text := range texts {
		out += fmt.Sprintf("%q", s.sum(&adder{}, text))
	}
	return out
}

// 12: it is used by its workers, in turns by a wait group.
type a12 struct{ calls int }

func (s *a12) fill(text string, wait *sync.WaitGroup) string {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]) // refused: it waits for another goroutine while it has the memory
	}
	s.note(wait)
	return string(b)
}

func (s *a12) note(wait *sync.WaitGroup) { wait.Wait(); s.calls++ }

func A12() string {
	s := &a12{}
	var first, second sync.WaitGroup
	first.Add(1)
	out := make(chan string, 1)
	go func() { out <- s.fill("first", &first) }()
	second.Add(0)
	got := ""
	for range 1 {
		got = s.fill("other", &second)
	}
	first.Done()
	return <-out + got
}

// 13: both slices of one variable are there at the same time, by a loop.
type a13 struct{ calls int }

func (s *a13) pairs(r io.Reader) (same int) {
	var last []byte
	for range 3 {
		var b [2]byte // rewritten
		s.calls++
		io.ReadFull(r, b[:])
		if bytes.Equal(last, b[:]) {
			same++
		}
		last = append(last[:0], b[:]...)
	}
	return same
}

func A13(text string) (n int) {
	s := &a13{}
	for range 3 {
		n += s.pairs(strings.NewReader(text))
	}
	return n
}

// 14: nil is written differently.
type a14 struct{ calls int }

func (s *a14) list(n int) string {
	s.calls++
	var b []int
	for i := range n {
		b = append(b, i) // refused: it is printed: nil is another text
	}
	return fmt.Sprintf("%#v", b)
}

func A14() (out string) {
	s := &a14{}
	for i := range 3 {
		out += s.list((3 - i) % 3)
	}
	return out
}

// 16: PutUvarint writes less the second time, and the rest is read.
type a16 struct{ calls int }

func (s *a16) hex(x uint64) string {
	s.calls++
	var b [10]byte // rewritten
	n := binary.PutUvarint(b[:], x)
	k := n + 1
	return fmt.Sprintf("%x", string(b[:k]))
}

func A16() (out string) {
	s := &a16{}
	for _, x := range []uint64{1 << 40, 1, 300} {
		out += s.hex(x) + ";"
	}
	return out
}

// 17: a branch sets what another one reads.
type a17 struct{ calls int }

func (s *a17) branch(x byte, w io.Writer) {
	s.calls++
	var b [2]byte // rewritten
	if x > 3 {
		b[0] = x
	}
	b[1] = 'x'
	w.Write(b[:])
}

func A17() string {
	var w bytes.Buffer
	s := &a17{}
	for _, x := range []byte{65, 2, 66, 1} {
		s.branch(x, &w)
	}
	return w.String()
}

// 18: a later iteration reads what an earlier one has set.
type a18 struct{ calls int }

func (s *a18) loop(r io.Reader) (out string) {
	s.calls++
	var b [4]byte // rewritten
	for range 2 {
		out += string(b[:2])
		if _, err := io.ReadFull(r, b[:2]); err == nil {
			out += string(b[:2])
		}
		out += string(b[2:])
	}
	return out
}

func A18() (out string) {
	s := &a18{}
	for range 2 {
		out += s.loop(strings.NewReader("abc"))
	}
	return out
}

// 19: all elements are set before they are read.
type a19 struct{ calls int }

func (s *a19) four(x uint16, w io.Writer) {
	s.calls++
	var b [4]byte // rewritten
	binary.BigEndian.PutUint16(b[1:], x)
	b[0], b[3] = '<', '>'
	w.Write(b[:])
}

func (s *a19) three(x uint16, w io.Writer) {
	s.calls++
	buf := make([]byte, 4) // rewritten
	binary.BigEndian.PutUint16(buf, x)
	buf[2] = '.'
	w.Write(buf)
	buf[3] = '!'
}

func A19() string {
	var w bytes.Buffer
	s := &a19{}
	for range 2 {
		s.four(0x4142, &w)
		s.three(0x4344, &w)
	}
	return w.String()
}

// 20: the object has two owners, one by a closure that a goroutine runs.
type a20 struct{ calls int }

func (s *a20) text(text string, w io.Writer) {
	s.calls++
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]) // refused: a goroutine has the receiver
	}
	w.Write(b)
}

func A20() string {
	var w, v bytes.Buffer
	s := &a20{}
	run := func() { s.text("one", &v) }
	done := make(chan bool)
	go func() { run(); close(done) }()
	<-done
	for range 1 {
		s.text("two", &w)
	}
	return w.String() + v.String()
}

// 21: nested calls of two methods, and of one with another receiver.
type a21 struct {
	calls int
	next  *a21
}

func (s *a21) text(text string, w io.Writer) {
	s.calls++
	var b []byte
	for i := range len(text) {
		b = append(b, text[i])
	}
	s.upper(text, w)
	w.Write(b)
}

func (s *a21) upper(text string, w io.Writer) {
	s.calls++
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]&^0x20)
	}
	w.Write(b)
}

func A21() string {
	var w bytes.Buffer
	s := &a21{}
	for _, text := range []string{"ab", "cde", "", "f"} {
		s.text(text, &w)
	}
	return w.String()
}

// 22: defer evaluates what it is given at once.
type a22 struct{ calls int }

func (s *a22) text(text string, w io.Writer) (n int) {
	s.calls++
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]) // refused: a deferred call is given it
	}
	defer w.Write(b)
	b = append(b[:0], "over"...)
	n = len(b)
	return n
}

func (s *a22) named(text string) (out string, n int) {
	s.calls++
	var words []string
	for _, w := range strings.Fields(text) {
		words = append(words, w) // rewritten
	}
	if len(words) == 0 {
		return
	}
	out, n = words[0], len(words)
	return strings.Join(words, "."), n
}

func (s *a22) block(text string) (n int) {
	s.calls++
	if text != "" {
		var all []byte
		for i := range len(text) {
			all = append(all, text[i]) // rewritten
		}
		n = len(all) + int(all[0])
	}
	return n
}

func A22() string {
	var w bytes.Buffer
	s := &a22{}
	out := ""
	for _, text := range []string{"ab c", "cde", "", "f g h"} {
		s.text(text, &w)
		x, n := s.named(text)
		out += fmt.Sprint(x, n, s.block(text))
	}
	return w.String() + out
}
