package stacktree

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// A sample is a stack, root first, with one value per sample type.
type sample struct {
	frames []string
	values []int64
}

// samplesOf returns the stacks of valid collapsed text, with one value each.
func samplesOf(text []byte) (samples []sample) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		space := strings.LastIndex(line, " ")
		count, err := strconv.ParseInt(line[space+1:], 10, 64)
		if err != nil {
			panic(err)
		}
		samples = append(samples, sample{strings.Split(line[:space], ";"), []int64{count}})
	}
	return samples
}

// An encoder writes profiles. What it can vary makes no difference to a reader.
type encoder struct {
	inline   bool // frames with a name of even length are inlined in their callers
	sparse   bool // ids have gaps and descend
	unpacked bool // repeated numbers are separate fields
	strings  bool // the string table comes first, not last
	extra    bool // there are fields that the parser does not need
	gzip     bool

	out       []byte
	table     []string
	indexes   map[string]int
	functions map[string]uint64 // name to id
	locations map[string]uint64 // names, joined, to id
}

// encode returns a profile of samples with a number of sample types.
func (e encoder) encode(samples []sample, sampleTypes int) []byte {
	e.table, e.indexes = []string{""}, map[string]int{"": 0}
	e.functions, e.locations = map[string]uint64{}, map[string]uint64{}
	for i := range sampleTypes {
		name := e.index("type" + strconv.Itoa(i))
		e.out = field(e.out, profileSampleType, number(nil, 1, uint64(name)))
	}
	for _, s := range samples {
		e.sample(s)
	}
	if e.extra {
		e.out = field(e.out, 3, number(nil, 1, 1)) // a mapping
		e.out = number(e.out, 12, 1)               // the period
		e.out = append(e.out, 99<<3&0x7f|0x80|wireFixed8, 99>>4, 1, 2, 3, 4, 5, 6, 7, 8)
		e.out = append(e.out, 15<<3|wireFixed4, 1, 2, 3, 4)
	}
	var table []byte
	for _, s := range e.table {
		table = field(table, profileStringTable, []byte(s))
	}
	if e.strings {
		e.out = append(table, e.out...)
	} else {
		e.out = append(e.out, table...)
	}
	if e.gzip {
		return compress(e.out)
	}
	return e.out
}

// sample writes a sample behind the locations that it is the first to use.
func (e *encoder) sample(s sample) {
	var ids, values []uint64
	for i := 0; i < len(s.frames); {
		n := 1
		for e.inline && i+n < len(s.frames) && len(s.frames[i+n])%2 == 0 {
			n++
		}
		ids = append(ids, e.location(s.frames[i:i+n]))
		i += n
	}
	slices.Reverse(ids)
	for _, v := range s.values {
		values = append(values, uint64(v))
	}
	m := e.numbers(nil, sampleLocationID, ids)
	m = e.numbers(m, sampleValue, values)
	if e.extra {
		m = field(m, 3, number(number(nil, 1, 1), 3, 512)) // a label
	}
	e.out = field(e.out, profileSample, m)
}

// location returns the id of the location of frames, which are inlined in the
// first one.
func (e *encoder) location(frames []string) uint64 {
	key := strings.Join(frames, ";")
	id, ok := e.locations[key]
	if ok {
		return id
	}
	id = e.id(len(e.locations))
	e.locations[key] = id
	var m []byte
	for _, name := range slices.Backward(frames) {
		m = field(m, locationLine, number(number(nil, lineFunctionID, e.function(name)), 2, 42))
	}
	e.out = field(e.out, profileLocation, number(number(m, locationID, id), locationAddress, 0x1000+id))
	return id
}

func (e *encoder) function(name string) uint64 {
	id, ok := e.functions[name]
	if ok {
		return id
	}
	id = e.id(len(e.functions))
	e.functions[name] = id
	e.out = field(e.out, profileFunction, number(number(nil, functionID, id), functionName, uint64(e.index(name))))
	return id
}

func (e *encoder) id(n int) uint64 {
	if e.sparse {
		return 1<<63 - uint64(n)*1000
	}
	return uint64(n + 1)
}

func (e *encoder) index(s string) int {
	i, ok := e.indexes[s]
	if !ok {
		i = len(e.table)
		e.table, e.indexes[s] = append(e.table, s), i
	}
	return i
}

func (e *encoder) numbers(out []byte, f uint64, values []uint64) []byte {
	var packed []byte
	for _, v := range values {
		if e.unpacked {
			out = number(out, f, v)
		}
		packed = binary.AppendUvarint(packed, v)
	}
	if e.unpacked {
		return out
	}
	return field(out, f, packed)
}

// number appends a field that is a varint.
func number(out []byte, f, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(out, f<<3|wireVarint), v)
}

// field appends a field that is a string or a message.
func field(out []byte, f uint64, b []byte) []byte {
	out = binary.AppendUvarint(out, f<<3|wireBytes)
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

func compress(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}
