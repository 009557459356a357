package multi

import (
	"bytes"
	"encoding/binary"
	"errors"
	"html/template"
	"io"
	"net/http"
	"sync"
)

type pages struct {
	t    *template.Template
	pool sync.Pool
}

func (p *pages) get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

func (p *pages) put(b *bytes.Buffer) {
	b.Reset()
	p.pool.Put(b)
}

// execute returns the buffer with the error.
func (p *pages) execute(name string, data any) (*bytes.Buffer, error) {
	buf := p.get()
	return buf, p.t.ExecuteTemplate(buf, name, data)
}

func (p *pages) badExecute(w http.ResponseWriter, name string, data any) {
	buf, err := p.execute(name, data) // want "buf is not put back on the path to line 40"
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	buf.WriteTo(w)
	p.put(buf)
}

func (p *pages) goodExecute(w http.ResponseWriter, name string, data any) {
	buf, err := p.execute(name, data)
	defer p.put(buf)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	buf.WriteTo(w)
}

// through hands on what it gets, and so does its caller in a loop.
func (p *pages) through(name string) (*bytes.Buffer, error) { return p.execute(name, nil) }

func (p *pages) badThrough(w io.Writer, names []string) (err error) {
	for _, name := range names {
		var buf *bytes.Buffer
		buf, err = p.through(name) // want "buf is not put back on the path to line"
		if err != nil {
			continue
		}
		buf.WriteTo(w)
		p.put(buf)
	}
	return err
}

// none returns no buffer with an error.
func (p *pages) none(name string) (*bytes.Buffer, error) {
	buf := p.get()
	if err := p.t.ExecuteTemplate(buf, name, nil); err != nil {
		p.put(buf)
		return nil, err
	}
	return buf, nil
}

func (p *pages) throughNone(name string) (*bytes.Buffer, error) { return p.none(name) }

func (p *pages) goodNone(w io.Writer, name string) error {
	buf, err := p.none(name)
	if err != nil {
		return err
	}
	buf.WriteTo(w)
	p.put(buf)
	return nil
}

func (p *pages) goodThroughNone(w io.Writer, name string) error {
	buf, err := p.throughNone(name)
	if err != nil {
		return err
	}
	buf.WriteTo(w)
	p.put(buf)
	return nil
}

// named does so by named results, of a slice.
var frames = sync.Pool{New: func() any { return make([]byte, 64) }}

func readFrame(r io.Reader) (b []byte, n int, err error) {
	b = frames.Get().([]byte)
	n, err = io.ReadFull(r, b)
	return
}

func badFrame(r io.Reader) (uint64, error) {
	b, n, err := readFrame(r) // want "b is not put back on the path to line"
	if err != nil || n < 8 {
		return 0, err
	}
	v := binary.BigEndian.Uint64(b)
	frames.Put(b)
	return v, nil
}

// A link may be broken when one of its methods fails.
type link struct{ r io.Reader }

func (l *link) ping() error {
	if l.r == nil {
		return errors.New("closed")
	}
	return nil
}

var links = sync.Pool{New: func() any { return new(link) }}

func getLink() (*link, error) {
	l := links.Get().(*link)
	return l, l.ping()
}

func goodLink(b []byte) error {
	l, err := getLink()
	if err != nil {
		return err
	}
	_, err = l.r.Read(b)
	links.Put(l)
	return err
}
