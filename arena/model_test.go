package arena

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"
)

// The types of the model test: with and without pointers, of odd sizes, larger
// than a first chunk, larger than any chunk, of no size.
type (
	tiny   struct{ b byte }
	odd    [3]uint16
	linked struct {
		next *linked
		text string
		any  any
	}
	wide   [100]*int
	huge   [maxChunk + 8]byte
	nought struct{}
)

// A model is an arena and what should be in it: each thing that was allocated
// has a check that it still is what was written to it.
type model struct {
	t      testing.TB
	rnd    *rand.Rand
	arena  *Arena
	things []func() error
	marks  []Mark
	at     []int // len(things) when the mark was set
}

// reuse is the list of policies that the tests run with.
var policies = []Policy{Safe, RecycleTyped, RecycleAll}

// step does what the byte says.
func (m *model) step(op byte) {
	switch n := int(op) / 16; op % 16 {
	case 0:
		allocate(m, func(r uint64) tiny { return tiny{byte(r)} })
	case 1:
		allocate(m, func(r uint64) odd { return odd{uint16(r), uint16(r >> 16), uint16(r >> 32)} })
	case 2, 3:
		allocate(m, func(r uint64) linked {
			return linked{text: fmt.Sprint(r), any: r, next: &linked{text: fmt.Sprint(r + 1)}}
		})
	case 4:
		allocate(m, func(r uint64) wide { x := int(r); return wide{0: &x, 99: &x} })
	case 5:
		if n == 0 {
			allocate(m, func(r uint64) huge { return huge{0: byte(r), maxChunk: byte(r)} })
		}
	case 6:
		allocate(m, func(uint64) nought { return nought{} })
	case 7:
		slice(m, n*n, func(r uint64) odd { return odd{uint16(r)} })
	case 8:
		slice(m, n*n*n, func(r uint64) *int { x := int(r); return &x })
	case 9:
		m.text(n * n * n)
	case 10:
		m.append(n * 4)
	case 11:
		m.bytes(n * n)
	case 12:
		m.marks = append(m.marks, m.arena.Mark())
		m.at = append(m.at, len(m.things))
	case 13:
		if n < len(m.marks) {
			m.arena.Release(m.marks[n])
			clear(m.things[m.at[n]:]) // they hold what the release frees
			m.things = m.things[:m.at[n]]
			m.marks, m.at = m.marks[:n+1], m.at[:n+1]
		}
	case 14:
		m.handle(n)
	case 15:
		if n == 0 {
			m.arena.Reset()
			m.things, m.marks, m.at = nil, nil, nil
		}
	}
}

// check looks at everything that should be in the arena.
func (m *model) check() {
	m.t.Helper()
	for i, thing := range m.things {
		if err := thing(); err != nil {
			m.t.Fatalf("thing %d of %d: %v", i, len(m.things), err)
		}
	}
}

func (m *model) add(thing func() error) { m.things = append(m.things, thing) }

// allocate adds an object with what fill makes of a random number.
func allocate[T comparable](m *model, fill func(uint64) T) {
	remember(m, New[T](m.arena), fill)
}

func remember[T comparable](m *model, p *T, fill func(uint64) T) {
	if *p != *new(T) {
		m.t.Fatalf("New[%T] is not zero: %v", *p, *p)
	}
	want := fill(m.rnd.Uint64())
	*p = want
	m.add(func() error {
		if *p != want {
			return fmt.Errorf("%T is %v, want %v", want, *p, want)
		}
		return nil
	})
}

// handle allocates through slabs.
func (m *model) handle(n int) {
	small, large := Of[tiny](m.arena), Of[linked](m.arena)
	for range n {
		remember(m, small.New(), func(r uint64) tiny { return tiny{byte(r)} })
		remember(m, large.New(), func(r uint64) linked { return linked{text: fmt.Sprint(r)} })
		rememberSlice(m, large.Make(n, n+1), func(r uint64) linked { return linked{any: r} })
	}
}

func slice[T comparable](m *model, n int, fill func(uint64) T) {
	rememberSlice(m, MakeSlice[T](m.arena, n, n+n/2), fill)
}

func rememberSlice[T comparable](m *model, s []T, fill func(uint64) T) {
	for i, v := range s[:cap(s)] {
		if v != *new(T) {
			m.t.Fatalf("MakeSlice[%T] is not zero at %d: %v", v, i, v)
		}
	}
	s = s[:cap(s)]
	want := make([]T, len(s))
	for i := range s {
		want[i] = fill(m.rnd.Uint64())
		s[i] = want[i]
	}
	m.add(func() error { return same(s, want) })
}

// append grows two slices in turn, so that one is never the last.
func (m *model) append(n int) {
	var a, b, wantA []*int
	var c, wantC []byte
	var d []*int
	pointers := Of[*int](m.arena)
	for i := range n {
		a, wantA = Append(m.arena, a, &i), append(wantA, &i)
		b = Append(m.arena, b, &i)
		d = pointers.Append(d, &i)
		more := fmt.Appendf(nil, "%d-%d", i, m.rnd.Uint32())
		c, wantC = Append(m.arena, c, more...), append(wantC, more...)
	}
	m.add(func() error { return same(a, wantA) })
	m.add(func() error { return same(b, wantA) })
	m.add(func() error { return same(d, wantA) })
	m.add(func() error { return same(c, wantC) })
}

func (m *model) text(n int) {
	want := make([]byte, n)
	for i := range want {
		want[i] = byte('a' + m.rnd.IntN(26))
	}
	half := n / 2
	for _, got := range []string{
		m.arena.String(string(want)),
		m.arena.StringFrom(want),
		m.arena.String(string(want[:half]) + "" + string(want[half:])),
		m.arena.String(fmt.Sprintf("%s%s", want[:half], want[half:])),
	} {
		m.add(func() error { return same([]byte(got), want) })
	}
}

func (m *model) bytes(n int) {
	want := make([]byte, n)
	for i := range want {
		want[i] = byte(m.rnd.Uint32())
	}
	got := m.arena.Bytes(want)
	m.add(func() error { return same(got, want) })
}

func same[T comparable](got, want []T) error {
	if len(got) != len(want) {
		return fmt.Errorf("%T of length %d, want %d", want, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("%T differs at %d of %d: %v, want %v", want, i, len(want), got[i], want[i])
		}
	}
	return nil
}

// run runs a program in a few lives of one pool's memory.
func runModel(t testing.TB, pool *Pool, program []byte, lives int) {
	for life := range lives {
		m := &model{t: t, rnd: rand.New(rand.NewPCG(uint64(life), 2)), arena: pool.Get()}
		for i, op := range program {
			m.step(op)
			if i%64 == 63 {
				m.check()
			}
		}
		m.check()
		if life%2 == 1 {
			runtime.GC()
			m.check()
		}
		m.arena.Free()
	}
}

func FuzzModel(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		program := make([]byte, 200)
		for i := range program {
			program[i] = byte(rnd.Uint32())
		}
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 500 {
			return
		}
		for _, policy := range policies {
			runModel(t, &Pool{Policy: policy}, program, 3)
			runModel(t, &Pool{Policy: policy, AuditEvery: 2}, program, 6)
		}
	})
}

// TestModelUnderGC runs random programs while the collector never rests: the
// arena's objects hold the only pointers to objects on the heap.
func TestModelUnderGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	for _, policy := range policies {
		t.Run(policy.String(), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(5, uint64(policy)))
			for range rounds {
				program := make([]byte, 300)
				for i := range program {
					program[i] = byte(rnd.Uint32())
				}
				runModel(t, &Pool{Policy: policy}, program, 4)
			}
		})
	}
}

// TestModelSampled runs random programs in arenas of which an object is watched: chunks
// are split, marks come before and after the sample, and what is recycled is what it
// would be without. When all arenas are freed nothing holds a sample.
func TestModelSampled(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 10
	}
	for _, policy := range policies {
		rnd := rand.New(rand.NewPCG(7, uint64(policy)))
		pool := &Pool{Policy: policy, AuditEvery: 2}
		for range programs {
			program := make([]byte, 20+rnd.IntN(200))
			for i := range program {
				program[i] = byte(rnd.Uint32())
			}
			runModel(t, pool, program, 6)
		}
		queue.settle()
		if r := pool.audit.report(); len(r.Escapes) > 0 || r.Pending > 0 || r.Objects == 0 {
			t.Errorf("policy %v: %+v", policy, r)
		}
	}
}
