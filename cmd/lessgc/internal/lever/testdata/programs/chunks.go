package programs

import (
	"runtime"
	"strconv"
	"strings"
)

type chunksNode struct {
	text  string
	below []*chunksNode
}

type chunksParser struct {
	text string
	pos  int
}

// A parser calls itself.
func (p *chunksParser) list() *chunksNode {
	n := &chunksNode{text: "("} // want chunk
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		p.pos++
		switch c {
		case '(':
			n.below = append(n.below, p.list())
		case ')':
			return n
		default:
			n.below = append(n.below, p.leaf(c))
		}
	}
	return n
}

func (p *chunksParser) leaf(c byte) *chunksNode {
	leaf := new(chunksNode) // want chunk
	leaf.text = p.text[p.pos-1 : p.pos]
	return leaf
}

func chunksParse(text string) *chunksNode {
	p := &chunksParser{text: text}
	return p.list()
}

type chunksToken struct {
	kind int
	text string
}

type chunksLexer struct {
	text string
	pos  int
}

func (l *chunksLexer) next() *chunksToken {
	if l.pos == len(l.text) {
		return nil
	}
	l.pos++
	return &chunksToken{1, l.text[l.pos-1 : l.pos]} // want chunk
}

func chunksLex(text string) (all []*chunksToken) {
	l := &chunksLexer{text: text}
	for t := l.next(); t != nil; t = l.next() {
		all = append(all, t)
	}
	return all
}

// Each receiver makes few.
func chunksLexEach(texts []string) (all []*chunksToken) {
	for _, text := range texts {
		l := &chunksShortLexer{text: text}
		all = append(all, l.next(), l.next())
	}
	return all
}

type chunksShortLexer struct {
	text string
	pos  int
}

func (l *chunksShortLexer) next() *chunksToken {
	l.pos++
	return &chunksToken{2, l.text[l.pos-1 : l.pos]} // no chunk
}

type chunksSaving struct {
	text string
	pos  int
}

// The receiver is copied: both would hand out the same object.
func (s *chunksSaving) next() *chunksToken {
	s.pos++
	return &chunksToken{3, s.text[s.pos-1 : s.pos]} // no chunk
}

func chunksLexSaving(text string) (all []*chunksToken) {
	s := &chunksSaving{text: text}
	for s.pos < len(text)-2 {
		saved := *s
		all = append(all, s.next())
		*s = saved
		all = append(all, s.next())
	}
	return all
}

type chunksHandle struct {
	id   int
	name string
}

type chunksOpener struct{ n int }

// It has a finalizer.
func (o *chunksOpener) open(name string) *chunksHandle {
	o.n++
	h := &chunksHandle{o.n, name} // no chunk
	runtime.SetFinalizer(h, func(*chunksHandle) {})
	return h
}

func chunksOpen(n int) (all []*chunksHandle) {
	o := new(chunksOpener)
	for range n {
		all = append(all, o.open("a"))
	}
	return all
}

type chunksLarge struct {
	id  int
	pad [160]byte
}

type chunksMaker struct{ n int }

// It is large.
func (m *chunksMaker) all(n int) (all []*chunksLarge) {
	for range n {
		m.n++
		all = append(all, &chunksLarge{id: m.n}) // no chunk
	}
	return all
}

type chunksRare struct{ id, other int }

type chunksRareMaker struct{ n int }

// There are few in each operation.
func (m *chunksRareMaker) all(n int) (all []*chunksRare) {
	for range n {
		m.n++
		all = append(all, &chunksRare{id: m.n}) // no chunk
	}
	return all
}

type chunksMessage struct {
	names []string
	id    int
}

func (m *chunksMessage) appendTo(dst []byte) []byte {
	dst = append(dst, "message "...) // no nil-buffer
	for _, name := range m.names {
		dst = append(dst, name...) // want nil-buffer
		dst = append(dst, ", "...)
	}
	return chunksAppendID(dst, m.id)
}

var chunksFooter = strings.Repeat("and many more bytes, ", 20)

func chunksAppendID(dst []byte, id int) []byte {
	dst = append(dst, chunksFooter...) // want nil-buffer
	return strconv.AppendInt(dst, int64(id), 10)
}

func chunksMarshal(m *chunksMessage) []byte { return m.appendTo(nil) }

// A record is made of others, by way of an interface.
type chunksRecord []chunksAppender

type chunksAppender interface {
	appendText(b []byte) ([]byte, error)
}

type chunksNumber float64

func (n chunksNumber) appendText(b []byte) ([]byte, error) {
	return strconv.AppendFloat(b, float64(n), 'f', 20, 64), nil // want nil-buffer
}

func chunksMarshalRecord(r chunksRecord) ([]byte, error) {
	b := []byte{}
	var err error
	for _, a := range r {
		if b, err = a.appendText(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func chunksAppendNames(dst []byte, names []string) []byte {
	for _, name := range names {
		dst = append(dst, name...) // no nil-buffer
	}
	return dst
}

// The buffer begins with a capacity.
func chunksNames(names []string) []byte { return chunksAppendNames(make([]byte, 0, 20), names) }

func chunksAppendTexts(dst [][]byte, names []string) [][]byte {
	for _, name := range names {
		dst = append(dst, []byte(name)) // no nil-buffer
	}
	return dst
}

type chunksWriter struct{ b []byte }

func chunksAppendField(dst []byte, name string) []byte {
	for range 20 {
		dst = append(dst, name...) // no nil-buffer
	}
	return dst
}

// The slice is a field.
func chunksWrite(w *chunksWriter, name string) { w.b = chunksAppendField(w.b, name) }

// One append makes all of it.
func chunksAppendOnce(dst []byte, text string) []byte {
	return append(dst, text...) // no nil-buffer
}

func chunksOnce(text string) []byte { return chunksAppendOnce(nil, text) }

func chunksMake() ([]*chunksLarge, []*chunksRare) {
	return new(chunksMaker).all(100), new(chunksRareMaker).all(20)
}

func chunksMarshalNumbers() ([]byte, error) {
	return chunksMarshalRecord(chunksRecord{chunksNumber(1.5), chunksNumber(2.5), chunksNumber(3.25)})
}

type chunksVariable struct{ text string }

// The variable moves to the heap.
func (p *chunksParser) variable() *chunksVariable {
	var v chunksVariable // want chunk
	v.text = p.text[p.pos : p.pos+1]
	p.pos++
	return &v
}

func chunksVariables(text string) (all []*chunksVariable) {
	p := &chunksParser{text: text}
	for p.pos < len(text) {
		all = append(all, p.variable())
	}
	return all
}

// ChunksAppendLines is given nil by tests only.
func ChunksAppendLines(dst []byte, lines []string) []byte {
	for _, line := range lines {
		dst = append(dst, line...)
	}
	return dst
}
