package left

import (
	"bytes"
	"sync"
)

type work struct{ buf []byte }

type job struct {
	wg  sync.WaitGroup
	buf []byte
}

var jobs = sync.Pool{New: func() any { return new(job) }}

// A WaitGroup keeps nothing.
func goodWait(next func([]byte) bool, do func(*work)) {
	j := jobs.Get().(*job)
	defer jobs.Put(j)
	for next(j.buf) {
		w := &work{}
		w.buf, j.buf = j.buf, w.buf
		j.wg.Add(1)
		do(w)
	}
	j.wg.Wait()
}

// overwritten has no memory when it goes back.
func goodOverwritten(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	p := b.Bytes()
	*b = bytes.Buffer{}
	buffers.Put(b)
	return p
}

func badOverwritten(s string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(s)
	p := b.Bytes()
	b.Reset()
	buffers.Put(b)
	return p // want "the value returned aliases b"
}

type request struct{ data []byte }

type upload struct {
	next *request
	send func(*request) error
}

var arrays = sync.Pool{New: func() any { return new([64]byte) }}

// The request is taken out: nobody else has it.
func (u *upload) goodWrite(p []byte) error {
	a := arrays.Get().(*[64]byte)
	defer arrays.Put(a)
	n := copy(a[:], p)
	r := u.next
	u.next = nil
	if r == nil {
		r = &request{}
	}
	r.data = a[:n]
	return u.send(r)
}

func (u *upload) badWrite(p []byte) {
	a := arrays.Get().(*[64]byte)
	defer arrays.Put(a)
	n := copy(a[:], p)
	r := u.next
	r.data = a[:n] // want "aliases a"
}

// inner is what others set.
type inner struct{ buf []byte }

func (i *inner) set(b []byte)   { i.buf = b }
func (i *inner) write(s string) { i.buf = append(i.buf, s...) }
func (i *inner) bytes() []byte  { return i.buf }

type outer struct {
	last int
	inner
}

var outers = sync.Pool{New: func() any { return new(outer) }}

func goodSetInner(s string) []byte {
	o := outers.Get().(*outer)
	o.set(make([]byte, 0, o.last))
	o.write(s)
	p := o.bytes()
	o.last = len(p)
	o.set(nil)
	outers.Put(o)
	return p
}

func badSetInner(s string) []byte {
	o := outers.Get().(*outer)
	o.write(s)
	p := o.bytes()
	o.last = len(p)
	outers.Put(o)
	return p // want "the value returned aliases o"
}
