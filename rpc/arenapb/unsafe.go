package arenapb

import (
	"math/bits"
	"unsafe"
)

// This file and decode.go hold what the package does with package unsafe. The
// input is a base address and positions in it, never a moving pointer: one that
// stands behind the last byte would be a pointer to something else.

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

// varint decodes the varint at pos, which must not be behind limit. It returns
// the position behind it, or -1 if it is cut off or does not fit into 64 bits.
func varint(base unsafe.Pointer, pos, limit int) (uint64, int) {
	if limit-pos >= 8 {
		x := load64(base, pos)
		if stop := ^x & highBits; stop != 0 {
			x &= stop ^ (stop - 1)
			x &^= highBits
			x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
			x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
			x = x&0x000000000fffffff | x&0x0fffffff00000000>>4
			return x, pos + (bits.TrailingZeros64(stop)+1)/8
		}
	}
	return longVarint(base, pos, limit)
}

// longVarint is varint byte by byte.
func longVarint(base unsafe.Pointer, pos, limit int) (uint64, int) {
	var x uint64
	for shift := uint(0); shift < 64 && pos < limit; shift += 7 {
		b := byteAt(base, pos)
		pos++
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if shift == 63 && b > 1 {
				return 0, -1
			}
			return x, pos
		}
	}
	return 0, -1
}

// isASCII reports whether none of n bytes has its top bit set.
func isASCII(base unsafe.Pointer, pos, n int) bool {
	if n < 8 {
		var all byte
		for i := range n {
			all |= byteAt(base, pos+i)
		}
		return all < 0x80
	}
	last := pos + n - 8
	all := load64(base, last)
	for ; pos < last; pos += 8 {
		all |= load64(base, pos)
	}
	return all&highBits == 0
}

// countVarints returns how many varints end in [pos, end).
func countVarints(base unsafe.Pointer, pos, end int) int {
	n := 0
	for ; end-pos >= 8; pos += 8 {
		n += bits.OnesCount64(^load64(base, pos) & highBits)
	}
	for ; pos < end; pos++ {
		if byteAt(base, pos) < 0x80 {
			n++
		}
	}
	return n
}
