package arena

import (
	"slices"

	"lessgc/internal/checked"
)

const (
	tabSize = 64 // slots in an arena's table of types
	probes  = 4  // of them that a type may be in
)

// A state is the memory of an arena: its slabs and their chunks. It outlives
// the arena and serves the next one; the Arena that callers hold is only a
// pointer to it, which Free takes away.
type state struct {
	// tab is direct mapped by type word. A type whose slot is taken is in one
	// of those next to it, or else in more. A slab never moves: Slab handles
	// point to it.
	tab  [tabSize]slab
	more map[uintptr]*slab
	all  []*slab // raw, text and those of both, in order of first use

	raw  slab // bytes that may be reused as soon as the arena is free
	text slab // strings, if the policy never reuses them; else unused

	str *slab // the one of these two that strings come from

	policy  Policy
	pool    *Pool
	spare   []slab    // of lives to come, see renewHandles
	lenders []*record // records whose slab Of has returned in this life
	keepAll bool      // this life ends as with policy Safe
	kept    uintptr   // sum of those of all slabs
	lives   uint
	worth   int // slabs of the last life that were worth it, less those that were not; see worth

	place pointer // of package arenapb

	children []*Arena
	marked   []slabMark // see Mark
	top      Mark       // the one that was released to last
	lastMark uint64
	watch    *watch // of an arena that is audited or checked; else nil
	sampler  *watch // of the last life that was sampled
	life     *life  // in a checked build

	shared *shared // of an arena that several goroutines use; all else is empty then

	idle bool // stands for the state that small arenas of a pool do not have

	account *account // of this state in the pool, nil if it is safe
}

// freed is the state of every arena that was freed. It holds no type, so that
// every use ends in check.
var freed state

func init() {
	freed.addRaw(&freed.raw)
	freed.str = &freed.raw
}

// loose is the state of slabs without an arena, because it is nil or safe. Their
// records are never written: they are used by many goroutines.
var loose = state{policy: Safe}

// ended is the state of every slab that was handed out by Of in a life that is
// over. It is never written.
var ended = record{arena: new(state), cur: -1}

// newState returns the memory of an arena that never was; w is nil but for those that
// are watched.
func newState(p *Pool, w *watch) *state {
	st := &state{policy: p.Policy, pool: p, watch: w}
	st.addRaw(&st.raw)
	st.str = &st.raw
	if p.Policy == RecycleTyped || w != nil { // which tells strings from bytes
		st.addRaw(&st.text)
		st.str = &st.text
		if st.text.drops = w == nil; st.text.drops {
			st.text.next, st.text.unused = 0, busy
		}
	}
	return st
}

// addRaw makes s a slab of bytes that are written before they are seen.
func (st *state) addRaw(s *slab) {
	s.become(newRecord(st, infoOf(typeWord((*byte)(nil)), (*byte)(nil))))
	s.raw = true
	st.all = append(st.all, s)
}

// slot returns the first slot of a type in the table. Method tables of makers are
// 40 bytes apart or 8 times an odd number, descriptors of types mostly 64.
func slot(typ uintptr) uintptr { return (typ>>3 ^ typ>>9) % tabSize }

// slabOf returns the slab of T, where p is a nil *typed[T].
func (st *state) slabOf(p maker) *slab { return st.slab(makerWord(p), p) }

// slabOfType returns the slab of T, where p is a nil *T: another one than that of a
// maker.
func (st *state) slabOfType(p any) *slab { return st.slab(typeWord(p), p) }

// slab returns the slab of a type, where p and typ are as in infoOf.
func (st *state) slab(typ uintptr, p any) *slab {
	for i := range uintptr(probes) {
		switch s := &st.tab[slot(typ)^i]; s.typ {
		case typ:
			return s
		case 0:
			return st.addSlab(s, infoOf(typ, p), typ)
		}
	}
	if s := st.more[typ]; s != nil {
		return s
	}
	s := st.addSlab(new(slab), infoOf(typ, p), typ)
	if st.more == nil {
		st.more = make(map[uintptr]*slab)
	}
	st.more[typ] = s
	return s
}

// addSlab makes s, which is free, the slab of a type that the arena sees for the
// first time.
func (st *state) addSlab(s *slab, info *typeInfo, typ uintptr) *slab {
	st.check()
	if info.locker != "" && st.policy.recycles() {
		panic("arena: " + info.elem.String() + " holds a " + info.locker +
			", which may be in use when a recycled arena is freed: allocate it on the heap or in an arena with policy Safe")
	}
	s.typ = typ
	s.become(newRecord(st, info))
	st.all = append(st.all, s)
	if st.watch != nil {
		st.watch.consider(s)
	}
	return s
}

// check panics if the arena that the state belongs to was freed.
func (st *state) check() {
	if st == &freed {
		panic("arena: used after Free")
	}
	if st == ended.arena {
		panic("arena: Slab used after Free or Reset of its arena")
	}
	if checked.Enabled && st.life != nil {
		st.life.check()
	}
}

// watched reports whether all objects are watched.
func (st *state) watched() bool { return st.watch != nil && st.watch.all }

// reuses reports whether memory of s is handed out again.
func (st *state) reuses(s *slab) bool {
	return st.policy.recycles() && !s.drops && !st.watched()
}

// release ends a life of the arena: it is as good as new afterwards. It returns
// how many bytes the state keeps alive for the next one, and how many were handed out
// if they are used again.
func (st *state) release() (kept, used uintptr) {
	st.worth = 0
	st.lives++
	look := st.lives%lookEvery == 0
	if len(st.children)+len(st.marked) > 0 {
		st.releaseRest()
	}
	if st.watch != nil {
		st.watch.join()
	}
	for _, s := range st.all {
		switch {
		case s.idle():
			if look && s.cur >= 0 {
				st.lookAt(s)
			}
		case s.drops:
			if s.chunk == nil && s.full == 0 {
				break
			}
			if s.drop() {
				st.worth++
			} else {
				st.worth--
			}
		case s.cur < 0:
		default:
			st.kept -= s.kept
			if st.keepAll {
				s.forget()
			} else {
				used += s.release(st.reuses(s))
				s.seen = true
			}
			st.kept += s.kept
		}
	}
	if st.watch != nil {
		st.watch.release(st.keepAll)
	}
	st.keepAll = false
	return st.kept, used
}

// lookEvery is the number of lives from one look at idle slabs, which handed out nothing, to
// the next. In other lives they cost no more than finding them idle.
const lookEvery = 16

// lookAt lets go of memory of s, which is idle, if it has been since the last look.
func (st *state) lookAt(s *slab) {
	if s.seen {
		s.seen = false
		return
	}
	s.high /= 8 // about what as many lives make of it: an eighth less with each
	st.kept -= s.kept
	s.release(st.reuses(s))
	st.kept += s.kept
}

// releaseRest is release for what most arenas do not have.
func (st *state) releaseRest() {
	for _, c := range st.children {
		if !c.freed() {
			c.Free()
		}
	}
	clear(st.children)
	st.children = st.children[:0]
	clear(st.marked)
	st.marked = st.marked[:0]
}

// begin starts a life.
func (st *state) begin() {
	if checked.Enabled {
		st.beginLife()
	}
}

// lend notes that Of returns the slab s.lent in this life, where s is one of the
// table. They have no memory in common, because the one that is lent ends with this
// life; see renewHandles.
func (st *state) lend(s *slab) {
	if s.lent == nil {
		s.lent = &slab{typ: s.typ}
		s.lent.become(newRecord(st, s.info))
		s.lentAt = len(st.all)
		st.all = append(st.all, s.lent)
		if st.watch != nil {
			st.watch.consider(s.lent)
		}
	}
	s.out = true
	st.lenders = append(st.lenders, s.record)
}

// renewHandles makes the slabs that Of returned in this life unusable. New ones, which
// no caller holds, take over their memory. They are made for some lives at once.
func (st *state) renewHandles() {
	for _, r := range st.lenders {
		if len(st.spare) == 0 {
			st.spare = make([]slab, max(8, 4*len(st.lenders)))
		}
		old, lent := r.lent, &st.spare[0]
		st.spare = st.spare[1:]
		*lent = *old
		*old = slab{typ: old.typ, size: old.size, record: &ended}
		r.lent, st.all[r.lentAt], r.out = lent, lent, false
	}
	st.lenders = st.lenders[:0]
}

// addChild notes that child is to be freed with the arena. Each time the list is
// full it forgets those that were freed before and makes room for as many as are
// left, so that a child costs constant time and the list is never much longer than
// twice the number of children that were open at once.
func (st *state) addChild(child *Arena) {
	if len(st.children) == cap(st.children) {
		st.children = slices.DeleteFunc(st.children, (*Arena).freed)
		st.children = slices.Grow(st.children, len(st.children)+1)
	}
	st.children = append(st.children, child)
}

// retire makes slabs that were handed out unusable. The state itself is left to
// the collector.
func (st *state) retire() {
	for _, s := range st.all {
		s.forget()
		s.arena = st.freedState()
	}
}

// shed lets go of all memory.
func (st *state) shed() {
	for _, s := range st.all {
		s.forget()
	}
	st.kept = 0
}

// newIdle returns a state that stands for the one a small arena of p does not have.
// Nothing is ever taken from it, and arenas of many goroutines have it.
func newIdle(p *Pool) *state {
	st := &state{policy: p.Policy, pool: p, idle: true}
	st.addRaw(&st.raw)
	st.str = &st.raw
	return st
}
