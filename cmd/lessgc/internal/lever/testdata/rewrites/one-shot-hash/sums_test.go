package sums

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"strings"
	"testing"
)

func TestSums(t *testing.T) {
	b := []byte("hello, world")
	check := func(name string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	want := sha256.Sum256(b)
	for range 2 {
		got := key(b)
		check("key", got, want[:])
		check("room", cap(got), 32)
		got[0]++ // is seen by nobody else
	}
	check("etag", etag("x"), "9dd4e461268c8034f5c8564e155c67a6")
	check("accept", accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
	wide := sha512.Sum512([]byte("[a b]"))
	check("prefix", prefix("a", "b"), fmt.Sprintf("%x", wide[:8]))
	sum := sha1.Sum(b)
	_, last := first(b)
	check("last", last, sum[19])
	check("checksum", checksum(b), crc32.ChecksumIEEE(b))
	x, y, z := checksums(b)
	check("checksums", []uint32{x, y, z}, []uint32{crc32.Checksum(b[1:], castagnoli), crc32.Checksum(b, crc32.MakeTable(crc32.Koopman)), adler32.Checksum(b)})
	text, id := revision("x")
	check("revision", text+fmt.Sprintf("%x", id[:4]), "c52a2984abaafd7c3b516503785c207211f6ad8e")
	if cap(stored("x")[0]) != 24 {
		t.Error(cap(stored("x")[0]))
	}
	if number(b) == 0 || number(nil) != 0 {
		t.Error(number(b))
	}
}

func TestOthers(t *testing.T) {
	b := []byte("hello, world")
	want := sha256.Sum256(b)
	if got := two(b[:5], b[5:]); !bytes.Equal(got, want[:]) {
		t.Error(got)
	}
	if sum, err := checked(b); err != nil || !bytes.Equal(sum, want[:]) {
		t.Error(sum, err)
	}
	if sum, err := enforced(b); err != nil || len(sum) != 16 {
		t.Error(sum, err)
	}
	if sum, what := named(b); what != "" || !bytes.Equal(sum, want[:]) {
		t.Error(sum, what)
	}
	if sum, err := unchecked(b); err != nil || sum != nil {
		t.Error(sum, err)
	}
	if sum, err := tried(b); err != nil || !bytes.Equal(sum, want[:]) {
		t.Error(sum, err)
	}
	all := sums(b, 2)
	all[0][0]++
	if !bytes.Equal(all[1], want[:]) {
		t.Error("one memory for two sums")
	}
	f := later(b)
	f()[0]++
	if !bytes.Equal(f(), want[:]) {
		t.Error("one memory for two sums")
	}
	if got := each(b); len(got) != 65 || cap(withRoom(b)) != 24 || cut(b) != 32 || len(extended(b)) != 22 {
		t.Error(got)
	}
	if got := appended([]byte("x"), b); got[0] != 'x' || !bytes.Equal(got[1:], want[:]) {
		t.Error(got)
	}
	if n, sum := written(b); n != len(b) || !bytes.Equal(sum, want[:]) {
		t.Error(n, sum)
	}
	if !bytes.Equal(sometimes(b, true), want[:]) || bytes.Equal(sometimes(b, false), want[:]) {
		t.Error("sometimes")
	}
	if sum, err := reader(strings.NewReader(string(b))); err != nil || !bytes.Equal(sum, want[:]) {
		t.Error(sum, err)
	}
	if bytes.Equal(changed(b), want[:]) || !bytes.Equal(secret(b), want[:]) || len(again(b)) != 34 {
		t.Error("changed")
	}
	if h, sum := kept(b); !bytes.Equal(h.Sum(nil), sum) {
		t.Error(sum)
	}
	if shadowed("x") == etag("x") || table(b) != crc32.Checksum(b, castagnoli) || !bytes.Equal(ownBytes(string(b)), want[:]) {
		t.Error("names")
	}
	if _, err := bounded(b, 40); err == nil || err.(error).Error() != "runtime error: slice bounds out of range [:40] with capacity 32" {
		t.Error(err)
	}
}
