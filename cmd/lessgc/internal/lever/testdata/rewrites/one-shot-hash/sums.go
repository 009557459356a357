// Package sums hashes bytes that are all there.
package sums

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
	"os"
)

func key(b []byte) []byte {
	h := sha256.New()
	h.Write(b) // rewritten
	return h.Sum(nil)
}

func etag(name string) string {
	h := md5.New()
	io.WriteString(h, name)               // rewritten
	return hex.EncodeToString(h.Sum(nil)) // in hexadecimal
}

func accept(challenge string) string {
	// The accept key of a WebSocket.
	h := sha1.New()
	_, _ = h.Write([]byte(challenge + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) // rewritten
	sum := h.Sum(nil)
	return base64.StdEncoding.EncodeToString(sum)
}

func prefix(parts ...string) string {
	hasher := sha512.New()
	text := fmt.Sprint(parts)
	hasher.Write([]byte(text)) // rewritten
	return fmt.Sprintf("%x", hasher.Sum(nil)[:8])
}

func first(b []byte) (n uint32, last byte) {
	h := sha256.New224()
	h.Write(b) // rewritten
	for i, x := range h.Sum(nil) {
		n += uint32(i) * uint32(x)
	}
	g := sha1.New()
	g.Write(b) // rewritten
	return n, g.Sum(nil)[19]
}

func number(b []byte) uint64 {
	if len(b) > 0 {
		h := sha1.New()
		h.Write(b) // rewritten
		return binary.BigEndian.Uint64(h.Sum(nil))
	}
	return 0
}

func checksum(b []byte) uint32 {
	h := crc32.NewIEEE()
	h.Write(b) // rewritten
	return h.Sum32()
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksums(b []byte) (x, y, z uint32) {
	h := crc32.New(castagnoli)
	h.Write(b[1:]) // rewritten
	x = h.Sum32()
	i := crc32.New(crc32.MakeTable(crc32.Koopman))
	i.Write(b) // rewritten
	y = i.Sum32()
	a := adler32.New()
	a.Write(b) // rewritten
	if x != y {
		z = a.Sum32()
	}
	return x, y, z
}

func two(a, b []byte) []byte {
	h := sha256.New()
	h.Write(a) // refused: it is written to twice
	h.Write(b)
	return h.Sum(nil)
}

func sums(b []byte, n int) (all [][]byte) {
	h := sha256.New()
	h.Write(b) // refused: each sum has its own memory
	for range n {
		all = append(all, h.Sum(nil))
	}
	return all
}

func later(b []byte) func() []byte {
	h := sha256.New()
	h.Write(b) // refused: each call returns another slice
	return func() []byte { return h.Sum(nil) }
}

func each(b []byte) (out []byte) {
	h := sha256.New()
	h.Write(b) // refused: each round of the loop asks for a sum
	for sum := h.Sum(nil); len(out) < 64; sum = append(sum, 0) {
		out = append(out, sum...)
	}
	return out
}

func withRoom(b []byte) []byte {
	h := sha1.New()
	h.Write(b) // refused: the slice of 20 bytes has room for 24
	return h.Sum(nil)
}

func cut(b []byte) (room int) {
	h := sha256.New224()
	h.Write(b) // refused: capacity of 32 bytes is asked for
	sum := h.Sum(nil)
	return cap(sum)
}

func extended(b []byte) []byte {
	h := sha1.New()
	h.Write(b) // refused: it is cut beyond its end
	return append([]byte(nil), h.Sum(nil)[:22]...)
}

func appended(dst, b []byte) []byte {
	h := sha256.New()
	h.Write(b) // refused: the sum is appended
	return h.Sum(dst)
}

func written(b []byte) (n int, sum []byte) {
	h := sha256.New()
	n, _ = h.Write(b) // refused: the number of bytes is used
	return n, h.Sum(nil)
}

func sometimes(b []byte, salted bool) []byte {
	h := sha256.New()
	if salted {
		h.Write(b) // refused: it is not always written to
	}
	return h.Sum(nil)
}

func reader(r io.Reader) ([]byte, error) {
	h := sha256.New() // refused: what is read is not there yet
	if _, err := io.Copy(h, r); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

func changed(b []byte) (sum []byte) {
	h := sha256.New()
	sum = h.Sum(nil)
	h.Write(b) // refused: the sum is asked for before
	return sum
}

func kept(b []byte) (hash.Hash, []byte) {
	h := sha256.New()
	h.Write(b) // refused: the caller gets the hash
	return h, h.Sum(nil)
}

func secret(b []byte) (sum []byte) {
	h := sha256.New() // #nosec // refused: a comment would go
	h.Write(b)
	sum = h.Sum(nil)
	return sum
}

func again(b []byte) []byte {
	i := 0
	h := sha256.New()
	h.Write(b) // refused: a label is jumped over
	sum := h.Sum(nil)
next:
	if i++; i < 3 {
		sum = append(sum, byte(i))
		goto next
	}
	return sum
}

func shadowed(name string) string {
	h := md5.New()
	md5 := "prefix " + name
	io.WriteString(h, md5) // refused: the name of the package means something else
	return hex.EncodeToString(h.Sum(nil))
}

func table(b []byte) uint32 {
	t := castagnoli
	h := crc32.New(t)
	h.Write(chosen(&t, b)) // refused: another table is chosen
	return h.Sum32()
}

func chosen(t **crc32.Table, b []byte) []byte {
	*t = crc32.IEEETable
	return b
}

func ownBytes(s string) []byte {
	type byte = uint8
	h := sha256.New()
	io.WriteString(h, s) // refused: byte is another type, as far as the name says
	return h.Sum(nil)
}

func bounded(b []byte, n int) (sum []byte, err any) {
	defer func() { err = recover() }()
	h := sha256.New()
	h.Write(b) // rewritten
	return h.Sum(nil)[:n], nil
}

func revision(content string) (string, []byte) {
	h := sha1.New()
	io.WriteString(h, content) // rewritten
	id := h.Sum(nil)
	var room [64]byte
	copy(room[:], id)
	return fmt.Sprintf("%x", id[4:]), append(room[:0], id...)
}

func stored(content string) [][]byte {
	h := sha1.New()
	io.WriteString(h, content) // refused: the slice is kept, with its room
	id := h.Sum(nil)
	return [][]byte{id}
}

func checked(b []byte) (sum []byte, err error) {
	// rewritten
	h := sha256.New()
	if _, err := h.Write(b); err != nil {
		return nil, fmt.Errorf("hash: %w", os.NewSyscallError("write", err))
	}
	return h.Sum(nil), nil
}

func enforced(b []byte) ([]byte, error) {
	// refused: it fails where only FIPS 140 is allowed
	h := md5.New()
	if _, err := h.Write(b); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

func named(b []byte) ([]byte, string) {
	what := "hash"
	// refused: the variable would not be used
	h := sha256.New()
	if _, err := h.Write(b); err != nil {
		return nil, what
	}
	return h.Sum(nil), ""
}

func unchecked(b []byte) ([]byte, error) {
	// refused: it returns if there is no error
	h := sha256.New()
	if _, err := h.Write(b); err == nil {
		return nil, nil
	}
	return h.Sum(nil), nil
}

func tried(b []byte) (sum []byte, err error) {
	// refused: the error is that of the function
	h := sha256.New()
	if _, err = h.Write(b); err != nil {
		return nil, err
	}
	return h.Sum(nil), err
}

func ifWanted(b []byte, want bool) string {
	h := md5.New()
	h.Write(b) // refused: md5.Sum fails where only FIPS 140 is allowed, also if no sum is wanted
	if want {
		return hex.EncodeToString(h.Sum(nil))
	}
	return ""
}
