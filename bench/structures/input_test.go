package structures

import "math/bits"

// A random is a fixed sequence: splitmix64.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// randomKeys returns n keys other than 0, in random order.
func randomKeys(n int) []uint64 {
	r := random(1)
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = r.next() | 1
	}
	return keys
}

// randomWords returns n distinct words of 3 to 14 letters.
func randomWords(n int) []string {
	r := random(2)
	seen := make(map[string]bool, n)
	words := make([]string, 0, n)
	for len(words) < n {
		b := make([]byte, 3+r.below(12))
		for i := range b {
			b[i] = byte('a' + r.below(26))
		}
		if word := string(b); !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

func insertAt[T any](s []T, i int, v T) {
	copy(s[i+1:], s[i:])
	s[i] = v
}
