package arenapb

import (
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"

	"lessgc/internal/untyped"
)

// maxRun bounds the memory of messages that are made at once, in bytes.
const maxRun = 32 << 10

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
	to := slab.Make(want)
	if s.len > 0 {
		switch f.op {
		case opMessages, opGroups:
			copy(unsafe.Slice((*unsafe.Pointer)(to), s.len), unsafe.Slice((*unsafe.Pointer)(s.data), s.len))
		case opStrings:
			copy(unsafe.Slice((*string)(to), s.len), unsafe.Slice((*string)(s.data), s.len))
		case opBytesees:
			copy(unsafe.Slice((*[]byte)(to), s.len), unsafe.Slice((*[]byte)(s.data), s.len))
		default:
			size := s.len * int(f.size)
			copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(s.data), size))
		}
	}
	s.data, s.cap = to, want
}

// run counts the values with a length that stand one behind the other with the
// same key, from the one whose key is at start and whose length is at pos.
func (d *decoder) run(start, pos, end int) int {
	keyLen := pos - start
	key := byteAt(d.base, start)
	n := 1
	for {
		size, next := d.size(pos, end)
		if next < 0 {
			break
		}
		pos = next + size
		if end-pos <= keyLen || byteAt(d.base, pos) != key || keyLen > 1 && stringAt(d.base, pos, keyLen) != stringAt(d.base, start, keyLen) {
			break
		}
		pos += keyLen
		n++
	}
	return n
}

// messages decodes a run of messages of the same field.
func (d *decoder) messages(f *field, s *slice, start, pos, end, depth int) int {
	keyLen := pos - start
	sub := f.sub
	n := d.run(start, pos, end)
	d.reserve(f, s, n)
	var block unsafe.Pointer
	left := 0 // messages in it
	for i := range n {
		if i > 0 {
			pos += keyLen
		}
		size, next := d.size(pos, end)
		if next < 0 {
			return -1
		}
		if left == 0 {
			left = min(n-i, max(1, maxRun/int(max(1, sub.size))))
			block = d.slab(sub.slab).Make(left)
		}
		left--
		e := unsafe.Add(block, uintptr(left)*sub.size)
		*(*unsafe.Pointer)(unsafe.Add(s.data, s.len*ptrSize)) = e
		s.len++
		if pos = d.sub(sub, e, next, next+size, depth); pos < 0 {
			return -1
		}
	}
	return pos
}

// texts decodes a run of strings or bytes of the same field.
func (d *decoder) texts(f *field, s *slice, start, pos, end int) int {
	keyLen := pos - start
	n := d.run(start, pos, end)
	d.reserve(f, s, n)
	for i := range n {
		if i > 0 {
			pos += keyLen
		}
		size, next := d.size(pos, end)
		if next < 0 {
			return -1
		}
		if f.utf8 && !d.valid(next, size) {
			return d.fail(errUTF8(f.name))
		}
		if f.op == opStrings {
			*(*string)(unsafe.Add(s.data, uintptr(s.len)*unsafe.Sizeof(""))) = stringAt(d.base, next, size)
		} else {
			*(*[]byte)(unsafe.Add(s.data, uintptr(s.len)*unsafe.Sizeof([]byte{}))) = bytesAt(d.base, next, size)
		}
		s.len++
		pos = next + size
	}
	return pos
}

// listed decodes one scalar of a list.
func (d *decoder) listed(f *field, s *slice, pos, end int) int {
	d.reserve(f, s, 1)
	pos = d.scalar(f.elemOp, unsafe.Add(s.data, s.len*int(f.size)), pos, end)
	if pos >= 0 {
		s.len++
	}
	return pos
}

// scalar decodes one scalar.
func (d *decoder) scalar(op op, p unsafe.Pointer, pos, end int) int {
	switch op {
	case opFixed32:
		if end-pos < 4 {
			return -1
		}
		*(*uint32)(p) = load32(d.base, pos)
		return pos + 4
	case opFixed64:
		if end-pos < 8 {
			return -1
		}
		*(*uint64)(p) = load64(d.base, pos)
		return pos + 8
	}
	x, next := d.number(pos, end)
	if next < 0 {
		return -1
	}
	switch op {
	case opVarint64:
		*(*uint64)(p) = x
	case opVarint32:
		*(*uint32)(p) = uint32(x)
	case opBool:
		*(*bool)(p) = x != 0
	case opZigzag32:
		*(*int32)(p) = int32(protowire.DecodeZigZag(x & 0xffffffff))
	case opZigzag64:
		*(*int64)(p) = protowire.DecodeZigZag(x)
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
		n = countVarints(d.base, pos, end)
	} else if n%int(f.size) != 0 {
		return -1
	} else {
		n /= int(f.size)
	}
	d.reserve(f, s, n)
	to := unsafe.Add(s.data, s.len*int(f.size)) // n may be 0 if the last varint is cut off
	switch {
	case n == 0:
		return -1
	case fixed:
		size := n * int(f.size)
		copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(unsafe.Add(d.base, pos)), size))
		pos = end
	case f.elemOp == opVarint64:
		for i := range n {
			x, next := d.number(pos, end)
			if next < 0 {
				return -1
			}
			*(*uint64)(unsafe.Add(to, i*8)) = x
			pos = next
		}
	default:
		for i := range n {
			if pos = d.scalar(f.elemOp, unsafe.Add(to, i*int(f.size)), pos, end); pos < 0 {
				return -1
			}
		}
	}
	if pos != end { // the last one is cut off
		return -1
	}
	s.len += n
	return pos
}
