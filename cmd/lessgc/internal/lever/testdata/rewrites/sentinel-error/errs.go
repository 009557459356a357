// Package errs makes errors for each call.
package errs

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

func header(b []byte) error {
	if len(b) < 4 {
		return errors.New("short header") // rewritten
	}
	return nil
}

const shortTrailer = "short trailer"

// trailer is called by both, and its error wrapped and compared with one of a package.
func trailer(b []byte) (n int, err error) {
	if len(b) < 2 {
		return 0, fmt.Errorf(shortTrailer) // rewritten
	}
	return int(b[0]), nil
}

func both(b []byte) error {
	if err := header(b); err != nil {
		return fmt.Errorf("both: %w", err)
	}
	_, err := trailer(b)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

type decoder struct{ data []byte }

func (d *decoder) next() (byte, error) {
	if len(d.data) == 0 {
		const text = "no more data"
		return 0, errors.New(text) // rewritten
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b, nil
}

func ticket() error {
	return errors.New("a ticket") // refused: twoTickets compares two of them
}

func twoTickets() bool {
	a, b := ticket(), ticket()
	return a == b
}

func token() error {
	return errors.New("a token") // refused: sameToken looks for one of them in another
}

func sameToken(first error) bool {
	return errors.Is(fmt.Errorf("wrapped: %w", first), token())
}

func mark() error {
	return errors.New("a mark") // refused: they are keys
}

func marks(n int) int {
	seen := map[error]bool{}
	for range n {
		seen[mark()] = true
	}
	return len(seen)
}

func named(name string) error {
	return errors.New("no " + name) // refused: the text is not constant
}

func numbered(n int) error {
	return fmt.Errorf("error %d", n) // refused: it has a number
}

func last(all []error) bool {
	end := errors.New("the last one") // refused: it is sought in a slice
	all = append(all, end)
	return slices.Index(all, end) == len(all)-1
}

var recent error

func repeated() bool {
	err := errors.New("again") // refused: it is compared with the one before, in a variable
	same := err == recent
	recent = err
	return same
}

type journal struct{ err error }

func (j *journal) fail() {
	j.err = errors.New("failed") // refused: it goes into a field, which changed compares
}

func (j *journal) changed(since error) bool { return j.err != since }

func reported(report func(error)) {
	report(errors.New("reported")) // refused: who gets it is not known, and errors are compared
}

var known sync.Map

func count(n int) (all int) {
	for range n {
		err := errors.New("counted") // refused: it is a key
		known.Store(err, true)
	}
	known.Range(func(any, any) bool { all++; return true })
	return all
}

type pair struct {
	text string
	err  error
}

func pairs() bool {
	make := func() pair {
		var p pair
		p.err = errors.New("one of two") // refused: it is compared as part of a struct
		return p
	}
	return make() == make()
}

func recovered() (same bool) {
	var first any
	for range 2 {
		func() {
			defer func() {
				r := recover()
				same = r == first
				first = r
			}()
			panic(errors.New("a panic")) // refused: what recover returns is compared
		}()
	}
	return same
}

func equal[T comparable](a, b T) bool { return a == b }

func drawn() error {
	return errors.New("drawn") // refused: a generic function compares two of them
}

func twice() bool { return equal(1, 2) || equal(drawn(), drawn()) }

type message struct{ text string }

func (m *message) Error() string { return m.text }

func changeable() error {
	return &message{"changeable"} // refused: the error can be changed
}

var earlyError = failing(early{})

func failing(f interface{ fail() error }) string { return f.fail().Error() }

type early struct{}

func (early) fail() error {
	return errors.New("too early") // refused: an initializer calls it by an interface, before there would be an error
}
