package lent

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
)

var errLong = errors.New("too long")

// An encoder may do anything with what it is given, as far as is known.
type encoder interface {
	Encode(*bytes.Buffer, any) error
	Take(*bytes.Buffer) bool
}

func badWrite(e encoder, w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 26"
	if err := e.Encode(buf, v); err != nil {
		buffers.Put(buf)
		return err
	}
	if _, err := w.Write(buf.Bytes()); err != nil {
		return err
	}
	buffers.Put(buf)
	return nil
}

func goodWrite(e encoder, w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	if err := e.Encode(buf, v); err != nil {
		buffers.Put(buf)
		return err
	}
	_, err := w.Write(buf.Bytes())
	buffers.Put(buf)
	return err
}

func badFunc(fill func(*bytes.Buffer), dial func() (net.Conn, error), limit int) (n int64, err error) {
	buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 48"
	fill(buf)
	c, err := dial()
	if err != nil {
		return 0, fmt.Errorf("dialling: %w", err)
	}
	if buf.Len() > limit {
		buffers.Put(buf)
		return 0, errLong
	}
	n, err = buf.WriteTo(c)
	buffers.Put(buf)
	return n, err
}

func badLoop(e encoder, names map[string]any, all []string) error {
	for _, name := range all {
		buf := buffers.Get().(*bytes.Buffer) // want "buf is not put back on the path to line 65"
		e.Encode(buf, name)
		v, ok := names[name]
		if !ok {
			return fmt.Errorf("no %s", name)
		}
		e.Encode(buf, v)
		buffers.Put(buf)
	}
	return nil
}

// goodTaken puts it back where it was not taken.
func goodTaken(e encoder, w io.Writer) error {
	buf := buffers.Get().(*bytes.Buffer)
	if e.Take(buf) {
		if _, err := w.Write(nil); err != nil {
			return err
		}
		return nil
	}
	buffers.Put(buf)
	return nil
}

// goodSent puts it back where it was not sent.
func goodSent(e encoder, w io.Writer, v any) error {
	buf := buffers.Get().(*bytes.Buffer)
	err := e.Encode(buf, v)
	if _, err := w.Write(nil); err != nil {
		return err
	}
	if err != nil {
		buffers.Put(buf)
	}
	return err
}

// goodStored is in a list, too.
func goodStored(e encoder, w io.Writer, v any, all *[]*bytes.Buffer) error {
	buf := buffers.Get().(*bytes.Buffer)
	e.Encode(buf, v)
	*all = append(*all, buf)
	if _, err := w.Write(nil); err != nil {
		return err
	}
	buffers.Put(buf)
	return nil
}

// goodKept is left to the encoder in the other branch.
func goodKept(e encoder, w io.Writer, v any, now bool) error {
	buf := buffers.Get().(*bytes.Buffer)
	if now {
		buf.WriteTo(w)
		buffers.Put(buf)
		return nil
	}
	e.Encode(buf, v)
	if _, err := w.Write(nil); err != nil {
		return err
	}
	return nil
}

// goodNoError says nothing of a failure.
func goodNoError(e encoder, v any, later bool) error {
	buf := buffers.Get().(*bytes.Buffer)
	err := e.Encode(buf, v)
	if later {
		return err
	}
	buffers.Put(buf)
	return err
}
