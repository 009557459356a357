package parts

import (
	"bytes"
	"io"
)

// Read takes a buffer at its first call, as Open does.
func (r *reader) Read(p []byte) (int, error) {
	if r.inner == nil {
		r.inner = buffers.Get().(*bytes.Buffer)
	}
	return r.inner.Read(p)
}

func (r *reader) Open() error {
	r.inner = buffers.Get().(*bytes.Buffer)
	return nil
}

func badLent(p []byte) error {
	r := newReader()
	defer r.Close() // want "r.inner is put back twice when the function ends"
	if _, err := io.ReadFull(r, p); err != nil {
		r.Close()
		return err
	}
	return nil
}

func goodLent(p []byte) error {
	r := newReader()
	if _, err := io.ReadFull(r, p); err != nil {
		r.Close()
		return err
	}
	r.Close()
	return nil
}

func badOpened(w io.Writer) error {
	r := new(reader)
	if err := r.Open(); err != nil {
		return err
	}
	defer r.Close() // want "r.inner is put back twice when the function ends"
	_, err := io.Copy(w, r)
	r.Close()
	return err
}

func goodOpened(w io.Writer) error {
	r := new(reader)
	if err := r.Open(); err != nil {
		return err
	}
	defer r.Clear()
	_, err := io.Copy(w, r)
	r.Clear()
	return err
}

// It has another buffer the second time.
func goodOpenedAgain(r *reader, w io.Writer) error {
	if err := r.Open(); err != nil {
		return err
	}
	r.Close()
	if err := r.Open(); err != nil {
		return err
	}
	_, err := io.Copy(w, r)
	r.Close()
	return err
}

func goodReadAgain(r *reader, w io.Writer) {
	for range 2 {
		io.Copy(w, r)
		r.Close()
	}
}

func goodLentStopped(r *reader, w io.Writer) {
	defer r.Stop()
	io.Copy(w, r)
	r.Stop()
}

// The list may give it another one.
var readers []io.Reader

func openAll() {
	for _, r := range readers {
		r.(*reader).Open()
	}
}

func goodListed(w io.Writer) {
	r := newReader()
	readers = append(readers, r)
	r.Close()
	openAll()
	io.Copy(w, r)
	r.Close()
}

func badCallerCloses(r *reader, w io.Writer) {
	if _, err := io.Copy(w, r); err != nil {
		r.Close()
	}
	r.done() // want "r.inner is put back twice"
}

func goodCallerCloses(r *reader, w io.Writer) {
	if _, err := io.Copy(w, r); err != nil {
		r.Close()
		return
	}
	r.done()
}

// A pieces reads one buffer after the other.
type pieces struct{ all []*bytes.Buffer }

func (p *pieces) Read(to []byte) (int, error) {
	for len(p.all) > 0 {
		if n, _ := p.all[0].Read(to); n > 0 {
			return n, nil
		}
		buffers.Put(p.all[0])
		p.all = p.all[1:]
	}
	return 0, io.EOF
}

func (p *pieces) Close() error {
	for _, b := range p.all {
		buffers.Put(b)
	}
	return nil
}

func (p *pieces) Drop() {
	for _, b := range p.all {
		buffers.Put(b)
	}
	p.all = nil
}

func badPieces(w io.Writer, p *pieces) error {
	defer p.Close() // want "each of p.all is put back twice when the function ends"
	if _, err := io.CopyN(w, p, 10); err != nil {
		return err
	}
	return p.Close()
}

func goodPieces(w io.Writer, p *pieces) error {
	defer p.Drop()
	_, err := io.CopyN(w, p, 10)
	p.Drop()
	return err
}
