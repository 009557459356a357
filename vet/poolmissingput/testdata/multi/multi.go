// Package multi has getters with several results, one of which releases the other.
package multi

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	errLong = errors.New("too long")
)

func load(n int) (b *bytes.Buffer, release func(), err error) {
	if n > 1000 {
		return nil, func() {}, errLong
	}
	b = buffers.Get().(*bytes.Buffer)
	return b, func() { buffers.Put(b) }, nil
}

func badNever(n int) bool {
	b, _, err := load(n) // want "b is never put back"
	return err == nil && b.Len() > 0
}

func goodNever(n int) bool {
	b, release, err := load(n)
	if err != nil {
		return false
	}
	defer release()
	return b.Len() > 0
}

func badOnError(r io.Reader, n int) error {
	b, release, err := load(n) // want "b is not put back on the path to line 44"
	if err != nil {
		return err
	}
	if _, err := r.Read(b.AvailableBuffer()); err != nil {
		return err
	}
	release()
	return nil
}

func goodOnError(r io.Reader, n int) error {
	b, release, err := load(n)
	if err != nil {
		return err
	}
	if _, err := r.Read(b.AvailableBuffer()); err != nil {
		release()
		return err
	}
	release()
	return nil
}

func goodOptional(n int) int {
	b, release, err := load(n)
	if err != nil {
		return 0
	}
	x := b.Len()
	if release != nil {
		release()
	}
	return x
}

type holder struct{ release func() }

func (h *holder) goodStored(n int) int {
	b, release, err := load(n)
	if err != nil {
		return 0
	}
	h.release = release
	return b.Len()
}

func goodReturned(n int) (*bytes.Buffer, func(), error) {
	b, release, err := load(n)
	if err != nil {
		return nil, nil, err
	}
	b.Reset()
	return b, release, nil
}

func goodGiven(n int, later func(func())) int {
	b, release, err := load(n)
	if err != nil {
		return 0
	}
	later(release)
	return b.Len()
}

func goodConditional(n int) (x int, err error) {
	b, release, err := load(n)
	if err != nil {
		return 0, err
	}
	defer func() {
		if err == nil {
			release()
		}
	}()
	return b.Len(), nil
}

// A value whose own method has not failed is not broken.
type session struct{ id string }

var sessions = sync.Pool{New: func() any { return new(session) }}

func (s *session) save() error {
	if s.id == "" {
		return errLong
	}
	return nil
}

func badSaved(warn func(error)) {
	s := sessions.Get().(*session) // want "s is never put back"
	s.id = "x"
	if err := s.save(); err != nil {
		warn(err)
	}
}

func goodSaved(warn func(error)) {
	s := sessions.Get().(*session)
	s.id = "x"
	if err := s.save(); err != nil {
		warn(err)
		return
	}
	sessions.Put(s)
}
