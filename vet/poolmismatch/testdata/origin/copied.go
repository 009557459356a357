package origin

import "sync"

// Values from a pool are copied into a list, and the addresses of the copies are put.
type step struct {
	pc    int
	stack []int
}

func (s *step) clean() { s.pc, s.stack = 0, s.stack[:0] }

var steps = sync.Pool{New: func() any { return new(step) }}

func newStep() *step { return steps.Get().(*step) }

type trace struct {
	all  []step
	last step
}

func (t *trace) capture(pc int, stack []int) {
	s := newStep()
	s.pc = pc
	s.stack = append(s.stack, stack...)
	t.all = append(t.all, *s)
}

func (t *trace) badClose() {
	for i := range t.all {
		t.all[i].clean()
		steps.Put(&t.all[i]) // want `the address of a copy is put into steps`
	}
	t.all = nil
}

func putStep(s *step) { s.clean(); steps.Put(s) }

func (t *trace) badCloseEach() {
	for _, s := range t.all {
		putStep(&s) // want `the address of a copy is put into steps`
	}
	t.all = t.all[:0]
}

func (t *trace) setLast(pc int) {
	s := steps.Get().(*step)
	s.pc = pc
	t.last = *s
}

func (t *trace) badCloseLast() {
	t.last.clean()
	defer steps.Put(&t.last) // want `the address of a copy is put into steps`
}

// The values themselves are in the list.
type goodTrace struct{ all []*step }

func (t *goodTrace) capture(pc int) {
	s := newStep()
	s.pc = pc
	t.all = append(t.all, s)
}

func (t *goodTrace) goodClose() {
	for i := range t.all {
		putStep(t.all[i])
	}
	t.all = nil
}

// What is made in one block fills the pool.
type block struct{ all []step }

func (b *block) goodFill(n int) {
	b.all = make([]step, n)
	for i := range b.all {
		steps.Put(&b.all[i])
	}
}

// The value goes back when it has been copied, and copies of others are put.
type copies struct {
	list []step
	own  step
}

func (c *copies) goodAdd(pc int) {
	s := newStep()
	s.pc = pc
	c.list = append(c.list, *s)
	putStep(s)
}

func (c *copies) goodOwn(s *step) {
	c.own = *s
	steps.Put(&c.own)
}

// Elements of another list.
type others struct {
	mine, lent []step
	spare      []*step
}

func (o *others) take(pc int) {
	s := newStep()
	o.mine = append(o.mine, *s)
	o.spare = append(o.spare, s)
}

func (o *others) goodLent() {
	for i := range o.lent {
		putStep(&o.lent[i])
	}
}

// The copy of a slice is only its header.
var chunks = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}

type chunk struct {
	v []byte
	n int
}

func newChunk() *chunk { return &chunk{v: *chunks.Get().(*[]byte)} }

func (c *chunk) goodRelease() {
	v := c.v
	c.v, c.n = nil, 0
	chunks.Put(&v)
}
