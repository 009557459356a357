package moved

import (
	"errors"
	"sync"
)

type symbols struct{ n int }

var errEnd = errors.New("end of data")

var symbolPool = sync.Pool{New: func() any { return new(symbols) }}

type sequence struct{ table *symbols }

type sequences struct{ a, b sequence }

// merge keeps what d has.
func (d *sequences) merge(h *sequences) {
	for _, old := range []*symbols{h.a.table, h.b.table} {
		if old != nil {
			symbolPool.Put(old)
		}
	}
	*h = *d
}

// goodChosen stores the tables in a field that a pointer was chosen for.
func goodChosen(h *sequences, data []byte) {
	d := &sequences{}
	for i := range data {
		var one *sequence
		switch i % 2 {
		case 0:
			one = &d.a
		default:
			one = &d.b
		}
		one.table = symbolPool.Get().(*symbols)
	}
	d.merge(h)
}

// badChosen loses a table where the data end.
func badChosen(h *sequences, data []byte) error {
	d := &sequences{}
	for i, b := range data {
		one := &d.a
		if i%2 > 0 {
			one = &d.b
		}
		t := symbolPool.Get().(*symbols) // want "t is not put back on the path to line 54: the pool loses it"
		if b == 0 {
			return errEnd
		}
		t.n = int(b)
		one.table = t
	}
	d.merge(h)
	return nil
}
