package arena

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"lessgc/internal/checked"
)

// A marker is a model that also sets marks and allocates large slices and through
// slabs, and knows what Stats should say.
type marker struct {
	*model
	bytes []int64 // at the marks
}

// slabs allocates through slabs of Of and through New in turn.
func (m *marker) slabs(n int) {
	wides, odds, pointers, links := Of[wide](m.arena), Of[odd](m.arena), Of[*int](m.arena), Of[linked](m.arena)
	var got, want []linked
	for i := range n {
		remember(m.model, wides.New(), func(r uint64) wide { x := int(r); return wide{3: &x} })
		remember(m.model, New[wide](m.arena), func(r uint64) wide { x := int(r); return wide{5: &x} })
		remember(m.model, odds.New(), func(r uint64) odd { return odd{uint16(r)} })
		rememberSlice(m.model, pointers.Make(n, 3*n), func(r uint64) *int { x := int(r); return &x })
		v := linked{text: fmt.Sprint(i)}
		want = append(want, v)
		if i%3 == 0 {
			got = Append(m.arena, got, v)
		} else {
			got = links.Append(got, v)
		}
	}
	m.add(func() error { return same(got, want) })
}

// large allocates slices that have a chunk to themselves.
func (m *marker) large() {
	n := 1 + m.rnd.IntN(30_000)
	rememberSlice(m.model, MakeSlice[*int](m.arena, n, n), func(r uint64) *int { x := int(r); return &x })
	rememberSlice(m.model, Of[odd](m.arena).Make(n, n), func(r uint64) odd { return odd{uint16(r)} })
	want := make([]byte, 4*n)
	for i := range want {
		want[i] = byte(m.rnd.Uint32())
	}
	got, text := m.arena.Bytes(want), m.arena.StringFrom(want)
	m.add(func() error { return same(got, want) })
	m.add(func() error { return same([]byte(text), want) })
}

// release releases to a mark, the last one or an earlier one.
func (m *marker) release() {
	if len(m.marks) == 0 {
		return
	}
	n := len(m.marks) - 1
	if m.rnd.IntN(2) == 0 {
		n = m.rnd.IntN(len(m.marks))
	}
	before := m.arena.Stats().Bytes
	m.arena.Release(m.marks[n])
	after := m.arena.Stats().Bytes
	if after > before || after < m.bytes[n] {
		m.t.Fatalf("Stats says %d bytes, %d before Release and %d at the mark", after, before, m.bytes[n])
	}
	m.things = m.things[:m.at[n]:m.at[n]]
	m.marks, m.at, m.bytes = m.marks[:n+1], m.at[:n+1], m.bytes[:n+1]
	for _, s := range m.arena.state().all {
		if s.drops {
			continue
		}
		full := uintptr(0)
		for i := range max(s.cur, 0) {
			full += s.chunks[i].used()
		}
		if s.full != full {
			m.t.Fatalf("a slab of %v says that %d bytes are in full chunks, want %d", s.info.elem, s.full, full)
		}
	}
}

// TestMarkModel checks that marks and releases, nested and of all kinds of memory,
// leave what was allocated before them as it was, and hand out zeroed memory.
func TestMarkModel(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() || checked.Enabled {
		seeds = 2
	}
	for _, pool := range []*Pool{{Policy: Safe}, {Policy: RecycleTyped}, {Policy: RecycleAll}, {Policy: RecycleAll, AuditEvery: 2}} {
		for seed := range seeds {
			rnd := rand.New(rand.NewPCG(seed, 1))
			for range 4 {
				m := &marker{model: &model{t: t, rnd: rnd, arena: pool.Get()}}
				for i := range 100 {
					switch op := rnd.IntN(15); {
					case op < 4:
						m.marks, m.at, m.bytes = append(m.marks, m.arena.Mark()), append(m.at, len(m.things)), append(m.bytes, m.arena.Stats().Bytes)
					case op < 8:
						m.release()
					case op < 10:
						m.slabs(rnd.IntN(12))
					case op < 11:
						m.large()
					default:
						m.step(byte(rnd.IntN(12) + 16*rnd.IntN(16)))
					}
					if i%32 == 0 {
						m.check()
					}
				}
				m.check()
				m.arena.Free()
			}
		}
	}
}

// TestMarkSeesLargeSlices checks that a mark that follows Release keeps a slice that
// has a chunk to itself: the current chunk says nothing of it.
func TestMarkSeesLargeSlices(t *testing.T) {
	for _, policy := range policies {
		a := (&Pool{Policy: policy, AuditEvery: -1}).Get()
		New[int](a)
		a.Release(a.Mark())
		big := MakeSlice[int](a, 10_000, 10_000)
		big[0] = 1
		m, before := a.Mark(), a.Stats().Bytes
		a.Release(m)
		if after := a.Stats().Bytes; after != before {
			t.Errorf("policy %s: Release took %d bytes from before the mark", policy, before-after)
		}
		if other := MakeSlice[int](a, 10_000, 10_000); big[0] != 1 || &other[0] == &big[0] {
			t.Errorf("policy %s: memory from before the mark has two owners", policy)
		}
		a.Free()
	}
}

// TestReleaseLetsGoOfFullChunks checks that Release keeps no chunk that cannot help a
// loop.
func TestReleaseLetsGoOfFullChunks(t *testing.T) {
	if checked.Enabled {
		t.Skip("each object has a chunk, or there are none")
	}
	type big [1 << 20]byte
	a := (&Pool{Policy: Safe, AuditEvery: -1}).Get()
	defer a.Free()
	New[big](a)
	m, before := a.Mark(), a.Stats().Kept
	New[big](a)
	a.Bytes(make([]byte, 1<<20))
	a.Release(m)
	if kept := a.Stats().Kept; kept > before+maxChunk {
		t.Errorf("%d bytes after Release, %d at the mark", kept, before)
	}
}

// TestMarksOfAudited checks that a loop of Mark and Release costs an audited arena no
// more memory than another one.
func TestMarksOfAudited(t *testing.T) {
	a := (&Pool{Policy: RecycleAll, AuditEvery: 1}).Get()
	defer a.Free()
	New[int](a)
	for range 1000 {
		m := a.Mark()
		New[int](a)
		a.Release(m)
	}
	if n := len(a.st.marked); n > 16 {
		t.Errorf("%d entries after 1000 loops", n)
	}
}

func useOf[T any](a *Arena) { Of[T](a).New() }

// TestLifePaysForItsOwnSlabs checks that a life does not pay for slabs that Of
// returned in earlier ones.
func TestLifePaysForItsOwnSlabs(t *testing.T) {
	if checked.Enabled {
		t.Skip("no memory is used twice")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	lives := func(first ...func(*Arena)) uint64 {
		return allocated(t, func() {
			p := new(Pool)
			a := p.Get()
			for _, f := range first {
				f(a)
			}
			a.Free()
			for range 6400 {
				a := p.Get()
				useOf[int](a)
				a.Free()
			}
		})
	}
	one := lives(useOf[int])
	many := lives(useOf[[1]*int], useOf[[2]*int], useOf[[3]*int], useOf[[4]*int], useOf[[5]*int],
		useOf[[6]*int], useOf[[7]*int], useOf[[8]*int], useOf[[9]*int], useOf[[10]*int])
	if many > 2*one {
		t.Errorf("6400 lives with one slab allocate %d bytes, %d after a life with ten others", one, many)
	}
}

func newUserA(a *Arena) {
	type user struct{ x [2]int }
	New[user](a).x[0] = 1
}

func newUserB(a *Arena) {
	type user struct{ x [3]*int }
	New[user](a).x[0] = nil
	Of[user](a).New()
}

// TestStatsTypesOfOneName checks that types that print alike have an entry each, and
// that New and Of share one.
func TestStatsTypesOfOneName(t *testing.T) {
	a := (&Pool{Policy: RecycleTyped, AuditEvery: -1}).Get()
	defer a.Free()
	newUserA(a)
	newUserB(a)
	types := a.Stats().Types
	if len(types) != 2 || types[0].Objects != 2 || types[1].Objects != 1 {
		t.Errorf("%v, want two entries of two objects and one", types)
	}
}
