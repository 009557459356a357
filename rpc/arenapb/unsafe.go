package arenapb

import (
	"math/bits"
	"unsafe"
)

// This file holds what the package does with package unsafe: TestUnsafe of package
// importrules pins that no other file imports it, TestInlined that what is here costs
// no call. The input is a base address and positions in it, never a moving pointer:
// one that stands behind the last byte would be a pointer to something else.

// A pointer is the address of a value of any type, which it keeps alive. Other files
// hold pointers and hand them on; what is there they read and write with the functions
// below.
type pointer = unsafe.Pointer

const (
	wordSize   = unsafe.Sizeof(uintptr(0))
	stringSize = unsafe.Sizeof("")
)

// sizeOf returns the size of a T, in bytes.
func sizeOf[T any]() uintptr { return unsafe.Sizeof(*new(T)) }

// pointerTo returns the address of *p.
func pointerTo[T any](p *T) pointer { return unsafe.Pointer(p) }

// plus returns the address n bytes behind p, in the same value or input.
func plus[N int | int32 | uint8 | uint32 | uintptr](p pointer, n N) pointer { return unsafe.Add(p, n) }

// as returns the T at p. For messages the table says which type a field has, and is
// made from what package reflect says of the message; in the input, and where values
// of it are stored, T has no pointers.
func as[T any](p pointer) *T { return (*T)(p) }

// sliceAt returns the n elements at p, with the guarantee of as.
func sliceAt[T any, N int | uintptr](p pointer, n N) []T { return unsafe.Slice((*T)(p), n) }

// textAt returns the n bytes at p as a string. They are not written any more.
func textAt(p pointer, n int) string { return unsafe.String((*byte)(p), n) }

// mapIn returns the map of which a message has the pointer m. Map variables are one
// pointer: rule 18 of docs/memory-model.md.
func mapIn[K comparable, V any](m pointer) map[K]V { return *(*map[K]V)(unsafe.Pointer(&m)) }

// dataOf returns the address of the array of s.
func dataOf[T any](s []T) pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// textOf returns b, which is not written any more, as a string.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s, which must not be written to.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// A slice is a slice of any type, as the runtime lays it out.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// An iface is an interface value with methods, as the runtime lays it out: the
// method table, which is never collected, and the data.
type iface struct {
	tab  unsafe.Pointer
	data unsafe.Pointer
}

// isZero reports whether a struct with pointers, and so a multiple of their size,
// is zero. It says no for a large one without looking.
func isZero(p unsafe.Pointer, size uintptr) bool {
	const large = 256
	if size > large {
		return false
	}
	for i := uintptr(0); i+8 <= size; i += 8 {
		if *(*uint64)(unsafe.Add(p, i)) != 0 {
			return false
		}
	}
	return size%8 == 0
}

func byteAt(base unsafe.Pointer, pos int) byte { return *(*byte)(unsafe.Add(base, pos)) }

func load32(base unsafe.Pointer, pos int) uint32 { return *(*uint32)(unsafe.Add(base, pos)) }

func load64(base unsafe.Pointer, pos int) uint64 { return *(*uint64)(unsafe.Add(base, pos)) }

// stringAt returns n bytes of the input, without a copy.
func stringAt(base unsafe.Pointer, pos, n int) string {
	if n == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Add(base, pos)), n)
}

// bytesAt is stringAt for bytes. They have no room behind them: append copies.
func bytesAt(base unsafe.Pointer, pos, n int) []byte {
	if n == 0 {
		return noBytes[:]
	}
	return unsafe.Slice((*byte)(unsafe.Add(base, pos)), n)
}

var noBytes [0]byte

const highBits = 0x8080808080808080

// varint decodes the varint at pos, which is not behind the input. It returns the
// position behind it, or -1 if it does not fit into 64 bits. That may be behind
// the input: the caller has to look.
func varint(base unsafe.Pointer, pos int) (x uint64, next int) {
	x = load64(base, pos)
	stop := ^x & highBits
	x &= (stop ^ (stop - 1)) &^ highBits // with stop 0 that is all
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
	if stop != 0 {
		return x, pos + (bits.TrailingZeros64(stop)+1)/8
	}
	b := uint64(byteAt(base, pos+8))
	x |= b << 56 // its top bit is replaced or 0
	if b < 0x80 {
		return x, pos + 9
	}
	if b = uint64(byteAt(base, pos+9)); b > 1 {
		return 0, -1
	}
	return x&^(1<<63) | b<<63, pos + 10
}

// isShortASCII reports whether none of up to 16 bytes has its top bit set.
func isShortASCII(base unsafe.Pointer, pos, n int) bool {
	x := load64(base, pos)
	if n > 8 {
		x |= load64(base, pos+n-8)
	} else {
		x <<= 64 - 8*uint(n)
	}
	return x&highBits == 0
}

// isASCII is isShortASCII for 16 to 32 bytes; of others it knows nothing and says no.
func isASCII(base unsafe.Pointer, pos, n int) bool {
	x := load64(base, pos) | load64(base, pos+8)
	last := pos + n
	return n >= 16 && n <= 32 && (x|load64(base, last-16)|load64(base, last-8))&highBits == 0
}

// countVarints returns how many varints end in [pos, end).
func countVarints(base unsafe.Pointer, pos, end int) int {
	n := 0
	if whole := (end - pos) &^ 15; hasPairs && whole >= 64 {
		n = lowTops(unsafe.Add(base, pos), whole)
		pos += whole
	}
	for ; end-pos >= 8; pos += 8 {
		n += bits.OnesCount64(^load64(base, pos) & highBits)
	}
	return n + bits.OnesCount64(^load64(base, pos)&(highBits>>(64-8*uint(end-pos))))
}

// varint writes x. There is room.
func (e *encoder) varint(x uint64) {
	if x < 0x80 {
		e.pos--
		*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(e.buf)), e.pos)) = byte(x)
		return
	}
	n := (bits.Len64(x) + 6) / 7
	e.pos -= n
	to := e.buf[e.pos:][:n]
	for i := range to[1:] {
		to[i] = byte(x) | 0x80
		x >>= 7
	}
	to[n-1] = byte(x)
}

// key writes the key of f. There is room.
func (e *encoder) key(f *out) {
	e.pos -= int(f.keyLen)
	to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(e.buf)), e.pos)
	switch f.keyLen {
	case 1:
		*(*byte)(to) = byte(f.keyBits)
	case 2:
		*(*uint16)(to) = uint16(f.keyBits)
	default:
		for i := range int(f.keyLen) {
			*(*byte)(unsafe.Add(to, i)) = byte(f.keyBits >> (8 * i))
		}
	}
}

// putIn is put for a key of type K, or the same in memory.
func putIn[K comparable](e *entry, m pointer, key K, val *part) {
	p := unsafe.Pointer(&m)
	switch e.val.op {
	case opMessage:
		(*(*map[K]pointer)(p))[key] = val.msg
	case opString:
		(*(*map[K]string)(p))[key] = val.str
	case opBytes:
		(*(*map[K][]byte)(p))[key] = val.bytes
	case opBool:
		(*(*map[K]bool)(p))[key] = *(*bool)(unsafe.Pointer(&val.bits))
	case opVarint32, opZigzag32, opFixed32:
		(*(*map[K]uint32)(p))[key] = uint32(val.bits)
	default:
		(*(*map[K]uint64)(p))[key] = val.bits
	}
}
