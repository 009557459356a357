package arenapb

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/runtime/protoiface"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A decoder is one call of Unmarshal. It is on the stack: nothing may keep it.
type decoder struct {
	arena    *arena.Arena
	base     unsafe.Pointer // of the input
	limit    int            // its length
	discard  bool
	partial  bool // a required field was missing
	resolver Resolver
	err      error
	ext      []byte // fields of messages that are being decoded, for package proto

	slabs [cached]struct {
		of   *slabType
		slab *untyped.Slab
	}
}

// cached is how many slabs a decoder remembers: most roots need fewer types.
const cached = 32

// decode decodes b into m, whose table is t.
func (t *table) decode(o UnmarshalOptions, a *arena.Arena, b []byte, m proto.Message) error {
	if !o.Merge {
		proto.Reset(m)
	}
	if len(b) == 0 && t.numRequired == 0 {
		return nil
	}
	if !o.AliasInput {
		s := a.StringFrom(b)
		b = unsafe.Slice(unsafe.StringData(s), len(s))
	}
	d := decoder{
		arena:    a,
		base:     unsafe.Pointer(unsafe.SliceData(b)),
		limit:    len(b),
		discard:  o.DiscardUnknown,
		resolver: o.Resolver,
	}
	depth := o.RecursionLimit
	if depth == 0 {
		depth = protowire.DefaultRecursionLimit
	}
	if d.message(t, (*iface)(unsafe.Pointer(&m)).data, 0, len(b), depth, 0) < 0 {
		return d.error()
	}
	if d.partial && !o.AllowPartial {
		return proto.CheckInitialized(m)
	}
	return nil
}

// slab returns the arena's slab for a type.
func (d *decoder) slab(s *slabType) *untyped.Slab {
	if c := &d.slabs[s.id%cached]; c.of == s {
		return c.slab
	}
	return d.findSlab(s)
}

//go:noinline
func (d *decoder) findSlab(s *slabType) *untyped.Slab {
	c := &d.slabs[s.id%cached]
	c.of, c.slab = s, untyped.Of(unsafe.Pointer(d.arena), s.ptr)
	return c.slab
}

// fail ends the decoding: all positions that are returned are -1 from then on.
func (d *decoder) fail(err error) int {
	if d.err == nil {
		d.err = err
	}
	return -1
}

// error returns why the decoding failed.
func (d *decoder) error() error {
	if d.err == nil {
		return errDecode
	}
	return d.err
}

// size decodes the length of a value that has to end before end. It returns the
// position behind it, or -1.
func (d *decoder) size(pos, end int) (n, next int) {
	if pos < end {
		if n := int(byteAt(d.base, pos)); n < 0x80 && n < end-pos {
			return n, pos + 1
		}
	}
	return d.longSize(pos, end)
}

func (d *decoder) longSize(pos, end int) (n, next int) {
	if pos >= end {
		return 0, -1
	}
	x, next := varint(d.base, pos, d.limit)
	if next < 0 || next > end || x > uint64(end-next) {
		return 0, -1
	}
	return int(x), next
}

// number decodes a varint that has to end before end.
func (d *decoder) number(pos, end int) (x uint64, next int) {
	if pos < end {
		if x := uint64(byteAt(d.base, pos)); x < 0x80 {
			return x, pos + 1
		}
	}
	return d.longNumber(pos, end)
}

func (d *decoder) longNumber(pos, end int) (x uint64, next int) {
	if pos >= end {
		return 0, -1
	}
	if x, next = varint(d.base, pos, d.limit); next > end {
		return 0, -1
	}
	return x, next
}

// message decodes [pos, end) into the message at m. If it is in a group, the end
// is where the key group stands. It returns the position behind the message, or
// -1.
func (d *decoder) message(t *table, m unsafe.Pointer, pos, end, depth int, group uint64) int {
	if depth--; depth < 0 {
		return d.fail(errDepth)
	}
	base := d.base
	ext := len(d.ext)
	var seen uint64
	ended := group == 0
	for pos < end {
		start := pos
		key := uint64(byteAt(base, pos))
		pos++
		if key >= 0x80 {
			if key, pos = d.longNumber(start, end); pos < 0 {
				return -1
			}
		}
		var f *field
		if key < uint64(len(t.dense)) {
			f = t.dense[key]
		} else {
			f = t.more[key]
		}
		if f == nil {
			if key == group && group != 0 {
				ended = true
				break
			}
			if pos = d.other(t, m, key, start, pos, end, depth); pos < 0 {
				return -1
			}
			continue
		}
		p := unsafe.Add(m, f.offset)
		if f.mode != 0 {
			p = d.place(f, p)
			seen |= f.required
		}
		switch f.op {
		case opVarint64, opVarint32, opBool, opZigzag32, opZigzag64:
			var x uint64
			if x, pos = d.number(pos, end); pos < 0 {
				return -1
			}
			switch f.op {
			case opVarint64:
				*(*uint64)(p) = x
			case opVarint32:
				*(*uint32)(p) = uint32(x)
			case opBool:
				*(*bool)(p) = x != 0
			case opZigzag32:
				*(*int32)(p) = int32(protowire.DecodeZigZag(x & 0xffffffff))
			default:
				*(*int64)(p) = protowire.DecodeZigZag(x)
			}
		case opFixed32:
			if end-pos < 4 {
				return -1
			}
			*(*uint32)(p) = load32(base, pos)
			pos += 4
		case opFixed64:
			if end-pos < 8 {
				return -1
			}
			*(*uint64)(p) = load64(base, pos)
			pos += 8
		case opString:
			var n int
			if n, pos = d.size(pos, end); pos < 0 {
				return -1
			}
			if f.utf8 && !d.valid(pos, n) {
				return d.fail(errUTF8(f.name))
			}
			*(*string)(p) = stringAt(base, pos, n)
			pos += n
		case opBytes:
			var n int
			if n, pos = d.size(pos, end); pos < 0 {
				return -1
			}
			if f.utf8 && !d.valid(pos, n) {
				return d.fail(errUTF8(f.name))
			}
			if n == 0 && f.mode&modeNonNil == 0 {
				*(*[]byte)(p) = nil
			} else {
				*(*[]byte)(p) = bytesAt(base, pos, n)
			}
			pos += n
		case opMessage:
			var n int
			if n, pos = d.size(pos, end); pos < 0 {
				return -1
			}
			partial := d.partial
			if pos = d.sub(f.sub, d.child(f, p), pos, pos+n, depth); f.lax {
				d.partial = partial
			}
		case opMessages:
			pos = d.messages(f, (*slice)(p), start, pos, end, depth)
		case opStrings, opBytesees:
			pos = d.texts(f, (*slice)(p), start, pos, end)
		case opPacked:
			pos = d.packed(f, (*slice)(p), pos, end)
		case opList:
			pos = d.listed(f, (*slice)(p), pos, end)
		case opMap:
			pos = d.mapEntry(f, p, pos, end, depth)
		case opGroup:
			partial := d.partial
			if pos = d.group(f, d.child(f, p), pos, end, depth); f.lax {
				d.partial = partial
			}
		case opGroups:
			s := (*slice)(p)
			d.reserve(f, s, 1)
			e := d.slab(f.sub.slab).New()
			*(*unsafe.Pointer)(unsafe.Add(s.data, s.len*ptrSize)) = e
			s.len++
			pos = d.group(f, e, pos, end, depth)
		}
		if pos < 0 {
			return -1
		}
	}
	if !ended {
		return -1
	}
	if t.numRequired > 0 && bits.OnesCount64(seen) != t.numRequired {
		d.partial = true
	}
	if len(d.ext) > ext && !d.extensions(t, m, ext, depth) {
		return -1
	}
	return pos
}

const ptrSize = int(unsafe.Sizeof(unsafe.Pointer(nil)))

// valid reports whether a string is UTF-8.
func (d *decoder) valid(pos, n int) bool {
	return isASCII(d.base, pos, n) || utf8.ValidString(stringAt(d.base, pos, n))
}

// place returns where the value of a field goes whose place in the message is p,
// for a field with a mode.
func (d *decoder) place(f *field, p unsafe.Pointer) unsafe.Pointer {
	switch {
	case f.mode&modePointer != 0:
		v := *(*unsafe.Pointer)(p)
		if v == nil {
			v = d.slab(f.slab).New()
			*(*unsafe.Pointer)(p) = v
		}
		return v
	case f.mode&modeOneof != 0:
		i := (*iface)(p)
		if i.tab != f.tab || i.data == nil {
			w := d.slab(f.slab).New()
			*i = iface{f.tab, w}
		}
		return i.data
	}
	return p
}

// child returns the message that p points to, a new one if it is nil.
func (d *decoder) child(f *field, p unsafe.Pointer) unsafe.Pointer {
	m := *(*unsafe.Pointer)(p)
	if m == nil {
		m = d.slab(f.sub.slab).New()
		*(*unsafe.Pointer)(p) = m
	}
	return m
}

// sub decodes a nested message.
func (d *decoder) sub(t *table, m unsafe.Pointer, pos, end, depth int) int {
	if t.fallback {
		if !d.std(t, m, bytesAt(d.base, pos, end-pos), depth) {
			return -1
		}
		return end
	}
	return d.message(t, m, pos, end, depth, 0)
}

// group decodes a group, behind its first key.
func (d *decoder) group(f *field, m unsafe.Pointer, pos, end, depth int) int {
	if !f.sub.fallback {
		return d.message(f.sub, m, pos, end, depth, f.key+1) // from the start to the end of a group
	}
	b, n := protowire.ConsumeGroup(protowire.Number(f.key>>3), bytesAt(d.base, pos, end-pos))
	if n < 0 || !d.std(f.sub, m, b, depth) {
		return -1
	}
	return pos + n
}

// std leaves a message to package proto.
func (d *decoder) std(t *table, m unsafe.Pointer, b []byte, depth int) bool {
	if depth <= 0 {
		d.fail(errDepth)
		return false
	}
	o := UnmarshalOptions{Merge: true, AllowPartial: true, DiscardUnknown: d.discard, Resolver: d.resolver, RecursionLimit: depth}.std()
	out, err := o.UnmarshalState(protoiface.UnmarshalInput{Message: t.message(m).ProtoReflect(), Buf: b})
	if err != nil {
		d.fail(err)
		return false
	}
	if out.Flags&protoiface.UnmarshalInitialized == 0 {
		d.partial = true
	}
	return true
}

// extensions decodes what other collected since d.ext had the given length.
func (d *decoder) extensions(t *table, m unsafe.Pointer, from, depth int) bool {
	b := d.ext[from:]
	ok := d.std(t, m, b, depth+1)
	d.ext = d.ext[:from]
	return ok
}

// other deals with a field that the table does not have: an unknown one, one of
// another wire type, an extension.
func (d *decoder) other(t *table, m unsafe.Pointer, key uint64, start, pos, end, depth int) int {
	num, typ := key>>3, protowire.Type(key&7)
	if num < uint64(protowire.MinValidNumber) || num > uint64(protowire.MaxValidNumber) || typ == protowire.EndGroupType {
		return -1
	}
	n := protowire.ConsumeFieldValue(protowire.Number(num), typ, bytesAt(d.base, pos, end-pos))
	if n < 0 {
		return -1
	}
	if f := t.find(key&^7 | uint64(protowire.BytesType)); f != nil && f.op == opMap {
		if depth <= 0 { // package proto counts the entry and makes the map before it looks at the wire type
			return d.fail(errDepth)
		}
		mapAt(f, unsafe.Add(m, f.offset))
	}
	value, end := pos, pos+n
	if t.extendable {
		if !d.discard || t.mayExtend(protowire.Number(num)) {
			d.ext = append(protowire.AppendVarint(d.ext, key), bytesAt(d.base, value, n)...)
		}
		return end
	}
	if d.discard || t.unknown == 0 {
		return end
	}
	u := (*[]byte)(unsafe.Add(m, t.unknown))
	canonical := protowire.SizeVarint(key) == value-start
	switch {
	case canonical && len(*u) == 0:
		*u = bytesAt(d.base, start, end-start)
	case canonical && d.endsAt(*u, start):
		*u = unsafe.Slice(unsafe.SliceData(*u), len(*u)+end-start)
	default: // rare, and the heap is right for every policy
		to := protowire.AppendVarint((*u)[:len(*u):len(*u)], key)
		*u = append(to, bytesAt(d.base, value, n)...)
	}
	return end
}

// endsAt reports whether u is the part of the input in front of pos.
func (d *decoder) endsAt(u []byte, pos int) bool {
	from, base := uintptr(unsafe.Pointer(unsafe.SliceData(u))), uintptr(d.base)
	return from >= base && from+uintptr(len(u)) == base+uintptr(pos)
}

// mayExtend reports whether a number is in one of the message's extension ranges.
func (t *table) mayExtend(num protowire.Number) bool { return t.desc.ExtensionRanges().Has(num) }
