//go:build linux || darwin

package arenapb

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestVarints decodes lists of all kinds of lengths, which end Slack bytes in front of memory that cannot be
// read, and looks at what is behind the values.
func TestVarints(t *testing.T) {
	page := syscall.Getpagesize()
	mem, err := syscall.Mmap(-1, 0, 4*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(mem)
	if err := syscall.Mprotect(mem[3*page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	room := mem[:3*page]
	r := rand.New(rand.NewPCG(7, 8))
	most := []int{1, 2, 2, 2, 3, 10} // bytes of a varint
	for try := range 60_000 {
		n := 1 + r.IntN(40)
		longest := most[try%len(most)]
		var in []byte
		var want []uint64
		for range n {
			size := 1 + r.IntN(longest)
			if r.IntN(20) == 0 {
				size = 1 + r.IntN(10)
			}
			x := r.Uint64() >> (64 - min(64, 7*size))
			encoded := protowire.AppendVarint(nil, x)
			for len(encoded) < size { // longer than it has to be
				encoded[len(encoded)-1] |= 0x80
				encoded = append(encoded, 0)
			}
			in, want = append(in, encoded...), append(want, x)
		}
		at := len(room) - Slack - len(in)
		for i := range Slack {
			room[at+len(in)+i] = byte(r.Uint32())
		}
		room[at-1] = 0x7f & byte(r.Uint32())
		copy(room[at:], in)
		base := unsafe.Pointer(unsafe.SliceData(room))
		if got := countVarints(base, at, at+len(in)); got != n {
			t.Fatalf("%x: %d varints, want %d", in, got, n)
		}
		const mark = 0xabcdef0123456789
		got64, got32 := make([]uint64, n+1), make([]uint32, n+1)
		got64[n], got32[n] = mark, mark>>32
		end64 := packedVarints(opVarint64, base, unsafe.Pointer(unsafe.SliceData(got64)), n, at, at+len(in))
		end32 := packedVarints(opVarint32, base, unsafe.Pointer(unsafe.SliceData(got32)), n, at, at+len(in))
		if end64 != at+len(in) || end32 != at+len(in) {
			t.Fatalf("%x: they end %d and %d bytes behind", in, end64-at-len(in), end32-at-len(in))
		}
		if got64[n] != mark || got32[n] != mark>>32 {
			t.Fatalf("%x: something was written behind %d values", in, n)
		}
		if !slices.Equal(got64[:n], want) {
			t.Fatalf("%x: %v, want %v", in, got64[:n], want)
		}
		for i, x := range want {
			if got32[i] != uint32(x) {
				t.Fatalf("%x: value %d with 32 bits is %d, want %d", in, i, got32[i], uint32(x))
			}
		}
	}
}

// TestCountVarints counts in long lists: 255 times 16 bytes are counted at once.
func TestCountVarints(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	in := make([]byte, 10_000+Slack)
	for _, n := range []int{0, 1, 15, 63, 64, 65, 79, 80, 4079, 4080, 4081, 4096, 8159, 8160, 8161, 9000} {
		for _, tops := range []byte{0, 0x80, 0xff} { // none, all, some
			want := 0
			for i := range in {
				switch in[i] = byte(r.Uint32()); tops {
				case 0:
					in[i] &= 0x7f
				case 0x80:
					in[i] |= 0x80
				}
				if i >= 7 && i < 7+n && in[i] < 0x80 {
					want++
				}
			}
			if got := countVarints(unsafe.Pointer(unsafe.SliceData(in)), 7, 7+n); got != want {
				t.Errorf("%d bytes: %d, want %d", n, got, want)
			}
		}
	}
}
