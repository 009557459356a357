package copies

import (
	"bytes"
	"errors"
	"io"
)

// A record has two slices of what it was parsed from.
type record struct {
	kind       byte
	raw, value []byte
}

func parse(b []byte) (record, int, error) {
	n := int(b[0])
	if n < 2 || n > len(b) {
		return record{}, 0, errors.New("bad length")
	}
	return record{b[1], b[:n], b[2:n]}, n, nil
}

func parseWhole(b []byte) record { return record{b[0], b, b[1:]} }

func trimmed(b []byte) []byte { return b[1:] }

// Both slices are replaced, one of them by a copy.
func goodRenewed(r io.Reader) (all []record, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for rest := b.Bytes(); len(rest) > 2; {
		x, n, err := parse(rest)
		if err != nil {
			return all, err
		}
		if x.kind != 0 {
			x.raw, x.value = nil, bytes.Clone(x.value)
			all = append(all, x)
		}
		rest = rest[n:]
	}
	return all, nil
}

// A record without its memory is only a kind.
func goodEmptied(r io.Reader) record {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	x := parseWhole(b.Bytes())
	x.raw = nil
	x.value = nil
	return x
}

func goodEmptiedAppended(r io.Reader) (all []record, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		x.raw, x.value = nil, nil
		all = append(all, x)
	}
	return all, nil
}

// It is known which field holds the memory.
func goodLiteral(r io.Reader) (all []record) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	x := record{kind: 1, raw: b.Bytes()}
	if bytes.HasPrefix(x.raw, []byte("#")) {
		x.kind = 2
	}
	x.raw = nil
	return append(all, x)
}

// One slice is forgotten.
func badHalf(r io.Reader) (all []record, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		x.raw = nil
		all = append(all, x)
	}
	return all, nil // want "the value returned aliases b"
}

// It is appended before its slices are replaced.
func badRenewedLate(r io.Reader) (all []record, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		all = append(all, x)
		x.raw, x.value = nil, nil
		println(x.kind)
	}
	return all, nil // want "the value returned aliases b"
}

// What the slice gets is a slice of the same memory.
func badResliced(r io.Reader) (all []record, err error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		x.raw, x.value = nil, x.value[1:]
		all = append(all, x)
	}
	return all, nil // want "the value returned aliases b"
}

func badTrimmed(r io.Reader) (all []record) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		x.raw, x.value = nil, trimmed(x.value)
		all = append(all, x)
	}
	return all // want "the value returned aliases b"
}

// A line that is a comment keeps its memory.
func badBranch(r io.Reader) record {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	x := parseWhole(b.Bytes())
	if x.kind != '#' {
		x.raw = nil
	}
	x.value = nil
	return x // want "the value returned aliases b"
}

func goodBranches(r io.Reader) (all []record) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	for _, line := range bytes.Fields(b.Bytes()) {
		x := parseWhole(line)
		if x.kind == '#' {
			x.raw, x.value = bytes.Clone(line), nil
		} else {
			x.raw, x.value = nil, bytes.Clone(x.value)
		}
		all = append(all, x)
	}
	return all
}

func badReplaced(r io.Reader) record {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.ReadFrom(r)
	x := parseWhole(b.Bytes())
	x.raw, x.value = nil, b.Bytes()
	return x // want "the value returned aliases b"
}
