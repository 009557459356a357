package arena

import (
	"iter"
	"math/bits"
)

// A Map is a hash map that lives in an arena: all of its memory is from there,
// and ends with it. The collector knows every pointer in it, so that keys and
// values may point to the heap. The zero Map is empty, ready to use and on the
// heap.
//
// A Map is used as the built-in one: keys that are not equal to themselves,
// such as NaN, can be added but never found, and a key that cannot be hashed
// panics. It must not be copied, nor used by several goroutines while one of
// them changes it.
//
// Entries never move, and the place of a deleted one is used again. The index
// that finds them doubles as the map grows; the old ones stay in the arena until
// that is freed, together less than the last one. A hint to [NewMap] avoids them.
type Map[K comparable, V any] struct {
	a     *Arena
	index []uint64 // open addressing: hash<<32 | number of entry + 1, or 0
	first segment[K, V]
	more  []segment[K, V] // each as large as all before it

	shift  uint8  // log2 of the number of entries in first
	hasher hasher // of K, once there is an index
	used   uint32 // entries that are or were in use
	live   uint32 // entries in use
	free   uint32 // number of a deleted entry + 1, or 0
	limit  uint32 // number of live entries at which the index grows
}

// A segment is a part of a map's entries, in order of insertion.
type segment[K comparable, V any] struct {
	entries []entry[K, V]
	links   []uint32 // of deleted entries: the one deleted before, as free, + 1
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

const (
	minEntries = 8
	maxEntries = 3 << 30 // an index of 1<<32 places is full then
)

// NewMap returns an empty map in a, or on the heap if a is nil. It has room for
// hint entries before it needs more memory; a negative hint is 0.
func NewMap[K comparable, V any](a *Arena, hint int) *Map[K, V] {
	m := New[Map[K, V]](a)
	m.a = a
	if hint > 0 {
		m.init(hint)
	}
	return m
}

// init gives an empty map its first memory.
func (m *Map[K, V]) init(hint int) {
	if uint64(hint) > maxEntries {
		panic("arena: a Map holds at most 3<<30 entries")
	}
	m.hasher = hasherOf[K]()
	m.shift = uint8(bits.Len(uint(max(hint, minEntries) - 1)))
	m.first = m.segment(1 << m.shift)
	size := 2 * minEntries
	for size/4*3 < hint {
		size *= 2
	}
	m.setIndex(size)
}

// segment returns n unused entries.
func (m *Map[K, V]) segment(n int) segment[K, V] {
	return segment[K, V]{MakeSlice[entry[K, V]](m.a, n, n), MakeSlice[uint32](m.a, n, n)}
}

// setIndex gives the map an empty index of the given size, a power of two.
func (m *Map[K, V]) setIndex(size int) {
	m.index = MakeSlice[uint64](m.a, size, size)
	m.limit = uint32(size / 4 * 3)
}

// Len returns the number of entries.
func (m *Map[K, V]) Len() int { return int(m.live) }

// Get returns the value of k, and whether there is one.
func (m *Map[K, V]) Get(k K) (V, bool) {
	if e, _ := m.find(k, hashOf(m.hasher, k)); e != nil {
		return e.value, true
	}
	var zero V
	return zero, false
}

// find returns the entry of k, which has hash h, and its place in the index; or
// nil and the place where it would be.
func (m *Map[K, V]) find(k K, h uint32) (*entry[K, V], uint32) {
	index := m.index
	if len(index) == 0 {
		return nil, 0
	}
	mask := uint32(len(index) - 1)
	for p := h & mask; ; p = (p + 1) & mask {
		s := index[p]
		if s == 0 {
			return nil, p
		}
		if uint32(s>>32) != h {
			continue
		}
		if e := m.at(uint32(s) - 1); e.key == k {
			return e, p
		}
	}
}

// at returns an entry by its number.
func (m *Map[K, V]) at(i uint32) *entry[K, V] {
	if uint(i) < uint(len(m.first.entries)) {
		return &m.first.entries[i]
	}
	seg, j := m.far(i)
	return &seg.entries[j]
}

// far returns where the entry with number i is. It is in more.
func (m *Map[K, V]) far(i uint32) (seg *segment[K, V], j uint32) {
	s := bits.Len32(i>>m.shift) - 1
	return &m.more[s], i - 1<<m.shift<<s
}

// place returns where the entry with number i is.
func (m *Map[K, V]) place(i uint32) (seg *segment[K, V], j uint32) {
	if i>>m.shift == 0 {
		return &m.first, i
	}
	return m.far(i)
}

// Set makes v the value of k. If there is an entry it keeps its key, which is
// equal to k.
func (m *Map[K, V]) Set(k K, v V) { *m.Ref(k) = v }

// Ref returns a pointer to the value of k, which it first adds as zero if there
// is none: *m.Ref(k)++ counts. The pointer is valid until k is deleted or the
// map is cleared.
func (m *Map[K, V]) Ref(k K) *V {
	if len(m.index) == 0 {
		m.init(0)
	}
	h := hashOf(m.hasher, k)
	e, p := m.find(k, h)
	if e != nil {
		return &e.value
	}
	return m.add(k, h, p)
}

// add adds an entry for a key that is not there. The index is free at p.
func (m *Map[K, V]) add(k K, h, p uint32) *V {
	if m.live == m.limit {
		m.growIndex()
		p = m.freeSlot(h)
	}
	i := m.take()
	m.index[p] = uint64(h)<<32 | uint64(i+1)
	m.live++
	e := m.at(i)
	e.key = k
	return &e.value
}

// take returns the number of an unused entry.
func (m *Map[K, V]) take() uint32 {
	if m.free != 0 {
		i := m.free - 1
		seg, j := m.place(i)
		m.free = seg.links[j] - 1
		seg.links[j] = 0
		return i
	}
	i := m.used
	if uint64(i) == uint64(1)<<m.shift<<len(m.more) {
		m.more = Append(m.a, m.more, m.segment(int(i)))
	}
	m.used++
	return i
}

// freeSlot returns the first free place of the index for a hash.
func (m *Map[K, V]) freeSlot(h uint32) uint32 {
	mask := uint32(len(m.index) - 1)
	p := h & mask
	for m.index[p] != 0 {
		p = (p + 1) & mask
	}
	return p
}

// growIndex doubles the index. It does not look at keys: their hashes are in
// the old one.
func (m *Map[K, V]) growIndex() {
	if m.limit == maxEntries {
		panic("arena: a Map holds at most 3<<30 entries")
	}
	old := m.index
	m.setIndex(2 * len(old))
	for _, s := range old {
		if s != 0 {
			m.index[m.freeSlot(uint32(s>>32))] = s
		}
	}
}

// rehash makes the index anew, after pointers in keys were changed: see
// [DeepClone].
func (m *Map[K, V]) rehash() {
	if m.hasher == hashInteger || len(m.index) == 0 {
		return
	}
	clear(m.index)
	for i := range m.used {
		if seg, j := m.place(i); seg.links[j] == 0 {
			h := hashOf(m.hasher, seg.entries[j].key)
			m.index[m.freeSlot(h)] = uint64(h)<<32 | uint64(i+1)
		}
	}
}

// Delete removes the entry of k, if there is one. It zeroes key and value, so
// that the collector can take what only they pointed to.
func (m *Map[K, V]) Delete(k K) {
	if e, p := m.find(k, hashOf(m.hasher, k)); e != nil {
		m.drop(uint32(m.index[p]) - 1)
		m.close(p)
	}
}

// drop makes entry i one that is free.
func (m *Map[K, V]) drop(i uint32) {
	seg, j := m.place(i)
	seg.entries[j] = entry[K, V]{}
	seg.links[j] = m.free + 1
	m.free = i + 1
	m.live--
}

// close frees place p of the index and moves the ones behind it up, as far as
// their hashes allow, so that no search ends too early.
func (m *Map[K, V]) close(p uint32) {
	mask := uint32(len(m.index) - 1)
	for q := (p + 1) & mask; m.index[q] != 0; q = (q + 1) & mask {
		home := uint32(m.index[q] >> 32)
		if (q-home)&mask >= (q-p)&mask {
			m.index[p] = m.index[q]
			p = q
		}
	}
	m.index[p] = 0
}

// Clear removes all entries. The map keeps its memory.
func (m *Map[K, V]) Clear() {
	clear(m.index)
	for left, i := m.used, -1; left > 0; i++ {
		seg := &m.first
		if i >= 0 {
			seg = &m.more[i]
		}
		n := min(left, uint32(len(seg.entries)))
		clear(seg.entries[:n])
		clear(seg.links[:n])
		left -= n
	}
	m.used, m.live, m.free = 0, 0, 0
}

// All iterates over keys and values, in the order in which keys were added; one
// that was added after a Delete may stand in the deleted one's place. The map
// may be changed meanwhile: an entry that is deleted before it is reached does
// not appear, one that is added may or may not appear, and a loop that adds
// entries ends.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for i, n := uint32(0), m.used; i < min(n, m.used); i++ {
			seg, j := m.place(i)
			if e := &seg.entries[j]; seg.links[j] == 0 && !yield(e.key, e.value) {
				return
			}
		}
	}
}
