package fates

import (
	"encoding/base64"
	"errors"
	"io"
	"mime/quotedprintable"
)

// A symbol cannot be named by other packages.
type symbol struct {
	n    int
	text string
}

type sealedLexer interface{ Lex(s *symbol) int }

type wordLexer struct{ pos int }

func (l *wordLexer) Lex(s *symbol) int {
	l.pos++
	s.n, s.text = l.pos, "word"
	return s.n
}

func staysSealed(l sealedLexer) int {
	s := &symbol{n: 1}
	return l.Lex(s)
}

type sealedKeeper interface{ Keep(s *symbol) }

type symbols struct{ all []*symbol }

func (k *symbols) Keep(s *symbol) { k.all = append(k.all, s) }

func leavesSealed(k sealedKeeper) {
	s := &symbol{n: 1}
	k.Keep(s)
}

// Others may name what this method takes.
type openLexer interface{ Open(b []byte) int }

type byteLexer struct{}

func (byteLexer) Open(b []byte) int { return len(b) }

var _ openLexer = byteLexer{}

func leavesOpen(l openLexer) int {
	b := make([]byte, 10)
	return l.Open(b)
}

// Errors are of no package.
type errorLexer interface{ Check(b []byte) error }

func (byteLexer) Check(b []byte) error { return nil }

var _ errorLexer = byteLexer{}

func leavesChecked(l errorLexer) error {
	b := make([]byte, 10)
	return l.Check(b)
}

type Symbol struct{ n int }

type namedLexer interface{ Named(s *Symbol) int }

func (byteLexer) Named(s *Symbol) int { return s.n }

var _ namedLexer = byteLexer{}

func leavesNamed(l namedLexer) int {
	s := &Symbol{n: 1}
	return l.Named(s)
}

// An alias names it for others.
type hidden struct{ n int }

type Shown = hidden

type aliasedLexer interface{ Alias(h *hidden) int }

func (byteLexer) Alias(h *hidden) int { return h.n }

var _ aliasedLexer = byteLexer{}

func leavesAliased(l aliasedLexer) int {
	h := &hidden{n: 1}
	return l.Alias(h)
}

// A variable that a deferred function captures has the reference, and nothing that it leads to.
type stacked struct {
	names []string
	n     int
}

func (s *stacked) parse(words []string) (last []string) {
	defer func() { s.n = -1 }()
	s.n = len(words)
	return words
}

func staysInVariable(words []string) []string {
	s := &stacked{n: 1}
	return s.parse(words)
}

var lastStacked *stacked

func (s *stacked) captured() {
	defer func() { lastStacked = s }()
	s.n++
}

func leavesInVariable() {
	s := &stacked{n: 1}
	s.captured()
}

var lastNames []string

// What two variables lead to is the object again.
func (s *stacked) twice() *stacked {
	p := &s
	q := &p
	func() { q = &p }()
	return **q
}

func leavesTwoVariables() *stacked {
	s := &stacked{n: 1}
	return s.twice()
}

// A field of a variable has it.
func leavesInField() (out *stacked) {
	s := &stacked{n: 1}
	var pair struct{ a, b *stacked }
	func() { pair.b = s }()
	copied := pair
	return copied.b
}

// It is nil where the test says so.
func orCopy(b []byte) []byte {
	if b != nil {
		c := make([]byte, len(b))
		copy(c, b)
		b = c
	}
	return b
}

func staysNil() []byte {
	b := make([]byte, 10)
	return orCopy(b)
}

func orItself(b, other []byte) []byte {
	if other != nil {
		b = other
	}
	return b
}

func leavesOther(other []byte) []byte {
	b := make([]byte, 10)
	return orItself(b, other)
}

func orNot(b []byte) []byte {
	c := b
	if b == nil {
		c = []byte("none")
	}
	return c
}

func leavesNotNil() []byte {
	b := make([]byte, 10)
	return orNot(b)
}

// What an error says does not refer to it.
type decodeError struct{ b []byte }

func (e *decodeError) Error() string { return string(e.b) }

func staysSaid() string {
	e := &decodeError{b: []byte("message")}
	var err error = e
	all := []error{err}
	return all[0].Error()
}

func leavesWrapped() error {
	e := &decodeError{b: []byte("message")}
	return errors.Join(e)
}

func staysDecoded(text []byte) ([]byte, error) {
	r := &sliceReader{text}
	return io.ReadAll(base64.NewDecoder(base64.StdEncoding, quotedprintable.NewReader(r)))
}

type sliceReader struct{ b []byte }

func (r *sliceReader) Read(p []byte) (int, error) {
	n := copy(p, r.b)
	r.b = r.b[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func leavesDecoder(text []byte) io.Reader {
	r := &sliceReader{text}
	return base64.NewDecoder(base64.StdEncoding, quotedprintable.NewReader(r))
}

// Zeroed objects.

func zeroedSlices() []string {
	s := &stacked{names: make([]string, 1)}
	return s.names
}

func zeroedLeaves() *int {
	s := &stacked{n: 1}
	return &s.n
}

func zeroedLeavesInside() []byte {
	s := &scratched{}
	return s.array[:4]
}

type scratched struct {
	array [300]byte
	slice []byte
}

func zeroedLeavesOwn() []byte {
	s := &scratched{}
	s.slice = s.array[:2]
	return s.slice
}
