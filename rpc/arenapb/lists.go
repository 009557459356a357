package arenapb

import (
	"google.golang.org/protobuf/encoding/protowire"

	"lessgc/internal/untyped"
)

// maxRun bounds the memory of messages that are made at once, in bytes.
const maxRun = 32 << 10

// largeList is from how many bytes on the array of a packed list, which is written whole before it is
// seen, is where strings are if that is used again: what is there is not cleared.
const largeList = 1 << 10

// reserve makes room for n more elements. The first time there is no more: what
// comes in several runs grows by doubling.
func (d *decoder) reserve(f *field, s *slice, n int) {
	if s.cap-s.len >= n {
		return
	}
	slab := d.slab(f.list)
	want := s.len + n
	if s.cap > 0 {
		want = max(want, 2*s.cap)
		if untyped.Extend(slab, s.data, s.cap, want-s.cap) {
			s.cap = want
			return
		}
	}
	if f.plainOp() == opPacked && s.cap == 0 && n*int(f.size) >= largeList && d.arena != nil && untyped.TextRecycled(pointerTo(d.arena)) {
		const align = 8
		to := untyped.Text(pointerTo(d.arena), n*int(f.size)+align-1)
		s.data, s.cap = plus(to, -uintptr(to)&(align-1)), n
		return
	}
	to := slab.Make(want)
	if s.len > 0 {
		switch f.plainOp() {
		case opMessages, opGroups:
			copy(sliceAt[pointer](to, s.len), sliceAt[pointer](s.data, s.len))
		case opStrings:
			copy(sliceAt[string](to, s.len), sliceAt[string](s.data, s.len))
		case opBytesees:
			copy(sliceAt[[]byte](to, s.len), sliceAt[[]byte](s.data, s.len))
		default:
			size := s.len * int(f.size)
			copy(sliceAt[byte](to, size), sliceAt[byte](s.data, size))
		}
	}
	s.data, s.cap = to, want
}

// run counts the values with a length that stand one behind the other with the
// key of f, from the one whose length is at pos.
func (d *decoder) run(f *field, pos, end int) int {
	base, key, keyLen := d.base, f.keyBits, int(f.keyLen)
	mask := uint64(1)<<(8*keyLen) - 1
	n := 1
	for {
		size := int(byteAt(base, pos))
		pos++
		if size >= 0x80 {
			if size, pos = d.size(pos-1, end); pos < 0 {
				return n
			}
		}
		pos += size
		if end-pos <= keyLen || load64(base, pos)&mask != key {
			return n
		}
		pos += keyLen
		n++
	}
}

// messages decodes a run of messages of the same field.
func (d *decoder) messages(f *field, s *slice, pos, end int) int {
	sub := f.sub.below(d.proving)
	n := d.run(f, pos, end)
	d.reserve(f, s, n)
	to := sliceAt[pointer](s.data, s.cap)[s.len:][:n]
	most := max(1, maxRun/int(max(1, f.sub.size)))
	base, keyLen := d.base, int(f.keyLen)
	pos -= keyLen
	for len(to) > 0 {
		k := min(len(to), most)
		m := d.slab(f.sub.slab).Make(k)
		for i := range k {
			pos += keyLen
			size, next := int(byteAt(base, pos)), pos+1
			if size >= 0x80 || size > end-next {
				if size, next = d.size(pos, end); next < 0 {
					return -1
				}
			}
			e := plus(m, uintptr(i)*f.sub.size)
			to[i] = e
			if sub.special {
				pos = d.sub(sub, e, next, next+size, 0)
			} else {
				pos = d.message(sub, e, next, next+size)
			}
			if pos < 0 {
				return -1
			}
		}
		to = to[k:]
	}
	s.len += n
	return pos
}

// few is the number of strings that texts has room for before it knows how many there are.
const few = 16

// texts decodes a run of strings of the same field. The first ones of a list are put
// where the slab's next slice will be, and the slab advances past them.
func (d *decoder) texts(f *field, s *slice, pos, end int) int {
	x := d.slab(f.list)
	if s.cap > 0 || x.Off-x.Lo < few*stringSize {
		return d.countedTexts(f, s, pos, end)
	}
	base, key, keyLen := d.base, f.keyBits, int(f.keyLen)
	mask := uint64(1)<<(8*keyLen) - 1
	to := as[[few]string](plus(x.Chunk, x.Lo))
	n, again := 0, true
	for again && n < few {
		size := int(byteAt(base, pos))
		pos++
		if size >= 0x80 || size > end-pos {
			if size, pos = d.size(pos-1, end); pos < 0 {
				break
			}
		}
		if f.utf8 && !(size <= 16 && isShortASCII(base, pos, size)) && !isASCII(base, pos, size) && !d.valid(pos, size) {
			pos = d.fail(errUTF8(f.name))
			break
		}
		to[n] = d.stringAt(pos, size)
		n++
		pos += size
		if again = end-pos > keyLen && load64(base, pos)&mask == key; again {
			pos += keyLen
		}
	}
	x.Lo += uintptr(n) * stringSize // in any case: what is free has to be zero
	s.data, s.len, s.cap = pointerTo(to), n, n
	if pos < 0 || !again {
		return pos
	}
	return d.countedTexts(f, s, pos, end)
}

// countedTexts decodes a run of strings after it has counted them.
func (d *decoder) countedTexts(f *field, s *slice, pos, end int) int {
	n := d.run(f, pos, end)
	d.reserve(f, s, n)
	to := sliceAt[string](s.data, s.cap)[s.len:][:n]
	base := d.base
	for i := range to {
		size, next := d.size(pos, end)
		if next < 0 {
			return -1
		}
		if (size > 16 || !isShortASCII(base, next, size)) && f.utf8 && !d.valid(next, size) {
			return d.fail(errUTF8(f.name))
		}
		to[i] = d.stringAt(next, size)
		pos = next + size + int(f.keyLen)
	}
	s.len += n
	return pos - int(f.keyLen)
}

// bytesees decodes a run of bytes of the same field.
func (d *decoder) bytesees(f *field, s *slice, pos, end int) int {
	n := d.run(f, pos, end)
	d.reserve(f, s, n)
	to := sliceAt[[]byte](s.data, s.cap)[s.len:][:n]
	for i := range to {
		size, next := d.size(pos, end)
		if next < 0 {
			return -1
		}
		to[i] = d.bytesAt(next, size)
		pos = next + size + int(f.keyLen)
	}
	s.len += n
	return pos - int(f.keyLen)
}

// listed decodes one scalar of a list.
func (d *decoder) listed(f *field, s *slice, pos int) int {
	d.reserve(f, s, 1)
	pos = d.scalar(f.elemOp, plus(s.data, s.len*int(f.size)), pos)
	s.len++
	return pos
}

// scalar decodes one scalar. The position behind it may be behind the end of the
// message.
func (d *decoder) scalar(op op, p pointer, pos int) int {
	switch op {
	case opFixed32:
		*as[uint32](p) = load32(d.base, pos)
		return pos + 4
	case opFixed64:
		*as[uint64](p) = load64(d.base, pos)
		return pos + 8
	}
	x, next := d.number(pos)
	if next < 0 {
		return -1
	}
	switch op {
	case opVarint64:
		*as[uint64](p) = x
	case opVarint32:
		*as[uint32](p) = uint32(x)
	case opBool:
		*as[bool](p) = x != 0
	case opZigzag32:
		*as[int32](p) = int32(protowire.DecodeZigZag(x & 0xffffffff))
	case opZigzag64:
		*as[int64](p) = protowire.DecodeZigZag(x)
	}
	return next
}

// packed decodes scalars that stand in one value.
func (d *decoder) packed(f *field, s *slice, pos, end int) int {
	n, pos := d.size(pos, end)
	if pos < 0 || n == 0 {
		return pos
	}
	end = pos + n
	fixed := f.elemOp == opFixed32 || f.elemOp == opFixed64
	if !fixed {
		if byteAt(d.base, end-1) >= 0x80 { // the last one is cut off
			return -1
		}
		n = countVarints(d.base, pos, end)
	} else if n%int(f.size) != 0 {
		return -1
	} else {
		n /= int(f.size)
	}
	d.reserve(f, s, n)
	to := plus(s.data, s.len*int(f.size))
	switch {
	case fixed:
		size := n * int(f.size)
		copy(sliceAt[byte](to, size), sliceAt[byte](plus(d.base, pos), size))
		pos = end
	default:
		if pos = packedVarints(f.elemOp, d.base, to, n, pos, end); pos < 0 {
			return -1
		}
	}
	s.len += n
	return pos
}
