package structures

import (
	"hash/maphash"
	"strings"
	"unsafe"
)

type internEntry struct {
	hash uint64
	text string
	next *internEntry
}

type internInput struct {
	words []string
	seed  maphash.Seed
}

// newInternInput returns n words, of which a tenth are distinct, out of one
// long text.
func newInternInput(n int) *internInput {
	r := random(4)
	distinct := randomWords(n / 10)
	words := make([]string, n)
	for i := range words {
		words[i] = strings.Clone(distinct[r.below(len(distinct))])
	}
	return &internInput{words, maphash.MakeSeed()}
}

func (in *internInput) size() int { return len(in.words) }

func (in *internInput) hash(word string) uint64 { return maphash.String(in.seed, word) }

func (e *internEntry) find(hash uint64, word string) *internEntry {
	for ; e != nil; e = e.next {
		if e.hash == hash && e.text == word {
			return e
		}
	}
	return nil
}

func rehash(to, from []*internEntry) {
	for _, e := range from {
		for e != nil {
			next := e.next
			b := &to[e.hash&uint64(len(to)-1)]
			e.next, *b = *b, e
			e = next
		}
	}
}

func sumTexts(out []string, n int) uint64 {
	sum := uint64(n)
	for i, s := range out {
		sum += uint64(i) * uint64(len(s)+int(s[0])+int(s[len(s)-1]))
	}
	return sum
}

// heapIntern is the same with the map of the language.
func heapIntern(in *internInput) func() uint64 {
	return func() uint64 {
		m := map[string]string{}
		out := make([]string, len(in.words))
		for i, word := range in.words {
			text, ok := m[word]
			if !ok {
				text = strings.Clone(word)
				m[text] = text
			}
			out[i] = text
		}
		return sumTexts(out, len(m))
	}
}

// A internPlace is an entry; next is its place plus one, or 0.
type internPlace struct {
	hash     uint64
	from, to uint32
	next     uint32
}

// handIntern has all texts in one slice, and a table that is large enough.
func handIntern(in *internInput) func() uint64 {
	var entries []internPlace
	var text []byte
	buckets := make([]uint32, 8)
	out := make([]string, len(in.words))
	return func() uint64 {
		entries, text = entries[:0], text[:0]
		clear(buckets)
	words:
		for i, word := range in.words {
			hash := in.hash(word)
			b := &buckets[hash&uint64(len(buckets)-1)]
			for at := *b; at != 0; {
				e := &entries[at-1]
				if s := text[e.from:e.to]; e.hash == hash && string(s) == word {
					out[i] = unsafe.String(unsafe.SliceData(s), len(s))
					continue words
				}
				at = e.next
			}
			if len(entries) == len(buckets) {
				buckets = make([]uint32, 2*len(buckets))
				for at := range entries {
					e := &entries[at]
					b := &buckets[e.hash&uint64(len(buckets)-1)]
					e.next, *b = *b, uint32(at+1)
				}
				b = &buckets[hash&uint64(len(buckets)-1)]
			}
			from := len(text)
			text = append(text, word...)
			entries = append(entries, internPlace{hash, uint32(from), uint32(len(text)), *b})
			*b = uint32(len(entries))
			out[i] = unsafe.String(&text[from], len(word))
		}
		return sumTexts(out, len(entries))
	}
}
