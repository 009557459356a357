// Package amap has a hash map that lives in an arena.
//
// A [Map] is memory of its arena. One that is used after Free, with a policy that
// recycles, reads and corrupts the data of the next owner. A plain build does not
// notice; lessgc vet and the checked build (-tags lessgc_checked) do.
package amap

import (
	"iter"
	"math/bits"

	"lessgc/arena"
)

// A Map is a hash map in an arena: all of its memory is from there, and ends with it.
// The collector knows every pointer in it, so that keys and values may point to the heap.
// The zero Map is empty, ready to use and on the heap.
//
// A Map is used as the built-in one: keys that are not equal to themselves, such as NaN,
// can be added but never found, and a key that cannot be hashed panics. It must not be
// copied, nor used by several goroutines while one of them changes it.
//
// Entries never move, and the memory of a deleted one is used again. Up to 8 entries are
// searched one by one. The index that finds more of them doubles as the map grows; the
// old ones stay in the arena until that is freed, together less than the last one. A hint
// to [New] avoids them.
type Map[K comparable, V any] struct {
	a      *arena.Arena
	few    []entry[K, V] // fewEntries of them, or nil if there were none yet
	large  *table[K, V]  // of a map that has or had more
	used   uint8         // a bit for each of few, unless there is a table
	hasher hasher        // of K, if there is memory
}

// An entry is a key and its value.
type entry[K comparable, V any] struct {
	key   K
	value V
}

// fewEntries is the largest number of entries that are searched linearly, as in the
// built-in map.
const fewEntries = 8

// compact is a Map together with its first entries: one allocation.
type compact[K comparable, V any] struct {
	Map[K, V]
	entries [fewEntries]entry[K, V]
}

// maxCompact is the size of an entry, in bytes, up to which New makes room for the first
// ones at once.
const maxCompact = 128

// New returns an empty map in a, or on the heap if a is nil. It has room for hint entries
// before it needs more memory; a negative hint is 0.
func New[K comparable, V any](a *arena.Arena, hint int) *Map[K, V] {
	var m *Map[K, V]
	if hint <= fewEntries && sizeOf[entry[K, V]]() <= maxCompact {
		c := arena.New[compact[K, V]](a)
		m = &c.Map
		m.few = c.entries[:]
	} else {
		m = arena.New[Map[K, V]](a)
	}
	m.a, m.hasher = a, hasherOf[K]()
	if hint > fewEntries {
		m.large = newTable[K, V](a, m.hasher, hint)
	} else if hint > 0 && m.few == nil {
		m.few = arena.MakeSlice[entry[K, V]](a, fewEntries, fewEntries)
	}
	return m
}

// Len returns the number of entries.
func (m *Map[K, V]) Len() int {
	if m.large != nil {
		return int(m.large.live)
	}
	return bits.OnesCount8(m.used)
}

// Get returns the value of k, and whether there is one.
func (m *Map[K, V]) Get(k K) (value V, ok bool) {
	if e := m.find(k); e != nil {
		return e.value, true
	}
	return
}

// find returns the entry of k, or nil.
func (m *Map[K, V]) find(k K) *entry[K, V] {
	if t := m.large; t != nil {
		e, _ := t.find(k, hashOf(t.hasher, k))
		return e
	}
	return m.findFew(k)
}

// findFew is find in a map that has no table.
func (m *Map[K, V]) findFew(k K) *entry[K, V] {
	if m.hasher <= hashAny {
		m.mustHash(k)
	}
	few := m.few
	for used := m.used; used != 0; used &= used - 1 {
		i := bits.TrailingZeros8(used)
		if i >= len(few) {
			break
		}
		if few[i].key == k {
			return &few[i]
		}
	}
	return nil
}

// mustHash panics if k cannot be hashed.
func (m *Map[K, V]) mustHash(k K) {
	if hasherOf[K]() == hashAny {
		hashOf(hashAny, k)
	}
}

// Set makes v the value of k. If there is an entry it keeps its key, which is equal to k.
func (m *Map[K, V]) Set(k K, v V) { *m.Ref(k) = v }

// Ref returns a pointer to the value of k, which it first adds as zero if there is none:
// *m.Ref(k)++ counts. The pointer is valid until k is deleted or the map is cleared.
func (m *Map[K, V]) Ref(k K) *V {
	if m.large == nil {
		if e := m.findFew(k); e != nil {
			return &e.value
		}
		if m.used != 1<<fewEntries-1 {
			return m.addFew(k)
		}
		m.large = tableOf(m.a, m.hasher, m.few)
	}
	return m.large.ref(k)
}

// addFew adds an entry to a map that has room for it.
func (m *Map[K, V]) addFew(k K) *V {
	if m.few == nil {
		m.few, m.hasher = arena.MakeSlice[entry[K, V]](m.a, fewEntries, fewEntries), hasherOf[K]()
	}
	i := bits.TrailingZeros8(^m.used)
	m.used |= 1 << i
	e := &m.few[i]
	e.key = k
	return &e.value
}

// Delete removes the entry of k, if there is one. It zeroes key and value, so that the
// collector can free objects that only they pointed to.
func (m *Map[K, V]) Delete(k K) {
	if m.large != nil {
		m.large.delete(k)
		return
	}
	if e := m.findFew(k); e != nil {
		*e = entry[K, V]{}
		for i := range m.few {
			if e == &m.few[i] {
				m.used &^= 1 << i
			}
		}
	}
}

// Clear removes all entries. The map keeps its memory.
func (m *Map[K, V]) Clear() {
	if m.large != nil {
		m.large.clear()
		return
	}
	clear(m.few)
	m.used = 0
}

// All iterates over keys and values, in the order in which keys were added; one that was
// added after a Delete may stand where the deleted one was. The map may be changed
// meanwhile: an entry that is deleted before it is reached does not appear, one that is
// added may or may not appear, and a loop that adds entries ends.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		from := uint32(0)
		for ; m.large == nil && from < uint32(bits.Len8(m.used)); from++ {
			if e := &m.few[from]; m.used>>from&1 != 0 && !yield(e.key, e.value) {
				return
			}
		}
		if m.large != nil {
			m.large.all(from, yield)
		}
	}
}
