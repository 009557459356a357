// Package origin has values that go into another pool than they came from.
package origin

import (
	"bytes"
	"io"
	"sync"

	"lessgc/pool"
)

var (
	heads  = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 256)) }}
	bodies = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 1<<16)) }}
)

func badOtherPool(s string) int {
	b := heads.Get().(*bytes.Buffer)
	defer bodies.Put(b) // want `a value from heads is put into bodies`
	b.Reset()
	b.WriteString(s)
	return b.Len()
}

func goodOwnPool(s string) int {
	b := heads.Get().(*bytes.Buffer)
	defer heads.Put(b)
	b.Reset()
	b.WriteString(s)
	return b.Len()
}

func badTwoMixedUp(w io.Writer) {
	h := heads.Get().(*bytes.Buffer)
	b := bodies.Get().(*bytes.Buffer)
	h.Reset()
	b.Reset()
	w.Write(h.Bytes())
	w.Write(b.Bytes())
	heads.Put(h)
	images.Put(b) // want `a value from bodies is put into images`
}

func goodTwo(w io.Writer) {
	h := heads.Get().(*bytes.Buffer)
	b := bodies.Get().(*bytes.Buffer)
	h.Reset()
	b.Reset()
	w.Write(h.Bytes())
	w.Write(b.Bytes())
	heads.Put(h)
	bodies.Put(b)
}

var images = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Through functions that get and put.
func getHead() *bytes.Buffer  { return heads.Get().(*bytes.Buffer) }
func putHead(b *bytes.Buffer) { b.Reset(); heads.Put(b) }
func putBody(b *bytes.Buffer) { b.Reset(); bodies.Put(b) }

func badWrappers(s string) int {
	b := getHead()
	n, _ := b.WriteString(s)
	putBody(b) // want `a value from heads is put into bodies`
	return n
}

func goodWrappers(s string) int {
	b := getHead()
	n, _ := b.WriteString(s)
	putHead(b)
	return n
}

func badDeferredClosure(s string) int {
	b := getHead()
	defer func() {
		b.Reset()
		bodies.Put(b) // want `a value from heads is put into bodies`
	}()
	b.WriteString(s)
	return b.Len()
}

func goodDeferredClosure(s string) int {
	b := getHead()
	defer func() {
		b.Reset()
		heads.Put(b)
	}()
	b.WriteString(s)
	return b.Len()
}

// Fields of one value.
type codec struct {
	enc, dec sync.Pool
	ptr, alt *sync.Pool
	spare    *sync.Pool
}

func newCodec(spare *sync.Pool) *codec {
	return &codec{ptr: new(sync.Pool), alt: new(sync.Pool), spare: spare}
}

func (c *codec) badFields() {
	if b, ok := c.enc.Get().(*bytes.Buffer); ok {
		c.dec.Put(b) // want `a value from c.enc is put into c.dec`
	}
}

func (c *codec) goodFields() {
	if b, ok := c.enc.Get().(*bytes.Buffer); ok {
		c.enc.Put(b)
	}
}

func (c *codec) badPointers() {
	if b, ok := c.ptr.Get().(*bytes.Buffer); ok {
		c.alt.Put(b) // want `a value from c.ptr is put into c.alt`
	}
}

// spare may be the same pool.
func (c *codec) goodPerhapsTheSame() {
	if b, ok := c.ptr.Get().(*bytes.Buffer); ok {
		c.spare.Put(b)
	}
}

// Two values of a type.
func goodOtherValue(c, d *codec) {
	if b, ok := c.enc.Get().(*bytes.Buffer); ok {
		d.enc.Put(b)
	}
}

// Classes of size: a value goes where it fits.
func goodGrown(r io.Reader) {
	b := heads.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	if b.Cap() > 4096 {
		videos.Put(b)
		return
	}
	heads.Put(b)
}

var videos = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func goodClass(r io.Reader) {
	b := images.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	if b.Cap() > 1<<20 {
		videos.Put(b)
	}
}

func badNotTheClass(r io.Reader, keep bool) {
	b := images.Get().(*bytes.Buffer)
	b.Reset()
	b.ReadFrom(r)
	if keep {
		videos.Put(b) // want `a value from images is put into videos`
	}
}

func goodChosen(large bool) {
	p := &heads
	if large {
		p = &bodies
	}
	b := p.Get().(*bytes.Buffer)
	if large {
		bodies.Put(b)
	} else {
		heads.Put(b)
	}
}

func goodChosenByFlag(promote bool) {
	b := heads.Get().(*bytes.Buffer)
	if promote {
		bodies.Put(b)
	} else {
		heads.Put(b)
	}
}

var classes [4]sync.Pool

func goodNextClass(s string) {
	if b, ok := classes[0].Get().(*bytes.Buffer); ok {
		b.WriteString(s)
		classes[1].Put(b)
	}
}

// Values that go round: another function cleans the dirty ones.
var clean, dirty sync.Pool

func goodUse() {
	if b, ok := clean.Get().(*bytes.Buffer); ok {
		dirty.Put(b)
	}
}

func goodClean() {
	if b, ok := dirty.Get().(*bytes.Buffer); ok {
		b.Reset()
		clean.Put(b)
	}
}

// All values move.
var full, spare sync.Pool

func goodMove() {
	for {
		v := full.Get()
		if v == nil {
			return
		}
		spare.Put(v)
	}
}

func badNoMove() {
	v := full.Get()
	if v == nil {
		return
	}
	spare.Put(v) // want `a value from full is put into spare`
}

// Not surely the value that was got.
func goodReassigned(s string) {
	b := heads.Get().(*bytes.Buffer)
	if b.Cap() < len(s) {
		heads.Put(b)
		b = bodies.Get().(*bytes.Buffer)
	}
	b.WriteString(s)
	bodies.Put(b)
}

// The pools of this project.
var small, big pool.Buffers
var first, second pool.Pool[bytes.Buffer]

func badBuffers() {
	b := small.Get(10)
	big.Put(b) // want `a buffer of small is put into big: Put panics`
}

func goodBuffers() {
	b := small.Get(10)
	small.Put(b)
}

func badTyped() {
	b := first.Get()
	second.Put(b) // want `a value from first is put into second`
}

func goodTyped() {
	b := first.Get()
	first.Put(b)
}

// One pool for both.
type link struct{ in, out *sync.Pool }

func newLink() *link {
	both := &sync.Pool{New: func() any { return new(frame) }}
	return &link{in: both, out: both}
}

func (l *link) goodBoth() {
	f := l.in.Get().(*frame)
	f.n++
	l.out.Put(f)
}

func newApartLink() *apartLink {
	return &apartLink{in: &sync.Pool{New: func() any { return new(frame) }}, out: &sync.Pool{New: func() any { return new(frame) }}}
}

type apartLink struct{ in, out *sync.Pool }

func (l *apartLink) badApart() {
	f := l.in.Get().(*frame)
	f.n++
	l.out.Put(f) // want `a value from l.in is put into l.out`
}

// The address of a copy.
type frame struct {
	n    int
	data [64]byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func badCopy(n int) {
	f := *frames.Get().(*frame)
	f.n = n
	frames.Put(&f) // want `the address of a copy is put into frames`
}

func goodNoCopy(n int) {
	f := frames.Get().(*frame)
	f.n = n
	frames.Put(f)
}

var slices = sync.Pool{New: func() any { return new([]byte) }}

func badSliceCopy(w io.Writer, s string) {
	b := *slices.Get().(*[]byte)
	defer func() {
		slices.Put(&b) // want `the address of a copy is put into slices`
	}()
	b = append(b[:0], s...)
	w.Write(b)
}

func goodCopiedBack(w io.Writer, s string) {
	p := slices.Get().(*[]byte)
	b := *p
	defer func() {
		*p = b
		slices.Put(p)
	}()
	b = append(b[:0], s...)
	w.Write(b)
}

// A copy that is another value: the first one goes back too.
func goodSecondValue() {
	f := frames.Get().(*frame)
	g := *f
	frames.Put(f)
	frames.Put(&g)
}

func goodNewValue(n int) {
	f := frame{n: n}
	frames.Put(&f)
}
