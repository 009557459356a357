package arenapb

import (
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/runtime/protoimpl"
)

// An out describes how one field, or a oneof, is encoded.
type out struct {
	op       op
	mode     mode // modePointer, modeNonNil, modePresence, modeHeader; modeOneof of a oneof
	always   bool // also if the value is zero
	signed   bool // of opVarint32: negative values have 64 bits
	utf8     bool
	size     uint8 // of an element of a list of scalars, in bytes
	keyLen   uint8
	elemOp   op // of opPacked and opList
	offset   uint32
	presence int32 // from the field to the word with its bit, in bytes
	bit      uint32
	keyBits  uint64 // the key, encoded
	key      uint64

	sub     *lazyTable
	entry   *entry
	tab     pointer          // of a member of a oneof
	members []out            // of a oneof
	order   protowire.Number // by which they are sorted: the field's, of a oneof more
	signs   [2]bool          // of a map: signed, of keys and of values
}

// An encoder encodes a message from its end to its start: so how long a value is is known when its length
// is written, and nothing has to be measured before. That is what [proto.Marshal] needs a pass for.
type encoder struct {
	buf []byte // written in [pos, len-Slack)
	pos int
	bad bool // package proto is to do it

	proving bool // messages below are empty, and their tables not needed

	done func() // release
}

var encoders sync.Pool // of *encoder

// maxEncoder bounds the buffers of those that are kept, in bytes.
const maxEncoder = maxScratch

// encode encodes m. It returns nil if package proto is to do it: because it knows more, or for its
// error. The encoding is valid until the encoder is released.
func encode(m proto.Message) *encoder {
	t := tableOf(m)
	if t == nil || t.noEncode {
		return nil
	}
	p := as[iface](pointerTo(&m)).data
	if p == nil || t.unsure && proto.CheckInitialized(m) != nil {
		return nil
	}
	return t.encode(p, false)
}

// encode encodes the message at p, which may lack required fields.
func (t *table) encode(p pointer, proving bool) *encoder {
	e, ok := encoders.Get().(*encoder)
	if !ok {
		e = &encoder{buf: make([]byte, 1<<10)}
		e.done = e.release
	}
	e.pos, e.bad, e.proving = len(e.buf)-Slack, false, proving
	e.message(t, p)
	if e.bad {
		e.release()
		return nil
	}
	return e
}

// bytes returns what was encoded.
func (e *encoder) bytes() []byte { return e.buf[e.pos : len(e.buf)-Slack : len(e.buf)-Slack] }

func (e *encoder) release() {
	if len(e.buf) <= maxEncoder {
		encoders.Put(e)
	}
}

// room makes room for n bytes in front of what is written.
func (e *encoder) room(n int) {
	if e.pos < n {
		e.grow(n)
	}
}

//go:noinline
func (e *encoder) grow(n int) {
	written := len(e.buf) - e.pos
	to := make([]byte, max(2*len(e.buf), written+n+1<<10))
	e.pos = len(to) - written
	copy(to[e.pos:], e.buf[len(e.buf)-written:])
	e.buf = to
}

// most is an upper bound on the bytes of a key together with a scalar or a length.
const most = 16

// message writes the message at m.
func (e *encoder) message(t *table, m pointer) {
	switch {
	case t.noEncode:
		e.std(t, m)
		return
	case t.extensions != nil && len(*as[protoimpl.ExtensionFields](plus(m, t.extensions.offset))) > 0:
		e.bad = true // the required fields of extensions were not checked
		return
	}
	if t.unknown != 0 {
		if u := *as[[]byte](plus(m, t.unknown)); len(u) > 0 {
			e.raw(textOf(u))
		}
	}
	for i := len(t.outs) - 1; i >= 0; i-- {
		f := &t.outs[i]
		p := plus(m, f.offset)
		if f.mode == 0 {
			e.value(f, p)
		} else {
			e.modal(f, p)
		}
	}
}

// std leaves a message to package proto.
func (e *encoder) std(t *table, m pointer) {
	b, err := proto.Marshal(t.message(m)) // its extensions may lack required fields, which makes package proto do all
	if err != nil {
		e.bad = true
		return
	}
	e.raw(textOf(b))
}

// raw writes bytes.
func (e *encoder) raw(s string) {
	e.room(len(s))
	e.pos -= len(s)
	copy(e.buf[e.pos:], s)
}

// modal writes a field whose value is not at its own offset in the message, or whose presence is
// noted.
func (e *encoder) modal(f *out, p pointer) {
	if f.mode&modePresence != 0 && *as[uint32](plus(p, f.presence))&f.bit == 0 {
		return
	}
	switch {
	case f.mode&(modePointer|modeHeader) != 0:
		if p = *as[pointer](p); p == nil {
			return
		}
	case f.mode&(modeNonNil|modePresence) == modeNonNil:
		if *as[pointer](p) == nil {
			return
		}
	case f.mode&modeOneof != 0:
		i := as[iface](p)
		if i.tab == nil || i.data == nil {
			return
		}
		for k := range f.members {
			if member := &f.members[k]; member.tab == i.tab {
				e.value(member, i.data)
				return
			}
		}
		e.bad = true
		return
	}
	e.value(f, p)
}

// value writes the value at p with its key, if it is to be.
func (e *encoder) value(f *out, p pointer) {
	switch f.op {
	case opBool:
		if *as[byte](p) == 0 && !f.always {
			return
		}
		e.room(most)
		e.scalar(f.op, f.signed, p)
	case opVarint32, opZigzag32, opFixed32:
		if *as[uint32](p) == 0 && !f.always {
			return
		}
		e.room(most)
		e.scalar(f.op, f.signed, p)
	case opVarint64, opZigzag64, opFixed64:
		if *as[uint64](p) == 0 && !f.always {
			return
		}
		e.room(most)
		e.scalar(f.op, f.signed, p)
	case opString:
		s := *as[string](p)
		if len(s) == 0 && !f.always {
			return
		}
		e.text(f.utf8, s)
	case opBytes:
		b := *as[[]byte](p)
		if len(b) == 0 && !f.always {
			return
		}
		e.text(false, textOf(b))
	case opMessage:
		m := *as[pointer](p)
		if m == nil && !f.always {
			return
		}
		e.child(f.sub, m)
	case opMessages:
		s := as[slice](p)
		for i := s.len - 1; i >= 0; i-- {
			e.child(f.sub, *as[pointer](plus(s.data, i*ptrSize)))
			e.key(f)
		}
		return
	case opStrings:
		s := *as[[]string](p)
		for i := len(s) - 1; i >= 0; i-- {
			e.text(f.utf8, s[i])
			e.key(f)
		}
		return
	case opBytesees:
		s := *as[[][]byte](p)
		for i := len(s) - 1; i >= 0; i-- {
			e.text(false, textOf(s[i]))
			e.key(f)
		}
		return
	case opPacked:
		s := as[slice](p)
		if s.len == 0 {
			return
		}
		e.packed(f, s)
	default:
		e.rest(f, p)
		return
	}
	e.key(f)
}

// text writes a string with its length. There is room for a key then.
func (e *encoder) text(isUTF8 bool, s string) {
	n := len(s)
	e.room(n + most)
	e.pos -= n
	copy(e.buf[e.pos:], s)
	if isUTF8 {
		base := dataOf(e.buf)
		if !(n <= 16 && isShortASCII(base, e.pos, n)) && !isASCII(base, e.pos, n) && !utf8.ValidString(s) {
			e.bad = true
		}
	}
	e.varint(uint64(n))
}

// child writes a message with its length. There is room for a key then.
func (e *encoder) child(l *lazyTable, m pointer) {
	end := len(e.buf) - e.pos
	if m != nil {
		e.message(l.below(e.proving), m)
	}
	e.room(most)
	e.varint(uint64(len(e.buf) - e.pos - end))
}

// packed writes the elements of a list, of which there are some, with their length.
func (e *encoder) packed(f *out, s *slice) {
	end := len(e.buf) - e.pos
	switch f.elemOp {
	case opFixed32, opFixed64:
		e.raw(textAt(s.data, s.len*int(f.size)))
	case opVarint64:
		list := sliceAt[uint64](s.data, s.len)
		for i := len(list) - 1; i >= 0; i-- {
			e.room(most)
			e.varint(list[i])
		}
	case opBool: // they are what their varints are
		e.raw(textAt(s.data, s.len))
	default:
		for i := s.len - 1; i >= 0; i-- {
			e.room(most)
			e.scalar(f.elemOp, f.signed, plus(s.data, i*int(f.size)))
		}
	}
	e.room(most)
	e.varint(uint64(len(e.buf) - e.pos - end))
}

// scalar writes one, without a key. There is room. If signed, negative values of opVarint32 have 64 bits.
func (e *encoder) scalar(op op, signed bool, p pointer) {
	switch op {
	case opVarint64:
		e.varint(*as[uint64](p))
	case opVarint32:
		x := uint64(*as[uint32](p))
		if signed {
			x = uint64(*as[int32](p))
		}
		e.varint(x)
	case opBool:
		e.varint(uint64(*as[byte](p)))
	case opZigzag32:
		e.varint(protowire.EncodeZigZag(int64(*as[int32](p))))
	case opZigzag64:
		e.varint(protowire.EncodeZigZag(*as[int64](p)))
	case opFixed32:
		e.pos -= 4
		*as[uint32](plus(dataOf(e.buf), e.pos)) = *as[uint32](p)
	case opFixed64:
		e.pos -= 8
		*as[uint64](plus(dataOf(e.buf), e.pos)) = *as[uint64](p)
	}
}

// rest writes what is rarer than what value writes itself.
func (e *encoder) rest(f *out, p pointer) {
	switch f.op {
	case opList:
		s := as[slice](p)
		for i := s.len - 1; i >= 0; i-- {
			e.room(most)
			e.scalar(f.elemOp, f.signed, plus(s.data, i*int(f.size)))
			e.key(f)
		}
	case opGroup:
		m := *as[pointer](p)
		if m == nil && !f.always {
			return
		}
		e.group(f, m)
	case opGroups:
		s := as[slice](p)
		for i := s.len - 1; i >= 0; i-- {
			e.group(f, *as[pointer](plus(s.data, i*ptrSize)))
		}
	case opMap:
		if m := *as[pointer](p); m != nil {
			e.mapEntries(f, m)
		}
	default:
		e.bad = true
	}
}

// group writes a group with its keys.
func (e *encoder) group(f *out, m pointer) {
	e.room(most)
	e.varint(f.key + 1)
	if m != nil {
		e.message(f.sub.below(e.proving), m)
	}
	e.room(most)
	e.key(f)
}

// mapEntries writes the entries of the map m. As for putIn, the names of types do not matter.
func (e *encoder) mapEntries(f *out, m pointer) {
	switch f.entry.key.op {
	case opString:
		entriesIn(e, f, m, func(k string) { e.text(f.entry.key.utf8, k) })
	case opBool:
		entriesIn(e, f, m, func(k bool) { e.scalar(opBool, false, pointerTo(&k)) })
	case opVarint32, opZigzag32, opFixed32:
		entriesIn(e, f, m, func(k uint32) { e.scalar(f.entry.key.op, f.signs[0], pointerTo(&k)) })
	default:
		entriesIn(e, f, m, func(k uint64) { e.scalar(f.entry.key.op, false, pointerTo(&k)) })
	}
}

func entriesIn[K comparable](e *encoder, f *out, m pointer, key func(K)) {
	switch f.entry.val.op {
	case opMessage:
		entriesOf(e, f, mapIn[K, pointer](m), key, func(v pointer) { e.child(f.entry.sub, v) })
	case opString:
		entriesOf(e, f, mapIn[K, string](m), key, func(v string) { e.text(f.entry.val.utf8, v) })
	case opBytes:
		entriesOf(e, f, mapIn[K, []byte](m), key, func(v []byte) { e.text(false, textOf(v)) })
	case opBool:
		entriesOf(e, f, mapIn[K, bool](m), key, func(v bool) { e.scalar(f.entry.val.op, f.signs[1], pointerTo(&v)) })
	case opVarint32, opZigzag32, opFixed32:
		entriesOf(e, f, mapIn[K, uint32](m), key, func(v uint32) { e.scalar(f.entry.val.op, f.signs[1], pointerTo(&v)) })
	default:
		entriesOf(e, f, mapIn[K, uint64](m), key, func(v uint64) { e.scalar(f.entry.val.op, f.signs[1], pointerTo(&v)) })
	}
}

func entriesOf[K comparable, V any](e *encoder, f *out, m map[K]V, key func(K), val func(V)) {
	keyTag := protowire.EncodeTag(1, f.entry.key.wire)
	valTag := protowire.EncodeTag(2, f.entry.val.wire)
	for k, v := range m {
		end := len(e.buf) - e.pos
		e.room(most)
		val(v)
		e.varint(valTag)
		e.room(most)
		key(k)
		e.varint(keyTag)
		e.room(most)
		e.varint(uint64(len(e.buf) - e.pos - end))
		e.key(f)
	}
}

// addOut adds how fd, which is not in a oneof, is encoded: f is how it is decoded, if it is a list of
// scalars from single ones.
func (t *table) addOut(fd protoreflect.FieldDescriptor, f *field) {
	t.outs = append(t.outs, outOf(fd, f))
}

func outOf(fd protoreflect.FieldDescriptor, f *field) out {
	o := out{
		op: f.plainOp(), mode: f.mode & (modePointer | modeNonNil | modePresence | modeHeader), utf8: f.utf8, size: f.size, elemOp: f.elemOp,
		offset: uint32(f.offset), presence: int32(f.presence), bit: f.bit, sub: f.sub, entry: f.entry, order: fd.Number(), key: f.key,
		signed: isSigned(fd), keyLen: f.keyLen, keyBits: f.keyBits,
	}
	if fd.IsMap() {
		o.signs = [2]bool{isSigned(fd.MapKey()), isSigned(fd.MapValue())}
	}
	if o.op == opList && fd.IsPacked() {
		var packed field
		packed.setKey(fd.Number(), protowire.BytesType)
		o.op, o.key, o.keyLen, o.keyBits = opPacked, packed.key, packed.keyLen, packed.keyBits
	}
	o.always = o.mode != 0 && !fd.IsList() && !fd.IsMap() && (fd.Message() == nil || o.mode&modePresence != 0)
	return o
}

// isSigned reports whether negative values of an opVarint32 have 64 bits.
func isSigned(fd protoreflect.FieldDescriptor) bool {
	return fd.Kind() == protoreflect.Int32Kind || fd.Kind() == protoreflect.EnumKind
}

// addMember adds how fd, a member of a oneof, is encoded.
func (t *table) addMember(fd protoreflect.FieldDescriptor, f *field) {
	o := outOf(fd, f)
	o.mode, o.always, o.tab = 0, true, f.tab
	for i := range t.outs {
		if x := &t.outs[i]; x.mode == modeOneof && x.offset == o.offset {
			x.members = append(x.members, o)
			return
		}
	}
	behind := protowire.MaxValidNumber + 1 + protowire.Number(fd.ContainingOneof().Index()) // all others, as package proto has it
	t.outs = append(t.outs, out{mode: modeOneof, offset: o.offset, order: behind, members: []out{o}})
}
