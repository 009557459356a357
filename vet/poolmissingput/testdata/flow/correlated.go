package flow

import (
	"bytes"
	"errors"
	"sync"
)

var pieces sync.Pool

var errPiece = errors.New("bad piece")

type piece struct{ buf *bytes.Buffer }

// Without a payload nothing was got before, as in github.com/pion/interceptor.
func goodPiece(payload []byte, extra bool) (*piece, error) {
	p := &piece{}
	var ok bool
	if payload != nil {
		if p.buf, ok = pieces.Get().(*bytes.Buffer); !ok {
			return nil, errPiece
		}
		p.buf.Write(payload)
	}
	if extra {
		if payload == nil {
			if p.buf, ok = pieces.Get().(*bytes.Buffer); !ok {
				return nil, errPiece
			}
		}
	}
	return p, nil
}

func badPiece(payload []byte, extra bool) (*piece, error) {
	p := &piece{}
	var ok bool
	if payload != nil {
		if p.buf, ok = pieces.Get().(*bytes.Buffer); !ok { // want "is not put back on the path to line"
			return nil, errPiece
		}
		p.buf.Write(payload)
	}
	if extra {
		if len(payload) > 9 {
			return nil, errPiece
		}
	}
	return p, nil
}

func goodKind(kind int, p []byte) int {
	var b *bytes.Buffer
	if kind == 2 {
		b = pieces.Get().(*bytes.Buffer)
		b.Write(p)
	}
	if kind != 2 {
		return len(p)
	}
	n := b.Len()
	pieces.Put(b)
	return n
}

func badKind(kind, other int, p []byte) int {
	var b *bytes.Buffer
	if kind == 2 {
		b = pieces.Get().(*bytes.Buffer) // want "b is not put back on the path to line"
		b.Write(p)
	}
	if other != 2 {
		return len(p)
	}
	n := b.Len()
	pieces.Put(b)
	return n
}

// The next round asks anew.
func badRounds(next func() []byte) int {
	n := 0
	for {
		p := next()
		if p == nil {
			return n
		}
		b := pieces.Get().(*bytes.Buffer) // want "b is not put back on the path to line"
		b.Write(p)
		n += b.Len()
		if n < 100 {
			pieces.Put(b)
		}
	}
}

// A pieces' holder is set where the loop is left, as in a loader that takes the first source with an answer.
func goodFirst(sources []string) *piece {
	var p *piece
	for _, s := range sources {
		if s == "" {
			continue
		}
		b := pieces.Get().(*bytes.Buffer)
		b.WriteString(s)
		p = &piece{b}
		break
	}
	if p == nil {
		return nil // without a buffer
	}
	return p
}

func goodClosing(sources []string, fallback func() any) int {
	var b *bytes.Buffer
	var closer any
	for _, s := range sources {
		if len(s) > 9 {
			b = pieces.Get().(*bytes.Buffer)
			closer = b.String
			break
		}
	}
	if closer == nil {
		return 0
	}
	n := b.Len()
	pieces.Put(b)
	return n
}

func badFirst(sources []string) *piece {
	var p *piece
	for _, s := range sources {
		b := pieces.Get().(*bytes.Buffer) // want "b is not put back on the path to line"
		b.WriteString(s)
		if b.Len() > 9 {
			break // without p
		}
		p = &piece{b}
		break
	}
	if p == nil {
		return nil
	}
	return p
}
