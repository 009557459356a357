package space

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

type keeping struct {
	r    io.Reader
	read int
	last []byte
}

func (s *keeping) uint32() uint32 {
	var b [4]byte // refused: a field keeps a slice of it
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	s.last = b[:n]
	return binary.BigEndian.Uint32(b[:])
}

type returning struct {
	r    io.Reader
	read int
}

func (s *returning) next() []byte {
	b := make([]byte, 4) // refused: it is returned
	n, _ := io.ReadFull(s.r, b)
	s.read += n
	return b[:n]
}

type appendReturning struct{ written int }

func (s *appendReturning) line(words []string) []byte {
	var b []byte
	for _, w := range words {
		b = append(b, w...) // refused: what append returns is returned
	}
	s.written += len(b)
	return append(b, '\n')
}

type sending struct {
	r    io.Reader
	read int
}

func (s *sending) next(to func([]byte)) {
	b := make([]byte, 4) // refused: a function that may be any is given it
	n, _ := io.ReadFull(s.r, b)
	s.read += n
	to(b[:n])
}

type capturing struct {
	r    io.Reader
	read int
}

func (s *capturing) next() func() byte {
	b := make([]byte, 4) // refused: a function literal that is returned captures it
	n, _ := io.ReadFull(s.r, b)
	s.read += n
	return func() byte { return b[0] }
}

type starting struct {
	w       io.Writer
	written int
}

func (s *starting) word(text string, done chan bool) {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: a goroutine may use it for longer
	}
	s.written += len(b)
	go func() { s.w.Write(b); done <- true }()
}

type deferring struct {
	w       io.Writer
	written int
}

func (s *deferring) word(text string) {
	var b []byte
	defer func() { s.w.Write(b) }()
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: a deferred function uses it
	}
	s.written += len(b)
}

type boxing struct{ written int }

func (s *boxing) word(text string) any {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: an interface has it
	}
	s.written += len(b)
	return b
}

type nilAsking struct{ written int }

func (s *nilAsking) word(text string) bool {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: nil is told from empty
	}
	s.written += len(b)
	return b == nil
}

type nilGiving struct{ written int }

func (s *nilGiving) word(text string) bool {
	var b []byte
	before := isNil(b)
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: another function tells nil from empty
	}
	s.written += len(b)
	return before
}

func isNil(b []byte) bool { return b == nil }

type roomAsking struct{ written int }

func (s *roomAsking) word(text string) int {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: its capacity is asked for
	}
	s.written += len(b)
	return cap(b)
}

type roomUsing struct{ written int }

func (s *roomUsing) word(text string) int {
	b := make([]byte, 0, 2*len(text)) // refused: elements behind its length are used
	b = append(b, text...)
	s.written += len(b)
	return int(b[: len(b)+1 : cap(b)][len(b)])
}

type twoNames struct{ written int }

func (s *twoNames) word(text string) string {
	var b []byte
	for i := range len(text) {
		b = append(b, text[i]|0x20) // refused: two slices share the memory, or do not
	}
	s.written += len(b)
	c := append(b, '1')
	b = append(b, '2')
	return string(c)
}

type recursing struct {
	w       io.Writer
	written int
}

func (s *recursing) tree(text string, depth int) {
	s.written++
	b := make([]byte, 0, 2*len(text)) // refused: it calls itself while it uses it
	b = append(b, text...)
	if depth > 0 {
		s.tree(text, depth-1)
	}
	s.w.Write(b)
}

// A visitor is called back.
type visitor interface{ visit(v *visited, depth int) }

type visited struct {
	w       io.Writer
	written int
}

func (s *visited) walk(v visitor, depth int) {
	s.written++
	b := make([]byte, 0, 2*depth) // refused: a method of an interface calls it again
	b = append(b, "walk"...)
	v.visit(s, depth)
	s.w.Write(b)
}

type down struct{}

func (down) visit(v *visited, depth int) {
	if depth > 0 {
		v.walk(down{}, depth-1)
	}
}

type called struct {
	w       io.Writer
	written int
}

func (s *called) each(use func(), text string) {
	s.written++
	b := make([]byte, 0, 2*len(text)) // refused: a function value calls it again
	b = append(b, text...)
	use()
	s.w.Write(b)
}

func eachCalled(s *called, n int) {
	s.each(func() {
		if n > 0 {
			eachCalled(s, n-1)
		}
	}, "text")
}

type printing struct {
	w       io.Writer
	written int
}

func (s *printing) print(v fmt.Stringer) {
	s.written++
	b := make([]byte, 0, 2*s.written) // refused: String may call it again
	b = append(b, "text"...)
	fmt.Fprint(s.w, v)
	s.w.Write(b)
}

type printsAgain struct{ p *printing }

func (a printsAgain) String() string {
	if a.p.written < 3 {
		a.p.print(a)
	}
	return "again"
}

type going struct {
	w    io.Writer
	read int
}

func (s *going) next(text string) {
	s.read++
	b := make([]byte, 0, 2*len(text)) // refused: a go statement has the receiver
	b = append(b, text...)
	s.w.Write(b)
}

func (s *going) start(done chan bool) { go s.finish(done) }

func (s *going) finish(done chan bool) { done <- s.read > 0 }

// Held keeps an unsafe one for all that call it.
type Held struct{ h *heldByOther }

type heldByOther struct {
	w    io.Writer
	turn chan bool
	read int
}

func (s *heldByOther) next(text string) {
	b := make([]byte, 0, 2*len(text)) // refused: goroutines take turns after it is made
	b = append(b, text...)
	s.turn <- true
	s.read++
	s.w.Write(b)
	<-s.turn
}

// Next is called by goroutines.
func (h *Held) Next(text string) { h.h.next(text) }

// NewHeld makes one.
func NewHeld(w io.Writer) *Held { return &Held{&heldByOther{w: w, turn: make(chan bool, 1)}} }

// Sharing has a writer that many goroutines may use, as it changes nothing of its own.
type Sharing struct{ s *sharedByMany }

type sharedByMany struct {
	w    io.Writer
	done int
}

func (s *sharedByMany) text(text string) {
	b := make([]byte, 0, 2*len(text)) // refused: not each call changes the receiver
	b = append(b, text...)
	if n, err := s.w.Write(b); err != nil {
		s.done = n
	}
}

// Texts writes.
func (s *Sharing) Texts(all ...string) {
	for _, text := range all {
		s.s.text(text)
	}
}

// NewSharing makes one.
func NewSharing(w io.Writer) *Sharing { return &Sharing{&sharedByMany{w: w}} }

// Public is of other packages, too.
type Public struct {
	r    io.Reader
	read int
}

func (s *Public) uint32() uint32 {
	var b [4]byte // refused: other packages may copy and compare values
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type valued struct {
	r    io.Reader
	read int
}

func (s valued) uint32() uint32 {
	var b [4]byte // refused: the receiver is a copy
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type copied struct {
	r    io.Reader
	read int
}

func (s *copied) uint32() uint32 {
	var b [4]byte // refused: values are copied
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func forkCopied(s *copied) copied { c := *s; return c }

type compared struct {
	name string
	read int
}

func (s *compared) word(r io.Reader) uint32 {
	var b [4]byte // refused: values are compared
	n, _ := io.ReadFull(r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func sameCompared(a, b *compared) bool { return *a == *b }

type keyed struct {
	name string
	read int
}

func (s *keyed) word(r io.Reader) uint32 {
	var b [4]byte // refused: values are keys of a map
	n, _ := io.ReadFull(r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

var byKeyed = map[keyed]int{}

type unkeyed struct {
	r    io.Reader
	read int
}

func (s *unkeyed) uint32() uint32 {
	var b [4]byte // refused: a literal has the fields in their order
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func newUnkeyed(r io.Reader) *unkeyed { return &unkeyed{r, 0} }

type converted struct {
	r    io.Reader
	read int
}

func (s *converted) uint32() uint32 {
	var b [4]byte // refused: another type has the same fields
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type convertedTo converted

type encoded struct {
	Name string
	r    io.Reader
	read int
}

func (s *encoded) uint32() uint32 {
	var b [4]byte // refused: other packages see its fields by reflection
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func (s *encoded) marshal() ([]byte, error) { return json.Marshal(s) }

type reflected struct {
	r    io.Reader
	read int
}

func (s *reflected) uint32() uint32 {
	var b [4]byte // refused: its fields are counted
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func fieldsOf(s *reflected) int { return reflect.TypeOf(s).Elem().NumField() }

type open struct {
	R    io.Reader
	Read int
}

func (s *open) uint32() uint32 {
	var b [4]byte // refused: all its fields are exported so far
	n, _ := io.ReadFull(s.R, b[:])
	s.Read += n
	return binary.BigEndian.Uint32(b[:])
}

type inner struct {
	r    io.Reader
	read int
}

func (s *inner) uint32() uint32 {
	var b [4]byte // refused: it is part of a struct that may be copied
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type outer struct {
	inner
	name string
}

type typed[T any] struct {
	r    io.Reader
	read int
	last T
}

func (s *typed[T]) uint32() uint32 {
	var b [4]byte // refused: the type has a type parameter
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type whole struct {
	r    io.Reader
	read int
}

func (s *whole) hash() [4]byte {
	var b [4]byte // refused: the array is returned as a value
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return b
}

type listed struct {
	r    io.Reader
	read int
}

func (s *listed) hash() int {
	var all [][]byte
	for range 3 {
		b := make([]byte, 4) // refused: three are in use at the same time
		n, _ := io.ReadFull(s.r, b)
		s.read += n
		all = append(all, b)
	}
	return len(bytes.Join(all, nil))
}

type again struct {
	r    io.Reader
	read int
}

func (s *again) uint32() uint32 {
	if s == nil {
		s = &again{r: strings.NewReader("")}
	}
	var b [4]byte // refused: the receiver may be another one
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type absent struct {
	r    io.Reader
	read int
}

func (s *absent) uint32(w io.Writer) uint32 {
	io.WriteString(w, "begin")
	var b [4]byte // refused: without a receiver it would panic sooner
	n, _ := io.ReadFull(strings.NewReader("text"), b[:])
	io.WriteString(w, "middle")
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type recovering struct {
	r    io.Reader
	read int
}

func (s *recovering) uint32() (n uint32) {
	defer func() { recover() }()
	var b [4]byte // refused: the method goes on behind a panic
	k, _ := io.ReadFull(s.r, b[:])
	s.read += k
	return binary.BigEndian.Uint32(b[:])
}

// Another system has it as a value.
type forked struct {
	r    io.Reader
	read int
}

func (s *forked) uint32() uint32 {
	var b [4]byte // refused: a file of another system copies it
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func (s *madeElsewhere) uint32() uint32 {
	var b [4]byte // refused: the struct is in a generated file
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

func (s *ofSomeBuilds) uint32() uint32 {
	var b [4]byte // refused: the struct is in a file that not all builds have
	n, _ := io.ReadFull(s.r, b[:])
	s.read += n
	return binary.BigEndian.Uint32(b[:])
}

type mapReturning struct{ calls int }

func (s *mapReturning) count(text string) map[byte]int {
	s.calls++
	seen := map[byte]int{}
	for i := range len(text) {
		seen[text[i]]++ // refused: the map is returned
	}
	return seen
}

type mapShrinking struct{ calls int }

func (s *mapShrinking) count(text string) int {
	s.calls++
	seen := map[byte]int{}
	for i := range len(text) {
		seen[text[i]]++ // refused: entries are deleted, and its size cannot be told
	}
	delete(seen, ' ')
	return len(seen)
}

type mapNil struct{ calls int }

func (s *mapNil) count(text string) int {
	s.calls++
	seen := map[byte]int{}
	for i := range len(text) {
		if text[i] == '.' {
			seen = make(map[byte]int)
		}
		seen[text[i]]++ // refused: the variable gets another map
	}
	return len(seen)
}

type noted struct {
	r    io.Reader
	read int
}

func (s *noted) next() int {
	b := make([]byte /* a word */, 4) // refused: a comment would go
	n, _ := io.ReadFull(s.r, b)
	s.read += n
	return int(b[0])
}

type localType struct {
	r    io.Reader
	read int
}

func (s *localType) next() int {
	s.read++
	type cell struct{ n int }
	b := make([]cell, 40*s.read) // refused: its size is no constant
	for i := range b {
		b[i].n = i
	}
	return b[s.read].n
}

type pointing struct {
	w     io.Writer
	calls int
}

func (s *pointing) names(all []string) {
	s.calls++
	b := make([]string, 8) // refused: an array of pointers would keep what they point to
	for i := range b {
		b[i] = all[i%len(all)]
	}
	fmt.Fprintln(s.w, strings.Join(b, " "))
}
