package consumes

import (
	"errors"
	"sync"
)

var errFull = errors.New("full")

type letter struct{ text string }

var letters = sync.Pool{New: func() any { return new(letter) }}

type box struct {
	in     chan *letter
	closed bool
}

func (b *box) push(l *letter) error {
	select {
	case b.in <- l:
		return nil
	default:
		return errFull
	}
}

// deliver reports whether a box has it.
func deliver(b *box, l *letter) bool { return b != nil && b.push(l) == nil }

// failed reports whether no box has it.
func failed(b *box, l *letter) bool {
	if b.closed {
		return true
	}
	err := b.push(l)
	return err != nil
}

func badDelivered(b *box, text string) bool {
	l := letters.Get().(*letter) // want "l is not put back on the path to line 44"
	l.text = text
	if !deliver(b, l) {
		return false
	}
	return true
}

func goodDelivered(b *box, text string) bool {
	l := letters.Get().(*letter)
	l.text = text
	if !deliver(b, l) {
		letters.Put(l)
		return false
	}
	return true
}

func badFailed(all []*box, text string) (n int) {
	for _, b := range all {
		l := letters.Get().(*letter) // want "l is not put back on the path to line 63"
		l.text = text
		if failed(b, l) {
			continue
		}
		n++
	}
	return n
}

func goodFailed(all []*box, text string) (n int) {
	for _, b := range all {
		l := letters.Get().(*letter)
		l.text = text
		if failed(b, l) {
			letters.Put(l)
			continue
		}
		n++
	}
	return n
}
