package arenapb

import (
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/runtime/protoiface"

	"lessgc/arena"
	"lessgc/internal/outline"
	"lessgc/internal/untyped"
)

// A decoder holds the state of a call of Unmarshal. It is kept with the memory of
// its arena: a new one for each call would have to be zeroed.
type decoder struct {
	arena    *arena.Arena
	base     pointer // of the input
	busy     bool
	discard  bool
	proving  bool   // the tables of messages below are not needed, these are empty
	partial  bool   // a required field was missing
	depth    int    // levels that messages may still be nested
	endKey   uint64 // the key that ended the last group
	seen     uint64 // required fields of the message that is being decoded
	resolver Resolver
	err      error
	ext      []byte // fields of messages that are being decoded, for package proto
	scratch  *scratch
	own      []byte // for copies of small inputs that nothing retains part of
	copied   bool   // the input is in own or scratch, or is the caller's

	// kept is the input that strings and bytes alias: base, or nil if it must not be retained. Then they are
	// copied.
	kept pointer

	index []*untyped.Slab // the arena's, by slabType.id

	// Without an arena, on the heap, index has the loose slabs that are in use.
	loose []*untyped.Slab // by slabType.id
	used  []int           // ids of those in index whose values may hold pointers
	free  []byte          // for strings and bytes
	input int             // its size in bytes
}

// heapDecoders are of messages that are decoded to the heap: those for safe arenas. An arena finds out
// what a life takes, and begins and ends it: that paid for none of the types of bench/foreign.
var heapDecoders sync.Pool // of *decoder

// heapDecoder returns a decoder without an arena, which done takes back.
func heapDecoder() *decoder {
	d, ok := heapDecoders.Get().(*decoder)
	if !ok {
		d = new(decoder)
	}
	return d
}

// grow makes room in d.index, and without an arena in d.loose, for all slab types there are.
func (d *decoder) grow() {
	n := int(slabTypes.Load())
	if n <= len(d.index) {
		return
	}
	d.index = slices.Grow(d.index, n-len(d.index))[:n]
	if d.arena == nil {
		d.loose = slices.Grow(d.loose, n-len(d.loose))[:n]
	}
}

// decoderOf returns the decoder of an arena, which done takes back.
func decoderOf(a *arena.Arena) *decoder {
	place := untyped.Place(pointerTo(a))
	d := as[decoder](*place)
	if d == nil || d.busy { // busy if a resolver came back here, or panicked
		d = new(decoder)
		*place = pointerTo(d)
	}
	d.arena, d.busy = a, true
	return d
}

// A scratch has a copy of the input while it is decoded, of messages that keep no part of it.
type scratch struct{ b []byte }

// maxScratch bounds those that are kept, in bytes, and maxOwn the one that each decoder has.
const (
	maxScratch = 4<<20 + Slack // what gRPC accepts
	maxOwn     = 4 << 10
)

var scratches sync.Pool // of *scratch

// borrow makes the input a copy of b, with room behind it.
func (d *decoder) borrow(b []byte) {
	if n := len(b) + Slack; n <= maxOwn {
		if len(d.own) < n {
			d.own = make([]byte, max(n, min(2*len(d.own), maxOwn)))
		}
		copy(d.own, b)
		d.base = dataOf(d.own)
		return
	}
	s := d.scratch
	if s == nil {
		var ok bool
		if s, ok = scratches.Get().(*scratch); !ok {
			s = new(scratch)
		}
	}
	if n := len(b) + Slack; cap(s.b) < n {
		s.b = make([]byte, max(n, min(2*cap(s.b), maxScratch)))
	}
	copy(s.b[:cap(s.b)], b)
	d.base, d.scratch = dataOf(s.b), s
}

// done ends a call, and lets go of what it was about.
func (d *decoder) done(err error) error {
	if s := d.scratch; s != nil {
		d.scratch = nil
		if cap(s.b) <= maxScratch {
			scratches.Put(s)
		}
	}
	if d.err != nil || d.ext != nil || d.resolver != nil {
		d.err, d.ext, d.resolver = nil, nil, nil
	}
	onHeap := d.arena == nil
	d.arena, d.base, d.kept, d.busy, d.partial, d.copied, d.seen = nil, nil, nil, false, false, false, 0
	if onHeap {
		for _, id := range d.used {
			d.index[id].Forget()
			d.index[id] = nil
		}
		d.used = d.used[:0]
		if d.input > wideText { // the next message is not to have part of so large a chunk
			d.free = nil
		}
		heapDecoders.Put(d)
	}
	return err
}

// decode decodes b into m, whose table is t and which is not nil. Without an arena m is decoded to the heap.
func (t *table) decode(o *UnmarshalOptions, a *arena.Arena, b []byte, m proto.Message) error {
	p := as[iface](pointerTo(&m)).data
	if !o.Merge && !isZero(p, t.size) {
		proto.Reset(m)
	}
	if len(b) == 0 && t.numRequired == 0 {
		return nil
	}
	var d *decoder
	if a == nil {
		d = heapDecoder()
	} else {
		d = decoderOf(a)
	}
	d.input, d.discard, d.proving = len(b), o.DiscardUnknown, o.proving
	d.depth = o.RecursionLimit
	if d.depth == 0 {
		d.depth = protowire.DefaultRecursionLimit
	}
	if o.Resolver != nil {
		d.resolver = o.Resolver
	}
	ok := true
	for ok && len(b) > largeText && !t.special && !o.AliasInput && !o.lent {
		f, at, from, n := t.largeTextIn(b)
		if f == nil {
			break
		}
		ok = (at == 0 || d.section(o, t, p, b[:at])) && d.largeText(f, plus(p, f.offset), b[from:from+n])
		b = b[from+n:]
	}
	if ok = ok && d.section(o, t, p, b); !ok {
		return d.done(d.error())
	}
	if d.partial && !o.AllowPartial {
		return d.done(proto.CheckInitialized(m))
	}
	return d.done(nil)
}

// section decodes b, whole fields of the input, into the message at p. It reports whether that went well.
func (d *decoder) section(o *UnmarshalOptions, t *table, p pointer, b []byte) bool {
	switch roomy := cap(b)-len(b) >= Slack; {
	case o.AliasInput && roomy:
		d.base = dataOf(b)
		d.kept = d.base
	case d.arena == nil || !t.aliases: // else nothing but unknown fields could be part of it
		if d.copied = true; o.lent && roomy {
			d.base = dataOf(b)
		} else {
			d.borrow(b)
		}
		if !t.aliases {
			d.kept = d.base
			break
		}
		t = t.keeping()
	default:
		d.base = untyped.Text(pointerTo(d.arena), len(b)+Slack)
		copy(sliceAt[byte](d.base, len(b)), b)
		d.kept = d.base
	}
	if t.special {
		return d.sub(t, p, 0, len(b), 0) >= 0
	}
	return d.message(t, p, 0, len(b)) >= 0
}

// largeText is from how many bytes on a string is copied to its own memory at once, and not with the input
// before: most of the time for such a message is to copy it.
const largeText = 4 << 10

// largeTextIn returns the first field of b that is a string or bytes and half of b at least, where it begins,
// and its value. It is nil if that is not among the first few.
func (t *table) largeTextIn(b []byte) (f *field, at, from, n int) {
	const few = 8
	for range few {
		key, k := protowire.ConsumeVarint(b[at:])
		if k < 0 {
			break
		}
		num, typ := protowire.Number(key>>3), protowire.Type(key&7)
		if typ == protowire.BytesType {
			size, s := protowire.ConsumeVarint(b[at+k:])
			from = at + k + s
			if f := t.find(key); s > 0 && size >= largeText && size <= uint64(len(b)-from) && 2*size >= uint64(len(b)) &&
				f != nil && f.mode&^modeNonNil == 0 && (f.op == opString || f.op == opBytes) {
				return f, at, from, int(size)
			}
		}
		v := protowire.ConsumeFieldValue(num, typ, b[at+k:])
		if v < 0 || num < protowire.MinValidNumber {
			break
		}
		at += k + v
	}
	return nil, 0, 0, 0
}

// largeText decodes the string or bytes of f.
func (d *decoder) largeText(f *field, p pointer, b []byte) bool {
	if f.utf8 && !utf8.Valid(b) {
		d.fail(errUTF8(f.name))
		return false
	}
	to := sliceAt[byte](untyped.Text(pointerTo(d.arena), len(b)), len(b))
	copy(to, b)
	if f.op == opBytes {
		*as[[]byte](p) = to
	} else {
		*as[string](p) = textOf(to)
	}
	return true
}

// textChunk is the size, in bytes, of a chunk on the heap that strings and bytes share; one that is retained
// retains no more than its chunk. In messages of more than wideText bytes a chunk is an eighth of the
// message, up to mostTextChunk. Strings and bytes longer than a quarter of a chunk have memory of their own.
// With RecycleTyped that would cost a fifth to two fifths.
const (
	textChunk     = 512
	wideText      = 8 * textChunk
	mostTextChunk = 4 << 10
)

// at returns where n > 0 bytes of the input are for a message.
func (d *decoder) at(pos, n int) pointer {
	if d.kept != nil {
		return plus(d.kept, pos)
	}
	return d.copyText(pos, n)
}

// copyText copies n > 0 bytes of the input to the heap.
func (d *decoder) copyText(pos, n int) pointer {
	if n > len(d.free) {
		chunk := min(max(textChunk, d.input/8), mostTextChunk)
		if n > chunk/4 {
			p := untyped.Text(nil, n)
			copy(sliceAt[byte](p, n), sliceAt[byte](plus(d.base, pos), n))
			return p
		}
		d.free = sliceAt[byte](untyped.Text(nil, chunk), chunk)
	}
	p := dataOf(d.free)
	copy(d.free[:n], sliceAt[byte](plus(d.base, pos), n))
	d.free = d.free[n:]
	return p
}

// stringAt returns n bytes of the input as a message has them.
func (d *decoder) stringAt(pos, n int) string {
	if n == 0 {
		return ""
	}
	return textAt(d.at(pos, n), n)
}

// bytesAt is stringAt for bytes. They have no room behind them: append copies.
func (d *decoder) bytesAt(pos, n int) []byte {
	if n == 0 {
		return noBytes[:]
	}
	return sliceAt[byte](d.at(pos, n), n)
}

// slab returns the arena's slab for a type.
func (d *decoder) slab(s *slabType) *untyped.Slab {
	if s.id < len(d.index) {
		if x := d.index[s.id]; x != nil {
			return x
		}
	}
	return outline.Call2((*decoder).findSlab, d, s) // for this to be inlined
}

//go:noinline
func (d *decoder) findSlab(s *slabType) *untyped.Slab {
	d.grow() // s may be newer than the call
	var x *untyped.Slab
	if d.arena != nil {
		x = untyped.Of(pointerTo(d.arena), s.ptr)
	} else {
		if x = d.loose[s.id]; x == nil {
			x = untyped.Loose(s.ptr)
			d.loose[s.id] = x
		}
		if s.pointers { // else neighbours of other messages do no harm
			d.used = append(d.used, s.id)
		}
	}
	d.index[s.id] = x
	return x
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
	x := uint64(byteAt(d.base, pos))
	next = pos + 1
	if x >= 0x80 {
		x, next = varint(d.base, pos)
	}
	if next < 0 || next > end || x > uint64(end-next) {
		return 0, -1
	}
	return int(x), next
}

// number decodes a varint. The position behind it, -1 if there is none, may be
// behind the end of the message.
func (d *decoder) number(pos int) (x uint64, next int) { return number(d.base, pos) }

func number(base pointer, pos int) (x uint64, next int) {
	if x := uint64(byteAt(base, pos)); x < 0x80 {
		return x, pos + 1
	}
	return varint(base, pos)
}

// message decodes [pos, end) into the message at m. It returns the position behind
// it, which is the end; or, behind the end of a group, with its key in d.endKey,
// -2 less that position; or -1.
//
// All that needs a call is done by that call whole: what lives across one has to
// be stored and loaded again for every field.
func (d *decoder) message(t *table, m pointer, pos, end int) int {
	if d.depth--; d.depth < 0 {
		return d.fail(errDepth)
	}
	base := d.base
	for pos < end {
		key := uint64(byteAt(base, pos))
		pos++
		var s step
		if key < 0x80 {
			s = t.fast[key]
		} else {
			s, key, pos = d.longKey(t, pos-1, end)
		}
		f := s.field
		if f == nil {
			if pos = d.other(t, m, key, pos, end); pos >= 0 {
				continue
			}
			d.depth++
			return pos
		}
		p := plus(m, s.offset)
		switch s.op {
		case opVarint64:
			x := load64(base, pos)
			switch {
			case x&0x80 == 0:
				*as[uint64](p) = x & 0x7f
				pos++
			case x&0x8000 == 0:
				*as[uint64](p) = x&0x7f | x>>1&0x3f80
				pos += 2
			default:
				pos = d.varint64(p, pos)
			}
		case opVarint32:
			x := byteAt(base, pos)
			if x >= 0x80 {
				pos = d.varint32(p, pos)
				break
			}
			*as[uint32](p) = uint32(x)
			pos++
		case opBool:
			x := byteAt(base, pos)
			if x >= 0x80 {
				pos = d.scalar(opBool, p, pos)
				break
			}
			*as[bool](p) = x != 0
			pos++
		case opFixed32:
			*as[uint32](p) = load32(base, pos)
			pos += 4
		case opFixed64:
			*as[uint64](p) = load64(base, pos)
			pos += 8
		case opString:
			n := int(byteAt(base, pos))
			if n >= end-pos || !(n <= 16 && isShortASCII(base, pos+1, n)) && !isASCII(base, pos+1, n) {
				pos = d.text(f, p, pos, end)
				break
			}
			pos++
			*as[string](p) = stringAt(base, pos, n)
			pos += n
		case opMessage:
			pos = d.child(f, p, pos, end)
		case opMessages:
			pos = d.messages(f, as[slice](p), pos, end)
		case opStrings:
			pos = d.texts(f, as[slice](p), pos, end)
		case opPacked:
			pos = d.packed(f, as[slice](p), pos, end)
		case opOneofString:
			pos = d.oneofString(f, as[iface](p), pos, end)
		case opText:
			pos = d.keptText(f, p, pos, end)
		case opModal:
			pos = d.modal(f, p, pos, end)
		default:
			pos = d.value(f, s.op, p, pos, end)
		}
		if pos < 0 {
			return -1
		}
	}
	d.depth++
	if pos != end {
		return -1
	}
	return pos
}

// longKey decodes a key of several bytes. The position behind it is -1 if it is
// none, and there is no field then.
//
//go:noinline
func (d *decoder) longKey(t *table, pos, end int) (s step, key uint64, next int) {
	x := uint64(load32(d.base, pos))
	if key, next = x&0x7f|x>>1&0x3f80, pos+2; x&0x8000 != 0 {
		key, next = varint(d.base, pos)
	}
	switch {
	case next < 0 || next > end:
		return step{}, 0, -1
	case key < uint64(len(t.fast)): // longer than it had to be
		return t.fast[key], key, next
	}
	return t.longStep(key), key, next
}

const ptrSize = int(wordSize)

// valid reports whether a string is UTF-8.
func (d *decoder) valid(pos, n int) bool {
	var all uint64
	i := 0
	for ; n-i >= 32 && all&highBits == 0; i += 32 {
		all |= load64(d.base, pos+i) | load64(d.base, pos+i+8) | load64(d.base, pos+i+16) | load64(d.base, pos+i+24)
	}
	for ; n-i >= 8; i += 8 {
		all |= load64(d.base, pos+i)
	}
	all |= load64(d.base, pos+i) << (64 - 8*uint(n-i))
	return all&highBits == 0 || utf8.ValidString(stringAt(d.base, pos, n))
}

//go:noinline
func (d *decoder) varint64(p pointer, pos int) int {
	x, pos := varint(d.base, pos)
	*as[uint64](p) = x
	return pos
}

//go:noinline
func (d *decoder) varint32(p pointer, pos int) int {
	x, pos := varint(d.base, pos)
	*as[uint32](p) = uint32(x)
	return pos
}

// keptText is text for a string that is copied.
func (d *decoder) keptText(f *field, p pointer, pos, end int) int {
	base := d.base
	n := int(byteAt(base, pos))
	if n < end-pos && (n <= 16 && isShortASCII(base, pos+1, n) || isASCII(base, pos+1, n)) {
		*as[string](p) = d.stringAt(pos+1, n)
		return pos + 1 + n
	}
	return d.text(f, p, pos, end)
}

// text decodes a string.
func (d *decoder) text(f *field, p pointer, pos, end int) int {
	n := int(byteAt(d.base, pos))
	pos++
	if n >= 0x80 {
		n, pos = d.size(pos-1, end)
	}
	if pos < 0 || n > end-pos {
		return -1
	}
	if f.utf8 && !isASCII(d.base, pos, n) && !d.valid(pos, n) {
		return d.fail(errUTF8(f.name))
	}
	*as[string](p) = d.stringAt(pos, n)
	return pos + n
}

// child decodes the message that p points to, a new one if it is nil.
func (d *decoder) child(f *field, p pointer, pos, end int) int {
	n, next := int(byteAt(d.base, pos)), pos+1
	if n >= 0x80 || n > end-next {
		if n, next = d.size(pos, end); next < 0 {
			return -1
		}
	}
	m := *as[pointer](p)
	if m == nil {
		m = d.slab(f.sub.slab).New()
		*as[pointer](p) = m
	}
	sub := f.sub.below(d.proving)
	if sub.special {
		return d.sub(sub, m, next, next+n, 0)
	}
	return max(d.message(sub, m, next, next+n), -1)
}

// oneofString decodes a string in a oneof, the commonest of what modal does.
func (d *decoder) oneofString(f *field, i *iface, pos, end int) int {
	if i.tab != f.tab || i.data == nil {
		*i = iface{f.tab, d.slab(f.slab).New()}
	}
	n := int(byteAt(d.base, pos))
	if n >= end-pos || !(n <= 16 && isShortASCII(d.base, pos+1, n)) && !isASCII(d.base, pos+1, n) {
		return d.text(f, i.data, pos, end)
	}
	*as[string](i.data) = d.stringAt(pos+1, n)
	return pos + 1 + n
}

// modal decodes a field whose value is not at its own offset in the message, or
// that is required.
func (d *decoder) modal(f *field, p pointer, pos, end int) int {
	d.seen |= f.required
	if f.mode&modePresence != 0 {
		*as[uint32](plus(p, f.presence)) |= f.bit
	}
	switch {
	case f.mode&(modePointer|modeHeader) != 0:
		v := *as[pointer](p)
		if v == nil {
			v = d.slab(f.slab).New()
			*as[pointer](p) = v
		}
		p = v
	case f.mode&modeOneof != 0:
		i := as[iface](p)
		if i.tab != f.tab || i.data == nil {
			w := d.slab(f.slab).New()
			*i = iface{f.tab, w}
		}
		p = i.data
	}
	if !f.lax {
		return d.value(f, f.modalOp, p, pos, end)
	}
	partial := d.partial
	pos = d.value(f, f.modalOp, p, pos, end)
	d.partial = partial
	return pos
}

// value decodes one value of any kind into p.
func (d *decoder) value(f *field, op op, p pointer, pos, end int) int {
	switch op {
	case opString, opText:
		return d.text(f, p, pos, end)
	case opBytes:
		n, pos := d.size(pos, end)
		if pos < 0 {
			return -1
		}
		if n == 0 && f.mode&modeNonNil == 0 {
			*as[[]byte](p) = nil
		} else {
			*as[[]byte](p) = d.bytesAt(pos, n)
		}
		return pos + n
	case opMessage:
		return d.child(f, p, pos, end)
	case opGroup:
		m := *as[pointer](p)
		if m == nil {
			m = d.slab(f.sub.slab).New()
			*as[pointer](p) = m
		}
		return d.sub(f.sub.below(d.proving), m, pos, end, f.key+1)
	case opGroups:
		s := as[slice](p)
		d.reserve(f, s, 1)
		m := d.slab(f.sub.slab).New()
		*as[pointer](plus(s.data, s.len*ptrSize)) = m
		s.len++
		return d.sub(f.sub.below(d.proving), m, pos, end, f.key+1)
	case opMap:
		return d.mapEntry(f, p, pos, end)
	case opList:
		return d.listed(f, as[slice](p), pos)
	case opPacked:
		return d.packed(f, as[slice](p), pos, end)
	case opMessages:
		return d.messages(f, as[slice](p), pos, end)
	case opStrings:
		return d.texts(f, as[slice](p), pos, end)
	case opBytesees:
		return d.bytesees(f, as[slice](p), pos, end)
	}
	return d.scalar(op, p, pos)
}

// sub decodes a message of any kind: [pos, end), or if an endKey is given a group
// that ends with it somewhere before. It returns the position behind the message,
// or -1.
func (d *decoder) sub(t *table, m pointer, pos, end int, endKey uint64) int {
	if t.fallback {
		b, n := bytesAt(d.base, pos, end-pos), end-pos
		if endKey != 0 {
			if b, n = protowire.ConsumeGroup(protowire.Number(endKey>>3), b); n < 0 {
				return -1
			}
		}
		if !d.std(t, m, b) {
			return -1
		}
		return pos + n
	}
	ext, seen := len(d.ext), d.seen
	d.seen = 0
	pos = d.message(t, m, pos, end)
	if endKey != 0 { // -2 less the position is what is wanted
		if pos > -2 || d.endKey != endKey {
			return -1
		}
		pos = -2 - pos
	} else if pos < 0 {
		return -1
	}
	if t.numRequired > 0 && bits.OnesCount64(d.seen) != t.numRequired {
		d.partial = true
	}
	d.seen = seen
	if len(d.ext) > ext {
		ok := d.std(t, m, d.ext[ext:])
		d.ext = d.ext[:ext]
		if !ok {
			return -1
		}
	}
	return pos
}

// std leaves a message to package proto.
func (d *decoder) std(t *table, m pointer, b []byte) bool {
	if d.depth <= 0 {
		d.fail(errDepth)
		return false
	}
	o := UnmarshalOptions{Merge: true, AllowPartial: true, DiscardUnknown: d.discard, Resolver: d.resolver, RecursionLimit: d.depth}.std()
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

// other deals with a field that the table does not have: an unknown one, one of
// another wire type, an extension, the end of a group. It returns what message
// does.
func (d *decoder) other(t *table, m pointer, key uint64, pos, end int) int {
	num, typ := key>>3, protowire.Type(key&7)
	if pos < 0 || num < uint64(protowire.MinValidNumber) || num > uint64(protowire.MaxValidNumber) {
		return -1
	}
	if typ == protowire.EndGroupType {
		d.endKey = key
		return -2 - pos
	}
	n := protowire.ConsumeFieldValue(protowire.Number(num), typ, bytesAt(d.base, pos, end-pos))
	if n < 0 {
		return -1
	}
	if f := t.find(key&^7 | uint64(protowire.BytesType)); f != nil && f.op == opMap {
		if d.depth <= 0 { // package proto counts the entry and makes the map before it looks at the wire type
			return d.fail(errDepth)
		}
		mapAt(f, plus(m, f.offset))
	}
	value := bytesAt(d.base, pos, n)
	if t.extendable {
		if t.extensions != nil && (typ == protowire.BytesType || typ == protowire.StartGroupType) {
			if next := d.extended(t, m, key, pos, n, end); next != pos {
				return next
			}
		}
		d.ext = append(protowire.AppendVarint(d.ext, key), value...)
		return pos + n
	}
	if d.discard || t.unknown == 0 {
		return pos + n
	}
	u := as[[]byte](plus(m, t.unknown))
	start := pos - protowire.SizeVarint(key)
	canonical := !d.copied && byteAt(d.base, pos-1) != 0 // else the key was longer than it had to be, which is not kept
	switch {
	case canonical && len(*u) == 0:
		*u = bytesAt(d.base, start, pos+n-start)
	case canonical && d.endsAt(*u, start):
		*u = bytesAt(d.base, start-len(*u), len(*u)+pos+n-start)
	default: // rare, and the heap is right for every policy; part of the input has no room
		*u = append(protowire.AppendVarint(*u, key), value...)
	}
	return pos + n
}

// endsAt reports whether u is the part of the input in front of pos.
func (d *decoder) endsAt(u []byte, pos int) bool {
	from, base := uintptr(dataOf(u)), uintptr(d.base)
	return from >= base && from+uintptr(len(u)) == base+uintptr(pos)
}
