package prof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"

	"github.com/google/pprof/profile"
)

// A NeedError reports a profile whose decoded form does not fit the budget. An empty
// message has two bytes in the file and a hundred times as many in memory, so that the
// size of a file says nothing.
type NeedError struct {
	Need, Used, Budget int64 // bytes; Used by the profiles before
}

func (e *NeedError) Error() string {
	text := fmt.Sprintf("decoding it takes %s of memory, and the budget is %s", size(e.Need), size(e.Budget))
	if e.Used > 0 {
		text += fmt.Sprintf(", of which the profiles before it take %s", size(e.Used))
	}
	return text
}

// size is a number of bytes in words.
func size(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// Sizes of what package profile allocates. Pointers make them differ by platform.
var (
	valueTypeSize = class(sizeOf[profile.ValueType]())
	sampleSize    = class(sizeOf[profile.Sample]())
	mappingSize   = class(sizeOf[profile.Mapping]())
	locationSize  = class(sizeOf[profile.Location]())
	functionSize  = class(sizeOf[profile.Function]())
	lineSize      = sizeOf[profile.Line]()
	stringSize    = sizeOf[string]()
	sliceSize     = sizeOf[[]string]()
	pointerSize   = sizeOf[*int]()
)

const (
	numberSize = 8
	labelSize  = 4 * numberSize // profile.label
	mapSize    = 48             // of the header of a map
	groupSize  = 8              // slots of a map that are allocated together
)

func sizeOf[T any]() int64 { return int64(reflect.TypeFor[T]().Size()) }

// need returns how many bytes are allocated at most to decode data, data itself
// included, and allocates nothing. It counts what the garbage collector may free
// meanwhile too, such as the arrays that growing slices leave behind: with GOGC=100 they
// are about as much memory as what stays.
//
// The model is package profile's: a struct and a pointer for each message, a
// number for each location and value of a sample, three maps for the labels of a sample,
// and two maps by ID for mappings, locations and functions. TestNeed compares it
// with what is allocated.
func need(data []byte) (int64, error) {
	c := cost{bytes: int64(len(data))}
	err := fields(data, func(number uint64, _ byte, body []byte) error {
		switch number {
		case 1:
			c.sampleTypes++
		case 2:
			c.samples++
			return c.sample(body)
		case 3:
			c.mappings++
		case 4:
			c.locations++
			return c.location(body)
		case 5:
			c.functions++
		case 6:
			c.strings++
			c.bytes += class(int64(len(body)))
		case 11:
			c.bytes += valueTypeSize
		case 13:
			c.comments += max(1, varints(body))
		}
		return nil
	})
	return c.total(), err
}

// A cost counts the messages of a profile.
type cost struct {
	bytes int64 // of what is not in the counts

	sampleTypes, samples, mappings, locations, functions, strings, comments int64

	references int64 // of samples to locations
	lines      int64 // the most of one location
}

func (c *cost) total() int64 {
	n := c.bytes + 4<<10 // the profile itself
	n += c.sampleTypes*valueTypeSize + grown(c.sampleTypes, pointerSize)
	n += c.samples*sampleSize + grown(c.samples, pointerSize)
	n += class(c.references * pointerSize)
	n += grown(c.lines, lineSize)
	n += grown(c.strings, stringSize)
	n += grown(c.comments, numberSize) + grown(c.comments, stringSize)
	for _, table := range []struct{ count, size int64 }{{c.mappings, mappingSize}, {c.locations, locationSize}, {c.functions, functionSize}} {
		n += table.count*table.size + grown(table.count, pointerSize)
		n += class((table.count+1)*pointerSize) + 2*mapped(table.count, numberSize+pointerSize)
	}
	return n
}

// sample counts what a sample refers to.
func (c *cost) sample(body []byte) error {
	var locations, values repeated
	labels := int64(0)
	err := fields(body, func(number uint64, kind byte, body []byte) error {
		switch number {
		case 1:
			locations.add(kind, body)
		case 2:
			values.add(kind, body)
		case 3:
			labels++
		}
		return nil
	})
	c.references += locations.count
	c.bytes += locations.cost() + values.cost() + labelled(labels)
	return err
}

// location counts the lines of a location.
func (c *cost) location(body []byte) error {
	lines := int64(0)
	err := fields(body, func(number uint64, _ byte, _ []byte) error {
		if number == 4 {
			lines++
		}
		return nil
	})
	c.lines = max(c.lines, lines)
	c.bytes += class(lines * lineSize)
	return err
}

// A repeated field of numbers may come in several pieces.
type repeated struct{ count, pieces int64 }

func (r *repeated) add(kind byte, body []byte) {
	r.pieces++
	if kind == 2 {
		r.count += varints(body)
	} else {
		r.count++
	}
}

func (r *repeated) cost() int64 {
	if r.pieces == 1 {
		return class(r.count * numberSize)
	}
	return grown(r.count, numberSize)
}

// labelled is the cost of the labels of a sample. Each is in one of three maps or in two
// of them, and may have the key of another.
func labelled(n int64) int64 {
	if n == 0 {
		return 0
	}
	values := grown(n, stringSize) + grown(n, numberSize) + grown(n, stringSize) + 3*class(n*stringSize)
	return grown(n, labelSize) + 3*mapped(n, stringSize+sliceSize) + values
}

// mapped is the cost of a map that is made for n entries and may get as many. It has a
// power of two of slots, at most seven in eight of them used, in tables of a thousand,
// some of which split because hashes are not spread evenly.
func mapped(n, slot int64) int64 {
	group := class(groupSize + groupSize*slot)
	if n <= groupSize {
		return mapSize + group
	}
	slots := int64(1) << bits.Len64(uint64(n*8/7))
	if slots <= 1<<10 {
		return mapSize + class(slots/groupSize*group) + 256
	}
	return mapSize + 2*slots/groupSize*group
}

// grown is the cost of a slice that grows to n elements one by one: it doubles, and from
// 256 elements on it grows by a quarter and somewhat more.
func grown(n, size int64) int64 {
	if n <= 256 {
		return class(4 * n * size)
	}
	return class(n*size*27/4) + 1024*size
}

// class is at least what an allocation of n bytes takes.
func class(n int64) int64 {
	const page = 8 << 10
	switch {
	case n == 0:
		return 0
	case n <= 128:
		return (n + 15) &^ 15
	case n <= 32<<10:
		return n + n/8 + 16
	}
	return (n + page) &^ (page - 1)
}

// errWire is about data that is not a protobuf message.
var errWire = errors.New("not a protobuf message")

// fields calls f for each field of a message. body is that of a field of wire type 2.
// What package profile rejects is rejected here, and so are tags beyond protobuf's.
func fields(data []byte, f func(number uint64, kind byte, body []byte) error) error {
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 || tag>>3 > math.MaxInt32 {
			return errWire
		}
		data = data[n:]
		var body []byte
		skip := 0
		switch tag & 7 {
		case 0:
			if _, skip = binary.Uvarint(data); skip <= 0 {
				return errWire
			}
		case 1:
			skip = 8
		case 2:
			length, n := binary.Uvarint(data)
			if n <= 0 || length > uint64(len(data)-n) {
				return errWire
			}
			body, skip = data[n:n+int(length)], n+int(length)
		case 5:
			skip = 4
		default:
			return errWire
		}
		if skip > len(data) {
			return errWire
		}
		data = data[skip:]
		if err := f(tag>>3, byte(tag&7), body); err != nil {
			return err
		}
	}
	return nil
}

// varints counts the numbers of a packed field: each ends with a byte below 128.
func varints(data []byte) (n int64) {
	for _, b := range data {
		if b < 0x80 {
			n++
		}
	}
	return n
}
