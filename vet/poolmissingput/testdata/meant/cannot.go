package meant

import (
	"encoding/json"
	"errors"
	"sync"
)

var errShort = errors.New("short")

var blocks = sync.Pool{New: func() any { return new([]byte) }}

func use([]byte) {}

// goodNumbers marshals what cannot fail.
func goodNumbers(seqs []uint64) error {
	b := blocks.Get().(*[]byte)
	data, err := json.Marshal(seqs)
	if err != nil {
		return err
	}
	*b = append((*b)[:0], data...)
	blocks.Put(b)
	return nil
}

func goodNames(names map[string][]string) error {
	b := blocks.Get().(*[]byte)
	data, err := json.Marshal(names)
	if err != nil {
		return err
	}
	*b = append((*b)[:0], data...)
	blocks.Put(b)
	return nil
}

// badFloats may be given one that is not a number.
func badFloats(list []float64) error {
	b := blocks.Get().(*[]byte) // want "b is not put back on the path"
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	*b = append((*b)[:0], data...)
	blocks.Put(b)
	return nil
}

// goodCopied compares what copy returns with the length of both.
func goodCopied(p []byte) error {
	b := blocks.Get().(*[]byte)
	n := len(p)
	dst := (*b)[:n]
	if c := copy(dst, p); c != n {
		return errShort
	}
	use(dst)
	blocks.Put(b)
	return nil
}

func goodCopiedMade(p []byte) error {
	b := blocks.Get().(*[]byte)
	dst := make([]byte, len(p))
	if copy(dst, p) < len(p) {
		return errShort
	}
	*b = append((*b)[:0], dst...)
	blocks.Put(b)
	return nil
}

// badCopied has no room for all of it.
func badCopied(p []byte) error {
	b := blocks.Get().(*[]byte) // want "b is not put back on the path"
	dst := (*b)[:cap(*b)]
	if copy(dst, p) != len(p) {
		return errShort
	}
	use(dst)
	blocks.Put(b)
	return nil
}
