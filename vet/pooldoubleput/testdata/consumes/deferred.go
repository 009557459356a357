package consumes

import (
	"bytes"
	"io"
)

func badOnFailure(w io.Writer) (err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(b) // want "b is put back twice"
		}
	}()
	if _, err = w.Write(b.Bytes()); err != nil {
		buffers.Put(b)
		return err
	}
	buffers.Put(b)
	return nil
}

func goodOnFailure(w io.Writer) (err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	if _, err = w.Write(b.Bytes()); err != nil {
		return err
	}
	buffers.Put(b)
	return nil
}

// fill releases what it could not fill.
func fill(b *bytes.Buffer, r io.Reader) (err error) {
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	return nil
}

func badFill(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	if err := fill(b, r); err != nil {
		buffers.Put(b) // want "b is put back twice"
		return err
	}
	buffers.Put(b)
	return nil
}

func goodFill(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	if err := fill(b, r); err != nil {
		return err
	}
	buffers.Put(b)
	return nil
}
