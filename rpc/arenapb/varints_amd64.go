//go:build !purego

package arenapb

// hasPairs reports whether pairs32 and pairs64 may be called: all processors since 2006 or 2011
// (AMD) have what they need.
var hasPairs = hasSSSE3()

func hasSSSE3() bool

// pairs32 and pairs64 decode varints of one and two bytes, eight bytes of input at a time, as long
// as at least 8 of the n varints are left and none that begins in these bytes is longer. The byte in
// front of from has to be the last one of a varint, such as that of the list's length. They return how
// many varints they have decoded and how many bytes those take up. They write behind what they
// have decoded, but not behind n, and read up to 15 bytes at from and behind.
//
// What is in eight bytes depends on the byte in front of these alone, so that nothing waits for the
// lengths of the varints before.
//
//go:noescape
func pairs32(to, from pointer, n int) (done, size int)

//go:noescape
func pairs64(to, from pointer, n int) (done, size int)

// lowTops returns how many of n bytes, a multiple of 16, have no top bit.
//
//go:noescape
func lowTops(from pointer, n int) int

// shuffles has, by the top bits of the byte in front of a window and of its eight bytes, from the lowest
// on, which bytes the varints that begin there are made of, counted from the one in front;
// begins has how many they are.
//
//lint:ignore U1000 varints_amd64.s reads them
var shuffles, begins = func() (shuffles [512][16]uint8, begins [512]uint8) {
	for tops := range 512 {
		n := 0
		for at := 1; at <= 8; at++ {
			if tops>>(at-1)&1 != 0 {
				continue // the second byte of a varint
			}
			shuffles[tops][2*n], shuffles[tops][2*n+1] = uint8(at), 0x80
			if tops>>at&1 != 0 {
				shuffles[tops][2*n+1] = uint8(at + 1)
			}
			n++
		}
		begins[tops] = uint8(n)
		for i := 2 * n; i < 16; i++ {
			shuffles[tops][i] = 0x80
		}
	}
	return shuffles, begins
}()

// pairs is pairs32 or pairs64.
func pairs[T uint32 | uint64](to, from pointer, n int) (done, size int) {
	if sizeOf[T]() == 4 {
		return pairs32(to, from, n)
	}
	return pairs64(to, from, n)
}
