package stacktree

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The wire types of protocol buffers that profiles use. Groups, 3 and 4, are
// errors: profile.proto never had one.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

var (
	errTruncated = errors.New("the message ends inside a field")
	errVarint    = errors.New("a varint of more than 64 bits")
	errField     = errors.New("a field number of 0")
	errWire      = errors.New("an unknown wire type")
	errMismatch  = errors.New("a field of the wrong wire type")
)

// A message iterates over the fields of one encoded message:
//
//	for m.next() {
//		switch m.field { ... }
//	}
//	return m.err
//
// The first error ends it and stays.
type message struct {
	data []byte // what is left
	base int    // offset in the profile where the message ends

	field uint64
	wire  uint64
	value uint64 // of a varint
	bytes []byte // of wireBytes
	at    int    // offset in the profile where the field begins
	err   error  // a *SyntaxError
}

// newMessage reads data, which begins at offset in the profile.
func newMessage(data []byte, offset int) message {
	return message{data: data, base: offset + len(data)}
}

// offset returns where in the profile the rest of m begins.
func (m *message) offset() int { return m.base - len(m.data) }

// fail sets the error at offset, unless there is one, and returns false.
func (m *message) fail(offset int, err error) bool {
	if m.err == nil {
		m.err = &SyntaxError{Format: Pprof, Offset: offset, Err: err}
	}
	return false
}

// next moves on to the next field, and reports whether there is one.
func (m *message) next() bool {
	if m.err != nil || len(m.data) == 0 {
		return false
	}
	m.at = m.offset()
	tag, ok := m.varint()
	if !ok {
		return false
	}
	m.field, m.wire = tag>>3, tag&7
	if m.field == 0 {
		return m.fail(m.at, errField)
	}
	switch m.wire {
	case wireVarint:
		m.value, ok = m.varint()
		return ok
	case wireBytes:
		n, ok := m.varint()
		return ok && m.take(n)
	case wireFixed8:
		return m.take(8)
	case wireFixed4:
		return m.take(4)
	}
	return m.fail(m.at, errWire)
}

// take moves the next n bytes to m.bytes.
func (m *message) take(n uint64) bool {
	if n > uint64(len(m.data)) {
		return m.fail(m.at, errTruncated)
	}
	m.bytes, m.data = m.data[:n], m.data[n:]
	return true
}

func (m *message) varint() (uint64, bool) {
	v, n := binary.Uvarint(m.data)
	if n == 0 {
		return 0, m.fail(m.offset(), errTruncated)
	}
	if n < 0 {
		return 0, m.fail(m.offset(), errVarint)
	}
	m.data = m.data[n:]
	return v, true
}

// sub returns the message that is the value of the field.
func (m *message) sub() message {
	if m.wire != wireBytes {
		m.fail(m.at, errMismatch)
		return message{err: m.err}
	}
	return newMessage(m.bytes, m.offset()-len(m.bytes))
}

// number returns the value of the field, which must be a varint.
func (m *message) number() uint64 {
	if m.wire != wireVarint {
		m.fail(m.at, errMismatch)
		return 0
	}
	return m.value
}

// numbers appends the values of the field, which is one of a repeated number:
// one value, or many packed. More than limit values in dst are an error.
func (m *message) numbers(dst []uint64, limit int) []uint64 {
	if m.wire != wireBytes {
		return m.append(dst, m.number(), limit)
	}
	packed := m.sub()
	for len(packed.data) > 0 && packed.err == nil {
		if v, ok := packed.varint(); ok {
			dst = packed.append(dst, v, limit)
		}
	}
	m.err = packed.err
	return dst
}

func (m *message) append(dst []uint64, v uint64, limit int) []uint64 {
	if len(dst) == limit {
		m.fail(m.offset(), fmt.Errorf("%w: more than %d numbers", ErrTooLarge, limit))
		return dst
	}
	return append(dst, v)
}
