package amap

import (
	"math/bits"

	"lessgc/arena"
	"lessgc/internal/untyped"
)

// A table has the entries of a map that is or was too large to be searched one by one.
// It is a type of its own so that small maps need no memory for it.
type table[K comparable, V any] struct {
	a     *arena.Arena
	index []uint64 // open addressing: hash<<32 | number of entry + 1, or 0
	first segment[K, V]
	more  []segment[K, V] // each as large as all before it

	shift  uint8  // log2 of the number of entries in first
	hasher hasher // of K
	used   uint32 // entries that are or were in use
	live   uint32 // entries in use
	free   uint32 // number of a deleted entry + 1, or 0
	limit  uint32 // number of live entries at which the index grows
}

// A segment is part of a map's entries, in order of insertion.
type segment[K comparable, V any] struct {
	entries []entry[K, V]
	links   []uint32 // of deleted entries: the one deleted before, as free, + 1; nil if none ever was
}

const (
	minIndex   = 32
	maxEntries = 3 << 30 // an index of 1<<32 slots is full then
	moreSpace  = 4       // segments for which the first more has room
)

// newTable returns an empty table with room for hint entries.
func newTable[K comparable, V any](a *arena.Arena, h hasher, hint int) *table[K, V] {
	if uint64(hint) > maxEntries {
		panic("amap: a Map holds at most 3<<30 entries")
	}
	n := 1 << bits.Len(uint(hint-1))
	return makeTable(a, h, arena.MakeSlice[entry[K, V]](a, n, n), hint)
}

// makeTable returns an empty table whose first segment is entries, with an index for
// hint entries. The number of entries is a power of two.
func makeTable[K comparable, V any](a *arena.Arena, h hasher, entries []entry[K, V], hint int) *table[K, V] {
	t := arena.New[table[K, V]](a)
	t.a, t.hasher, t.first.entries = a, h, entries
	t.shift = uint8(bits.Len(uint(len(entries))) - 1)
	size := minIndex
	for size/4*3 < hint {
		size *= 2
	}
	t.setIndex(size)
	return t
}

// tableOf returns a table whose first entries are few, all of them in use.
func tableOf[K comparable, V any](a *arena.Arena, h hasher, few []entry[K, V]) *table[K, V] {
	t := makeTable(a, h, few, 2*len(few))
	t.used, t.live = uint32(len(few)), uint32(len(few))
	t.fill()
	return t
}

// setIndex gives the table an empty index of the given size, a power of two.
func (t *table[K, V]) setIndex(size int) {
	t.index = arena.MakeSlice[uint64](t.a, size, size)
	t.limit = uint32(size / 4 * 3)
}

// fill adds all entries to the index, which is empty.
func (t *table[K, V]) fill() {
	for i := range t.used {
		if seg, j := t.locate(i); !seg.deleted(j) {
			h := hashOf(t.hasher, seg.entries[j].key)
			t.index[t.freeSlot(h)] = uint64(h)<<32 | uint64(i+1)
		}
	}
}

// Rehash makes the index anew after pointers in keys were changed.
func (t *table[K, V]) Rehash(untyped.Moved) {
	if t.hasher == hashInteger {
		return
	}
	clear(t.index)
	t.fill()
}

// find returns the entry of k, which has hash h, and its slot in the index; or nil and
// the slot where it would be.
func (t *table[K, V]) find(k K, h uint32) (*entry[K, V], uint32) {
	index := t.index
	mask := uint32(len(index) - 1)
	for p := h & mask; int(p) < len(index); p = (p + 1) & mask {
		s := index[p]
		if s == 0 {
			return nil, p
		}
		if uint32(s>>32) != h {
			continue
		}
		if e := t.at(uint32(s) - 1); e.key == k {
			return e, p
		}
	}
	return nil, 0 // not reached: an index is never full
}

// at returns an entry by its number.
func (t *table[K, V]) at(i uint32) *entry[K, V] {
	if uint(i) < uint(len(t.first.entries)) {
		return &t.first.entries[i]
	}
	seg, j := t.far(i)
	return &seg.entries[j]
}

// far returns where the entry with number i is. It is in more.
func (t *table[K, V]) far(i uint32) (seg *segment[K, V], j uint32) {
	s := bits.Len32(i>>t.shift) - 1
	return &t.more[s], i - 1<<t.shift<<s
}

// locate returns the segment and the index of the entry with number i.
func (t *table[K, V]) locate(i uint32) (seg *segment[K, V], j uint32) {
	if i>>t.shift == 0 {
		return &t.first, i
	}
	return t.far(i)
}

// deleted reports whether entry j of the segment, which was in use, was deleted.
func (s *segment[K, V]) deleted(j uint32) bool {
	return uint(j) < uint(len(s.links)) && s.links[j] != 0
}

// ref returns a pointer to the value of k, which it adds if there is none.
func (t *table[K, V]) ref(k K) *V {
	h := hashOf(t.hasher, k)
	e, p := t.find(k, h)
	if e != nil {
		return &e.value
	}
	return t.add(k, h, p)
}

// add adds an entry for a key that is not there. The index is free at p.
func (t *table[K, V]) add(k K, h, p uint32) *V {
	if t.live == t.limit {
		t.growIndex()
		p = t.freeSlot(h)
	}
	i := t.take()
	t.index[p] = uint64(h)<<32 | uint64(i+1)
	t.live++
	e := t.at(i)
	e.key = k
	return &e.value
}

// take returns the number of an unused entry.
func (t *table[K, V]) take() uint32 {
	if t.free != 0 {
		i := t.free - 1
		seg, j := t.locate(i)
		t.free = seg.links[j] - 1
		seg.links[j] = 0
		return i
	}
	i := t.used
	if uint64(i) == uint64(1)<<t.shift<<len(t.more) {
		t.grow(int(i))
	}
	t.used++
	return i
}

// grow adds a segment of n entries.
func (t *table[K, V]) grow(n int) {
	if t.more == nil {
		t.more = arena.MakeSlice[segment[K, V]](t.a, 0, moreSpace)
	}
	t.more = arena.Append(t.a, t.more, segment[K, V]{entries: arena.MakeSlice[entry[K, V]](t.a, n, n)})
}

// freeSlot returns the first free slot of the index for a hash.
func (t *table[K, V]) freeSlot(h uint32) uint32 {
	mask := uint32(len(t.index) - 1)
	p := h & mask
	for t.index[p] != 0 {
		p = (p + 1) & mask
	}
	return p
}

// growIndex doubles the index. It does not look at keys: their hashes are in the old
// one.
func (t *table[K, V]) growIndex() {
	if t.limit == maxEntries {
		panic("amap: a Map holds at most 3<<30 entries")
	}
	old := t.index
	t.setIndex(2 * len(old))
	for _, s := range old {
		if s != 0 {
			t.index[t.freeSlot(uint32(s>>32))] = s
		}
	}
}

// delete removes the entry of k, if there is one.
func (t *table[K, V]) delete(k K) {
	if e, p := t.find(k, hashOf(t.hasher, k)); e != nil {
		t.drop(uint32(t.index[p]) - 1)
		t.close(p)
	}
}

// drop makes entry i one that is free.
func (t *table[K, V]) drop(i uint32) {
	seg, j := t.locate(i)
	if seg.links == nil {
		n := len(seg.entries)
		seg.links = arena.MakeSlice[uint32](t.a, n, n)
	}
	seg.entries[j] = entry[K, V]{}
	seg.links[j] = t.free + 1
	t.free = i + 1
	t.live--
}

// close frees slot p of the index and moves the ones behind it up, as far as their
// hashes allow, so that no search ends too early.
func (t *table[K, V]) close(p uint32) {
	mask := uint32(len(t.index) - 1)
	for q := (p + 1) & mask; t.index[q] != 0; q = (q + 1) & mask {
		home := uint32(t.index[q] >> 32)
		if (q-home)&mask >= (q-p)&mask {
			t.index[p] = t.index[q]
			p = q
		}
	}
	t.index[p] = 0
}

// clear removes all entries.
func (t *table[K, V]) clear() {
	clear(t.index)
	for left, i := t.used, -1; left > 0; i++ {
		seg := &t.first
		if i >= 0 {
			seg = &t.more[i]
		}
		n := min(left, uint32(len(seg.entries)))
		clear(seg.entries[:n])
		clear(seg.links)
		left -= n
	}
	t.used, t.live, t.free = 0, 0, 0
}

// all is [Map.All] from the entry with number from on.
func (t *table[K, V]) all(from uint32, yield func(K, V) bool) {
	for i, n := from, t.used; i < min(n, t.used); i++ {
		seg, j := t.locate(i)
		if e := &seg.entries[j]; !seg.deleted(j) && !yield(e.key, e.value) {
			return
		}
	}
}
