package partly

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var errFrame = errors.New("bad frame")

type frameData struct {
	args [8]uintptr
	buf  []byte
}

var frameDatas = sync.Pool{New: func() any { return new(frameData) }}

// A frame is passed by its value.
type frame struct{ data *frameData }

func newFrame() frame {
	f := frame{data: frameDatas.Get().(*frameData)}
	f.data.args = [8]uintptr{}
	return f
}

func (f frame) set(i int, v uintptr) { f.data.args[i] = v }
func (f frame) result() uintptr      { return f.data.args[0] }
func (f frame) free()                { frameDatas.Put(f.data) }
func call(id int, f frame) bool      { return f.data.args[0] != uintptr(id) }
func (f frame) read(r io.Reader) error {
	_, err := r.Read(f.data.buf)
	return err
}

func badFrame(v uintptr) uintptr {
	f := newFrame() // want "f.data is not put back"
	f.set(0, v)
	if !call(1, f) {
		return 0
	}
	n := f.result()
	f.free()
	return n
}

func goodFrame(v uintptr) uintptr {
	f := newFrame()
	defer f.free()
	f.set(0, v)
	if !call(1, f) {
		return 0
	}
	return f.result()
}

// The caller frees it.
func goodBegin(v uintptr) (frame, bool) {
	f := newFrame()
	f.set(0, v)
	if !call(1, f) {
		f.free()
		return frame{}, false
	}
	return f, true
}

var begun []frame

func goodBegun(v uintptr) {
	f := newFrame()
	if v == 0 {
		f.free()
		return
	}
	begun = append(begun, f)
}

// What a method of its own has failed on may be left.
func goodFailed(r io.Reader) error {
	f := newFrame()
	if err := f.read(r); err != nil {
		return err
	}
	f.free()
	return nil
}

type sheet struct {
	buf  *bytes.Buffer
	name string
}

var sheetBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func openSheet(name string, r io.Reader) (*sheet, error) {
	b := sheetBuffers.Get().(*bytes.Buffer)
	if _, err := b.ReadFrom(r); err != nil {
		sheetBuffers.Put(b)
		return nil, err
	}
	return &sheet{b, name}, nil
}

func (p *sheet) close() { sheetBuffers.Put(p.buf) }

func badSheet(name string, r io.Reader) (int, error) {
	p, err := openSheet(name, r) // want "p.buf is not put back"
	if err != nil {
		return 0, err
	}
	if p.buf.Len() < 4 {
		return 0, errFrame
	}
	n := p.buf.Len()
	p.close()
	return n, nil
}

func badSheetNever(name string, r io.Reader) (int, error) {
	p, err := openSheet(name, r) // want "p.buf is never put back"
	if err != nil {
		return 0, err
	}
	return p.buf.Len(), nil
}

func goodSheet(name string, r io.Reader) (int, error) {
	p, err := openSheet(name, r)
	if err != nil {
		return 0, err
	}
	defer p.close()
	if p.buf.Len() < 4 {
		return 0, errFrame
	}
	return p.buf.Len(), nil
}

type sheets struct{ all map[string]*sheet }

func (s *sheets) goodStored(name string, r io.Reader) error {
	p, err := openSheet(name, r)
	if err != nil {
		return err
	}
	if p.buf.Len() == 0 {
		p.close()
		return errFrame
	}
	s.all[name] = p
	return nil
}
