package stored

import (
	"errors"
	"sync"
)

// A piece is pooled, and can be in a list.
type piece struct {
	next, prev *piece
	data       []byte
}

var pieces = sync.Pool{New: func() any { return new(piece) }}

func (p *piece) release() {
	*p = piece{}
	pieces.Put(p)
}

type pieceList struct{ head, tail *piece }

func (l *pieceList) pushBack(p *piece) {
	p.prev = l.tail
	if l.tail != nil {
		l.tail.next = p
	} else {
		l.head = p
	}
	l.tail = p
}

// A rope has pieces in a list of its own.
type rope struct {
	list pieceList
	size int
}

// The rope is empty where the piece is released: it gets it on the other way only.
func goodRope(p *piece) rope {
	r := rope{size: len(p.data)}
	if r.size == 0 {
		p.release()
		return r
	}
	r.list.pushBack(p)
	return r
}

type holder struct {
	p    *piece
	size int
}

func (h *holder) set(p *piece) { h.p = p }

func goodSetLater(p *piece) holder {
	h := holder{size: len(p.data)}
	if h.size == 0 {
		p.release()
		return h
	}
	h.set(p)
	return h
}

func goodSetLaterPointer(p *piece) *holder {
	h := &holder{size: len(p.data)}
	if h.size == 0 {
		p.release()
		return h
	}
	h.set(p)
	return h
}

func goodStoredLaterPointer(p *piece) (*holder, error) {
	h := new(holder)
	if len(p.data) == 0 {
		p.release()
		return h, errors.New("empty")
	}
	h.p = p
	return h, nil
}

func goodMapLater(p *piece, name string) map[string]*piece {
	m := map[string]*piece{}
	if len(p.data) == 0 {
		p.release()
		return m
	}
	m[name] = p
	return m
}

// The method has stored it before.
func badSetBefore(p *piece) holder {
	h := holder{size: len(p.data)}
	h.set(p)
	if h.size == 0 {
		p.release()
		return h // want "the value returned aliases p, which is put back"
	}
	return h
}

func badSetBeforePointer(p *piece) *holder {
	h := &holder{size: len(p.data)}
	h.set(p)
	p.release()
	return h // want "the value returned aliases p, which is put back"
}

func badMapBefore(p *piece, name string) map[string]*piece {
	m := map[string]*piece{}
	m[name] = p
	p.release()
	return m // want "the value returned aliases p, which is put back"
}
