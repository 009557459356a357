package stacktree

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
)

// A decoder is put back if it holds no more than this, which is about 12 MiB.
const (
	maxScratchBytes   = 4 << 20 // of a decompressed profile
	maxScratchEntries = 1 << 17 // of all tables
)

// A decoder holds what parsing a pprof file needs besides the tree. Every
// strategy takes it from the same pool: such memory is alike from op to op,
// nothing points into it, and the strategies are to differ in their trees only.
type decoder struct {
	src  bytes.Reader
	gzip gzip.Reader
	buf  []byte // the decompressed profile

	sampleTypes int
	samples     []span
	locations   table
	functions   table
	lines       []uint64 // of all locations: ids of functions, after link indexes of frames
	strings     [][]byte // in the profile
	frames      []frame  // unknown, one per function, one per location without lines
	written     []byte   // texts that are not in the profile as they are

	ids, values []uint64 // of one sample
	stack       []uint64 // of one sample: indexes of frames, root first
	walked      int      // frames of all stacks so far
}

// unknown is the index of the frame of what has no name.
const unknown = 0

var noName = []byte("?")

// A span is a message in the profile.
type span struct{ from, to int }

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// free empties d and puts it back. It must not keep frames: their names are in
// the memory of a tree.
func (d *decoder) free() {
	entries := cap(d.samples) + cap(d.locations) + cap(d.functions) + cap(d.lines) + cap(d.strings) + cap(d.frames)
	if cap(d.buf) > maxScratchBytes || entries > maxScratchEntries {
		return
	}
	clear(d.strings)
	clear(d.frames)
	d.src.Reset(nil)
	d.sampleTypes, d.walked = 0, 0
	d.buf, d.written = d.buf[:0], d.written[:0]
	d.samples, d.locations, d.functions = d.samples[:0], d.locations[:0], d.functions[:0]
	d.lines, d.strings, d.frames = d.lines[:0], d.strings[:0], d.frames[:0]
	decoders.Put(d)
}

// gunzip returns data decompressed, or data if it does not begin as a gzip file
// does.
func (d *decoder) gunzip(data []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	d.src.Reset(data)
	err := d.gzip.Reset(&d.src)
	for err == nil {
		d.buf = slices.Grow(d.buf, 512)
		var n int
		n, err = d.gzip.Read(d.buf[len(d.buf):cap(d.buf)])
		d.buf = d.buf[:len(d.buf)+n]
		if len(d.buf) > limit {
			return nil, tooLarge(Pprof, "bytes when decompressed", limit)
		}
	}
	if err == io.EOF && len(d.buf) > 0 {
		return d.buf, nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, &SyntaxError{Format: Pprof, Offset: len(d.buf), Err: err}
}

// link makes the frames, and turns the ids in d.lines into indexes of frames.
func (d *decoder) link() error {
	if err := d.locations.sort("location"); err != nil {
		return err
	}
	if err := d.functions.sort("function"); err != nil {
		return err
	}
	d.frames = append(d.frames, frame{text: noName})
	for _, f := range d.functions {
		text, err := d.text(f)
		if err != nil {
			return err
		}
		d.frames = append(d.frames, frame{text: text})
	}
	for i := range d.locations {
		if err := d.linkLocation(&d.locations[i]); err != nil {
			return err
		}
	}
	return nil
}

// linkLocation links the lines of l. Without any, its address becomes one.
func (d *decoder) linkLocation(l *row) error {
	if l.lines == 0 {
		begin := len(d.written)
		d.written = strconv.AppendUint(append(d.written, "0x"...), l.address, 16)
		d.lines = append(d.lines, uint64(len(d.frames)))
		d.frames = append(d.frames, frame{text: d.written[begin:]})
		l.first, l.lines = len(d.lines)-1, 1
		return nil
	}
	lines := d.lines[l.first : l.first+l.lines]
	for i, id := range lines {
		if id == 0 {
			lines[i] = unknown
			continue
		}
		f, found := d.functions.find(id)
		if !found {
			return l.fail(fmt.Errorf("no function %d", id))
		}
		lines[i] = uint64(1 + f)
	}
	return nil
}

// text returns the name of function f. What would end a frame in collapsed
// stacks is replaced, so that every tree can be written as such.
func (d *decoder) text(f row) ([]byte, error) {
	if f.name >= uint64(max(1, len(d.strings))) {
		return nil, f.fail(fmt.Errorf("no string %d: there are %d", f.name, len(d.strings)))
	}
	if f.name == 0 || len(d.strings[f.name]) == 0 {
		return noName, nil
	}
	text := d.strings[f.name]
	if !bytes.ContainsAny(text, ";\n") {
		return text, nil
	}
	begin := len(d.written)
	for _, c := range text {
		switch c {
		case ';':
			c = ':'
		case '\n':
			c = ' '
		}
		d.written = append(d.written, c)
	}
	return d.written[begin:], nil
}

// A row is a function or a location.
type row struct {
	id uint64
	at int // offset in the profile

	name    uint64 // function: index in strings
	address uint64 // location

	first, lines int // location: its lines are lines[first:first+lines]
}

// fail returns err with the place of r.
func (r row) fail(err error) error {
	return &SyntaxError{Format: Pprof, Offset: r.at, Err: err}
}

// A table holds rows in the order of their ids.
type table []row

// sort orders the rows, which mostly are in order, and checks their ids. What
// is what the rows are.
func (t table) sort(what string) error {
	byID := func(a, b row) int { return cmp.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(t, byID) {
		slices.SortFunc(t, byID)
	}
	for i, r := range t {
		if r.id == 0 {
			return r.fail(fmt.Errorf("a %s with the id 0", what))
		}
		if i > 0 && t[i-1].id == r.id {
			return r.fail(fmt.Errorf("a second %s %d", what, r.id))
		}
	}
	return nil
}

// find returns the index of the row with an id. Ids mostly count from 1.
func (t table) find(id uint64) (int, bool) {
	if id-1 < uint64(len(t)) && t[id-1].id == id {
		return int(id - 1), true
	}
	return slices.BinarySearchFunc(t, id, func(r row, id uint64) int { return cmp.Compare(r.id, id) })
}
