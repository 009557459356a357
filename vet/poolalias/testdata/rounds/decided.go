package rounds

import (
	"errors"
	"sync"
)

type header struct{ kind int }

var headers = sync.Pool{New: func() any { return new(header) }}

var errEnd = errors.New("end")

func readHeader(kind int) (*header, error) {
	if kind < 0 {
		return nil, errEnd
	}
	h := headers.Get().(*header)
	h.kind = kind
	return h, nil
}

// goodDecided leaves the loop only where it has not put the header: after a put err is nil.
func goodDecided(kinds func() int) (h *header, err error) {
	for err == nil {
		h, err = readHeader(kinds())
		if err != nil {
			break
		}
		if h.kind == 1 {
			break
		}
		headers.Put(h)
	}
	return h, err
}

// goodFlag does so with a flag.
func goodFlag(kinds func() int) *header {
	var h *header
	for more := true; more; {
		h, _ = readHeader(kinds())
		if h == nil {
			break
		}
		if h.kind == 1 {
			more = false
			continue
		}
		headers.Put(h)
	}
	return h
}

// badDecided ends the loop after a put, too.
func badDecided(kinds func() int, more func() bool) (h *header, err error) {
	for more() {
		h, err = readHeader(kinds())
		if err != nil {
			break
		}
		if h.kind == 1 {
			break
		}
		headers.Put(h)
	}
	return h, err // want "the value returned aliases"
}
