// Package cross uses arenas of another package.
package cross

import (
	"errors"

	"cases/lib"

	"lessgc/arena"
)

var errEmpty = errors.New("empty")

func badOpen(text string) int {
	a := lib.Open() // want "is not freed"
	return lib.Words(a, text)
}

func goodOpen(text string) int {
	a := lib.Open()
	defer a.Free()
	return lib.Words(a, text)
}

func badOpenError(text string) (int, error) {
	a := lib.Open() // want "is not freed"
	n := lib.Words(a, text)
	if n == 0 {
		return 0, errEmpty
	}
	lib.Close(a)
	return n, nil
}

func goodOpenError(text string) (int, error) {
	a := lib.Open()
	n := lib.Words(a, text)
	if n == 0 {
		lib.Close(a)
		return 0, errEmpty
	}
	lib.Close(a)
	return n, nil
}

func badOpenFor(text string) (int, error) {
	a, err := lib.OpenFor(len(text)) // want "is not freed"
	if err != nil {
		return 0, err
	}
	return lib.Words(a, text), nil
}

func goodOpenFor(text string) (int, error) {
	a, err := lib.OpenFor(len(text))
	if err != nil {
		return 0, err
	}
	defer lib.Close(a)
	return lib.Words(a, text), nil
}

func goodSession(text string) (*lib.Session, int) {
	a := arena.NewArena()
	n := lib.Words(a, text)
	return lib.NewSession(a), n
}

func goodSessionClosed(text string) int {
	a := lib.Open()
	s := lib.NewSession(a)
	defer s.Close()
	return lib.Words(a, text)
}

func goodWith(text string) (n int, err error) {
	err = lib.With(func(a *arena.Arena) error {
		n = lib.Words(a, text)
		return nil
	})
	return n, err
}
