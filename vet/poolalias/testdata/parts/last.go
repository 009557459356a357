package parts

import (
	"bytes"
	"io"
)

// A filler takes a buffer when it is filled.
type filler struct{ buf *bytes.Buffer }

func (f *filler) Fill(r io.Reader) error {
	if f.buf == nil {
		f.buf = buffers.Get().(*bytes.Buffer)
	}
	_, err := f.buf.ReadFrom(r)
	return err
}

func (f *filler) Bytes() []byte {
	if f.buf == nil {
		return nil
	}
	return f.buf.Bytes()
}

func (f *filler) Close() {
	if f.buf != nil {
		buffers.Put(f.buf)
		f.buf = nil
	}
}

func (f *filler) Write(p []byte) (int, error) { return len(p), f.Fill(bytes.NewReader(p)) }

func badFilled(r io.Reader) ([]byte, error) {
	var f filler
	defer f.Close()
	if err := f.Fill(r); err != nil {
		return nil, err
	}
	return f.Bytes(), nil // want "the value returned aliases f.buf"
}

func goodFilled(r io.Reader) ([]byte, error) {
	var f filler
	defer f.Close()
	if err := f.Fill(r); err != nil {
		return nil, err
	}
	return bytes.Clone(f.Bytes()), nil
}

func badWritten(r io.Reader) (lines [][]byte, err error) {
	f := new(filler)
	defer f.Close()
	if _, err := io.Copy(f, r); err != nil {
		return nil, err
	}
	for _, line := range bytes.Split(f.Bytes(), nil) {
		lines = append(lines, line)
	}
	return lines, nil // want "the value returned aliases f.buf"
}

func goodWritten(r io.Reader) (lines []string, err error) {
	f := new(filler)
	defer f.Close()
	if _, err := io.Copy(f, r); err != nil {
		return nil, err
	}
	for _, line := range bytes.Split(f.Bytes(), nil) {
		lines = append(lines, string(line))
	}
	return lines, nil
}

// What is returned belongs to the caller.
func (f *filler) Take() []byte {
	b := f.buf.Bytes()
	f.buf = nil
	return b
}

func goodTaken(r io.Reader) ([]byte, error) {
	var f filler
	defer f.Close()
	if err := f.Fill(r); err != nil {
		return nil, err
	}
	return f.Take(), nil
}

// The first one stays with the caller.
func goodFilledAgain(r io.Reader, spare *bytes.Buffer) ([]byte, error) {
	f := &filler{buf: spare}
	defer f.Close()
	b := f.Bytes()
	f.buf = nil
	if err := f.Fill(r); err != nil {
		return nil, err
	}
	return b, nil
}

func badFilledThenClosed(r io.Reader) ([]byte, error) {
	var f filler
	if err := f.Fill(r); err != nil {
		f.Close()
		return nil, err
	}
	b := f.Bytes()
	f.Close()
	return b, nil // want "the value returned aliases f.buf"
}

func goodFilledThenClosed(r io.Reader) ([]byte, error) {
	var f filler
	if err := f.Fill(r); err != nil {
		f.Close()
		return nil, err
	}
	b := bytes.Clone(f.Bytes())
	f.Close()
	return b, nil
}

func goodClosedThenFilled(r io.Reader) ([]byte, error) {
	var f filler
	for range 2 {
		f.Close()
		if err := f.Fill(r); err != nil {
			return nil, err
		}
	}
	return f.Bytes(), nil
}
