package stacktree

import (
	"errors"
	"fmt"
)

// Field numbers of profile.proto.
const (
	profileSampleType  = 1
	profileSample      = 2
	profileLocation    = 4
	profileFunction    = 5
	profileStringTable = 6

	sampleLocationID = 1
	sampleValue      = 2

	locationID      = 1
	locationAddress = 3
	locationLine    = 4

	lineFunctionID = 1

	functionID   = 1
	functionName = 2
)

var (
	errFirstString = errors.New("the first string is not empty")
	errNegative    = errors.New("a negative value")
)

// parsePprof adds the samples of data that count in the value with the index
// sampleType. What has no name in the profile is "?", or its address. Labels,
// mappings and the profile's wishes which frames to hide are left out.
func (t *Tree) parsePprof(data []byte, sampleType int) error {
	d := decoders.Get().(*decoder)
	err := d.decode(t, data, sampleType)
	d.free()
	return err
}

// decode goes through the profile twice, because samples, their locations and
// the strings of these may stand in any order.
func (d *decoder) decode(t *Tree, data []byte, sampleType int) error {
	data, err := d.gunzip(data, t.limits.bytes)
	if err != nil {
		return err
	}
	if err := d.index(data, t.limits.entries); err != nil {
		return err
	}
	if sampleType < 0 || sampleType >= d.sampleTypes {
		return &SyntaxError{Format: Pprof, Err: fmt.Errorf("no sample type %d: there are %d", sampleType, d.sampleTypes)}
	}
	if err := d.link(); err != nil {
		return err
	}
	for _, s := range d.samples {
		if err := d.addSample(t, data, s, sampleType); err != nil {
			return err
		}
	}
	return nil
}

// index fills the tables from the top level of the profile. None gets more
// than limit entries.
func (d *decoder) index(data []byte, limit int) error {
	m := newMessage(data, 0)
	for m.next() {
		switch m.field {
		case profileSampleType:
			d.sampleTypes++
		case profileSample:
			s := m.sub()
			d.samples = append(d.samples, span{s.offset(), s.base})
		case profileLocation:
			m.err = d.addLocation(m.sub())
		case profileFunction:
			m.err = d.addFunction(m.sub())
		case profileStringTable:
			d.strings = append(d.strings, m.sub().data)
		}
		if max(d.sampleTypes, len(d.samples), len(d.locations), len(d.lines), len(d.functions), len(d.strings)) > limit {
			return tooLarge(Pprof, "entries in a table", limit)
		}
	}
	if m.err == nil && len(d.strings) > 0 && len(d.strings[0]) > 0 {
		return &SyntaxError{Format: Pprof, Err: errFirstString}
	}
	return m.err
}

func (d *decoder) addLocation(m message) error {
	r := row{at: m.offset(), first: len(d.lines)}
	for m.next() {
		switch m.field {
		case locationID:
			r.id = m.number()
		case locationAddress:
			r.address = m.number()
		case locationLine:
			line := m.sub()
			function, err := lineFunction(line)
			if err != nil {
				return err
			}
			d.lines = append(d.lines, function)
		}
	}
	r.lines = len(d.lines) - r.first
	d.locations = append(d.locations, r)
	return m.err
}

func lineFunction(m message) (id uint64, err error) {
	for m.next() {
		if m.field == lineFunctionID {
			id = m.number()
		}
	}
	return id, m.err
}

func (d *decoder) addFunction(m message) error {
	r := row{at: m.offset()}
	for m.next() {
		switch m.field {
		case functionID:
			r.id = m.number()
		case functionName:
			r.name = m.number()
		}
	}
	d.functions = append(d.functions, r)
	return m.err
}

// addSample adds the sample at s to t if it counts.
func (d *decoder) addSample(t *Tree, data []byte, s span, sampleType int) error {
	count, err := d.readSample(newMessage(data[s.from:s.to], s.from), sampleType, t.limits)
	if err != nil || count == 0 {
		return err
	}
	if err = d.resolve(t.limits); err == nil {
		err = d.addStack(t, count)
	}
	if err != nil {
		return &SyntaxError{Format: Pprof, Offset: s.from, Err: err}
	}
	return nil
}

// readSample fills d.ids and returns the value that counts.
func (d *decoder) readSample(m message, sampleType int, l limits) (int64, error) {
	at := m.offset()
	d.ids, d.values = d.ids[:0], d.values[:0]
	for m.next() {
		switch m.field {
		case sampleLocationID:
			d.ids = m.numbers(d.ids, l.depth)
		case sampleValue:
			d.values = m.numbers(d.values, l.entries)
		}
	}
	if m.err == nil && len(d.values) != d.sampleTypes {
		m.fail(at, fmt.Errorf("%d values for %d sample types", len(d.values), d.sampleTypes))
	}
	if m.err != nil {
		return 0, m.err
	}
	count := int64(d.values[sampleType])
	if count < 0 {
		m.fail(at, errNegative)
	}
	return count, m.err
}

// resolve fills d.stack with the frames of the locations d.ids. Of these the
// first is the leaf, and so is the first line of a location: the others are the
// functions that it is inlined in.
func (d *decoder) resolve(limits limits) error {
	d.stack = d.stack[:0]
	for i := len(d.ids) - 1; i >= 0; i-- {
		place, found := d.locations.find(d.ids[i])
		if !found {
			return fmt.Errorf("no location %d", d.ids[i])
		}
		l := &d.locations[place]
		if len(d.stack)+l.lines > limits.depth {
			return fmt.Errorf("%w: more than %d frames in a stack", ErrTooLarge, limits.depth)
		}
		for line := l.first + l.lines - 1; line >= l.first; line-- {
			d.stack = append(d.stack, d.lines[line])
		}
	}
	if len(d.stack) == 0 {
		d.stack = append(d.stack, unknown)
	}
	if d.walked += len(d.stack); d.walked > limits.frames {
		return fmt.Errorf("%w: more than %d frames", ErrTooLarge, limits.frames)
	}
	return nil
}

// addStack adds d.stack to t.
func (d *decoder) addStack(t *Tree, count int64) error {
	n, err := t.begin(count)
	for i := 0; i < len(d.stack) && err == nil; i++ {
		n, err = t.down(n, &d.frames[d.stack[i]], count)
	}
	if err == nil {
		n.self += count
	}
	return err
}
