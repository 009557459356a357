package arenapb

import (
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// An entry describes how the entries of a map are decoded.
type entry struct {
	typ      reflect.Type // of the map
	key, val scalarOrText
	sub      *lazyTable // of message values
}

// A scalarOrText describes how a key or value of a map is decoded.
type scalarOrText struct {
	op   op
	wire protowire.Type
	utf8 bool
	name protoreflect.FullName
}

// A part is a key or a value.
type part struct {
	bits  uint64 // scalars, as they are in memory
	str   string
	bytes []byte
	msg   pointer
}

// mapEntry decodes an entry of the map at p. Maps are Go's own and on the heap.
func (d *decoder) mapEntry(f *field, p pointer, pos, end int) int {
	if d.depth--; d.depth < 0 {
		return d.fail(errDepth)
	}
	n, pos := int(byteAt(d.base, pos)), pos+1
	if n >= 0x80 || n > end-pos {
		if n, pos = d.size(pos-1, end); pos < 0 {
			return -1
		}
	}
	outerEnd := end
	end = pos + n
	e := f.entry
	var key, val part
	initialized := e.sub == nil
	for pos < end {
		k, next := d.number(pos)
		if next < 0 || next > end {
			return -1
		}
		pos = next
		num, typ := protowire.Number(k>>3), protowire.Type(k&7)
		if k>>3 < uint64(protowire.MinValidNumber) || k>>3 > uint64(protowire.MaxValidNumber) {
			return -1
		}
		switch {
		case num == 1 && typ == e.key.wire:
			pos = d.part(&e.key, &key, pos, end)
		case num == 2 && typ == e.val.wire && e.sub != nil:
			size, next := d.size(pos, end)
			if next < 0 {
				return -1
			}
			if val.msg == nil {
				val.msg = d.slab(e.sub.slab).New()
			}
			outer := d.partial
			d.partial = false
			pos = d.sub(e.sub.below(d.proving), val.msg, next, next+size, 0)
			initialized = initialized || !d.partial
			d.partial = outer
		case num == 2 && typ == e.val.wire:
			pos = d.part(&e.val, &val, pos, end)
		default:
			n := protowire.ConsumeFieldValue(num, typ, bytesAt(d.base, pos, end-pos))
			if n < 0 {
				return -1
			}
			pos += n
		}
		if pos < 0 {
			return -1
		}
	}
	if e.sub != nil && val.msg == nil {
		val.msg = d.slab(e.sub.slab).New()
	}
	d.partial = d.partial || !initialized
	d.depth++
	if *as[pointer](p) == nil {
		d.makeMap(f, p, end, outerEnd)
	}
	e.put(*as[pointer](p), &key, &val)
	return end
}

// makeMap makes the map at p, of which one entry ends at pos, with room for those that follow.
func (d *decoder) makeMap(f *field, p pointer, pos, end int) {
	n := 1
	if end-pos > int(f.keyLen) && load64(d.base, pos)&(1<<(8*f.keyLen)-1) == f.keyBits {
		n += d.run(f, pos+int(f.keyLen), end)
		n = min(n, (end-pos)/leastEntry)
	}
	if n <= 8 { // as many have room in any map
		n = 0
	}
	*as[pointer](p) = reflect.MakeMapWithSize(f.entry.typ, n).UnsafePointer()
}

// leastEntry is the smallest size, in bytes, that is assumed for a map's entries: shorter ones are
// likely to have the same keys, and do not justify a large map.
const leastEntry = 6

// mapAt returns the map at p, a new one if there is none.
func mapAt(f *field, p pointer) pointer {
	m := *as[pointer](p)
	if m == nil {
		m = reflect.MakeMap(f.entry.typ).UnsafePointer()
		*as[pointer](p) = m
	}
	return m
}

// part decodes a key or a value that is not a message.
func (d *decoder) part(s *scalarOrText, to *part, pos, end int) int {
	if s.wire != protowire.BytesType {
		to.bits = 0
		if pos = d.scalar(s.op, pointerTo(&to.bits), pos); pos > end {
			return -1
		}
		return pos
	}
	base := d.base
	n, pos := int(byteAt(base, pos)), pos+1
	if n >= 0x80 || n > end-pos {
		if n, pos = d.size(pos-1, end); pos < 0 {
			return -1
		}
	}
	if s.utf8 && !(n <= 16 && isShortASCII(base, pos, n)) && !isASCII(base, pos, n) && !d.valid(pos, n) {
		return d.fail(errUTF8(s.name))
	}
	if s.op == opBytes {
		to.bytes = d.bytesAt(pos, n)
	} else {
		to.str = d.stringAt(pos, n)
	}
	return pos + n
}

// put sets an entry of the map m. Map types whose keys and values are the same in
// memory work in the same way, whatever the names of their types.
func (e *entry) put(m pointer, key, val *part) {
	switch e.key.op {
	case opString:
		putIn(e, m, key.str, val)
	case opBool:
		putIn(e, m, *as[bool](pointerTo(&key.bits)), val)
	case opVarint32, opZigzag32, opFixed32:
		putIn(e, m, uint32(key.bits), val)
	default:
		putIn(e, m, key.bits, val)
	}
}
