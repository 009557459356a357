package grow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// Another field is replaced than the one that grows.
type frames struct {
	in          io.Reader
	read, write []byte
	heads       map[string]string
}

var framePool = sync.Pool{New: func() any { return &frames{read: make([]byte, 0, 4096)} }}

func newFrames(r io.Reader) *frames {
	f := framePool.Get().(*frames)
	f.in = r
	return f
}

func (f *frames) grow(n int) {
	size := cap(f.read)
	if size >= n {
		return
	}
	f.read = make([]byte, 0, 2*size+n)
}

func (f *frames) Next(n int) ([]byte, error) {
	f.grow(n)
	_, err := f.in.Read(f.read[:n])
	return f.read[:n], err
}

func (f *frames) badRelease() {
	f.in, f.write, f.heads = nil, nil, nil
	f.read = f.read[:0]
	framePool.Put(f) // want `a \*frames is put into framePool`
}

// The field that grows is one of a struct within, and another of its fields is made anew.
type body struct {
	parts []string
	marks map[int]bool
}

type leaf struct {
	id   int
	body body
}

var leafPool = sync.Pool{New: func() any { return new(leaf) }}

func (b *body) reset() {
	b.parts = b.parts[:0]
	b.marks = map[int]bool{}
}

func badPage(words []string, f func(*leaf)) {
	p := leafPool.Get().(*leaf)
	p.body.parts = append(p.body.parts, words...)
	f(p)
	p.body.reset()
	leafPool.Put(p) // want `a \*leaf is put into leafPool`
}

// The struct that has what grows is replaced as a whole.
type goodPage struct {
	id   int
	body body
}

var goodPagePool = sync.Pool{New: func() any { return new(goodPage) }}

func usePage(words []string, f func(*goodPage)) {
	p := goodPagePool.Get().(*goodPage)
	p.body.parts = append(p.body.parts, words...)
	f(p)
	p.body = body{}
	goodPagePool.Put(p)
}

// The field that grows is replaced by a method of its own.
type dropped struct {
	head []byte
	rows []string
}

var droppedPool = sync.Pool{New: func() any { return new(dropped) }}

func (d *dropped) drop() { d.rows = nil }

func goodDropped(words []string, f func(*dropped)) {
	d := droppedPool.Get().(*dropped)
	d.head = d.head[:0]
	d.rows = append(d.rows, words...)
	f(d)
	d.drop()
	droppedPool.Put(d)
}

// What grows belongs to others, who lend it.
type cache struct{ known map[string]int }

type lookup struct {
	of   *cache
	path []string
}

var lookupPool = sync.Pool{New: func() any { return new(lookup) }}

func goodLookup(c *cache, name string, f func(*lookup)) {
	l := lookupPool.Get().(*lookup)
	l.of, l.path = c, nil
	f(l)
	l.of.known[name]++
	lookupPool.Put(l)
}

// A buffer writes on in the memory of the value, which gets what it made of it.
type request struct {
	from io.Reader
	text []byte
	done bool
}

var requestPool = &sync.Pool{New: func() any { return new(request) }}

func newRequest(r io.Reader) *request {
	q := requestPool.Get().(*request)
	q.from = r
	return q
}

func (q *request) All() ([]byte, error) {
	if q.done {
		return q.text, nil
	}
	b := bytes.NewBuffer(q.text)
	_, err := b.ReadFrom(q.from)
	q.text, q.done = b.Bytes(), true
	return q.text, err
}

func (q *request) badDestroy() {
	q.from = nil
	q.text, q.done = q.text[:0], false
	requestPool.Put(q) // want `a \*request is put into requestPool`
}

var encodePool = sync.Pool{New: func() any { return new([]byte) }}

func badEncode(w io.Writer, v any) error {
	p := encodePool.Get().(*[]byte)
	b := bytes.NewBuffer((*p)[:0])
	err := json.NewEncoder(b).Encode(v)
	w.Write(b.Bytes())
	*p = b.Bytes()
	encodePool.Put(p) // want `a \*\[\]byte is put into encodePool`
	return err
}

// A helper writes on in what it is given.
func copyAll(into []byte, r io.Reader) ([]byte, error) {
	b := bytes.NewBuffer(into)
	if _, err := io.Copy(b, r); err != nil {
		return b.Bytes(), err
	}
	return b.Bytes(), nil
}

type upload struct{ data []byte }

var uploadPool = sync.Pool{New: func() any { return new(upload) }}

func badUpload(r io.Reader, f func([]byte)) error {
	u := uploadPool.Get().(*upload)
	var err error
	u.data, err = copyAll(u.data[:0], r)
	f(u.data)
	uploadPool.Put(u) // want `a \*upload is put into uploadPool`
	return err
}

// A few numbers, and a buffer of its own each time.
type point struct{ text []byte }

var pointPool = sync.Pool{New: func() any { return new(point) }}

func goodPoint(x, y int, f func([]byte)) {
	p := pointPool.Get().(*point)
	b := bytes.NewBuffer(p.text[:0])
	fmt.Fprintf(b, "%d,%d", x, y)
	p.text = b.Bytes()
	f(p.text)
	pointPool.Put(p)
}

type answer struct{ text []byte }

var answerPool = sync.Pool{New: func() any { return new(answer) }}

func goodAnswer(r io.Reader, f func([]byte)) {
	a := answerPool.Get().(*answer)
	b := bytes.NewBuffer(nil)
	b.ReadFrom(r)
	a.text = b.Bytes()
	f(a.text)
	answerPool.Put(a)
}

// There is never more than a constant capacity.
type bits struct {
	words []uint32
	from  io.Reader
}

var bitsPool = sync.Pool{New: func() any { return new(bits) }}

func goodBits(n int, f func(*bits)) {
	b := bitsPool.Get().(*bits)
	if cap(b.words) < n {
		b.words = make([]uint32, n, 8192)
	} else {
		b.words = b.words[:n]
	}
	f(b)
	b.from = nil
	bitsPool.Put(b)
}
