package consumes

import (
	"bytes"
	"io"
)

func badDeferred(r io.Reader) (n int, err error) {
	b := buffers.Get().(*bytes.Buffer) // want "b is not put back on the path to line 18"
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r); err != nil {
		return 0, err
	}
	return b.Len(), nil
}

func goodDeferred(r io.Reader) (n int, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r); err != nil {
		return 0, err
	}
	n = b.Len()
	buffers.Put(b)
	return n, nil
}

func goodReturned(r io.Reader) (_ *bytes.Buffer, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	return b, nil
}

func goodUnknown(r io.Reader) (n int, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if err != nil {
			buffers.Put(b)
		}
	}()
	_, err = b.ReadFrom(r)
	return n, err
}
