package arenas

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"lessgc/arena"
	"lessgc/bench/internal/cputime"
)

// Small lives: what a request, a query or a pattern needs that is not large. One
// op opens an arena, allocates, reads what it allocated and frees the arena. Here
// an arena has the least to gain and its own cost weighs most.
//
//   - mixed: n objects of four types, a copy of a string for each fourth.
//   - regexp: the syntax tree of a regular expression, some 20 nodes of one type
//     with a slice of pointers each.
//   - tree: a binary tree of n nodes.

type (
	user struct {
		id   int64
		name string
		next *user
	}
	item struct {
		price int64
		_     int64 // quantity
		owner *user
		next  *item
	}
	tag struct {
		key  string
		_    string // value
		next *tag
	}
	note struct {
		_     [4]int64
		e     int64
		about *item
		next  *note
	}
	smallRequest struct {
		users *user
		items *item
		tags  *tag
		notes *note
	}
)

var smallNames = makeNames(1000)

func (r *smallRequest) sum() uint64 {
	sum := uint64(0)
	for u := r.users; u != nil; u = u.next {
		sum = sum*31 + uint64(u.id) + uint64(len(u.name))
	}
	for i := r.items; i != nil; i = i.next {
		sum = sum*31 + uint64(i.price)
	}
	for t := r.tags; t != nil; t = t.next {
		sum = sum*31 + uint64(len(t.key))
	}
	for n := r.notes; n != nil; n = n.next {
		sum = sum*31 + uint64(n.e)
	}
	return sum
}

func mixedOnHeap(n int) uint64 {
	var r smallRequest
	for i := range n {
		switch i % 4 {
		case 0:
			u := new(user)
			u.id, u.name, u.next = int64(i), strings.Clone(smallNames[i%1000]), r.users
			r.users = u
		case 1:
			x := new(item)
			x.price, x.owner, x.next = int64(i), r.users, r.items
			r.items = x
		case 2:
			t := new(tag)
			t.key, t.next = r.users.name, r.tags
			r.tags = t
		case 3:
			x := new(note)
			x.e, x.about, x.next = int64(i), r.items, r.notes
			r.notes = x
		}
	}
	return r.sum()
}

func mixedIn(a *arena.Arena, n int) uint64 {
	var r smallRequest
	for i := range n {
		switch i % 4 {
		case 0:
			u := arena.New[user](a)
			u.id, u.name, u.next = int64(i), a.String(smallNames[i%1000]), r.users
			r.users = u
		case 1:
			x := arena.New[item](a)
			x.price, x.owner, x.next = int64(i), r.users, r.items
			r.items = x
		case 2:
			t := arena.New[tag](a)
			t.key, t.next = r.users.name, r.tags
			r.tags = t
		case 3:
			x := arena.New[note](a)
			x.e, x.about, x.next = int64(i), r.items, r.notes
			r.notes = x
		}
	}
	return r.sum()
}

func mixedByHandle(a *arena.Arena, n int) uint64 {
	var r smallRequest
	users, items, tags, notes := arena.Of[user](a), arena.Of[item](a), arena.Of[tag](a), arena.Of[note](a)
	for i := range n {
		switch i % 4 {
		case 0:
			u := users.New()
			u.id, u.name, u.next = int64(i), a.String(smallNames[i%1000]), r.users
			r.users = u
		case 1:
			x := items.New()
			x.price, x.owner, x.next = int64(i), r.users, r.items
			r.items = x
		case 2:
			t := tags.New()
			t.key, t.next = r.users.name, r.tags
			r.tags = t
		case 3:
			x := notes.New()
			x.e, x.about, x.next = int64(i), r.items, r.notes
			r.notes = x
		}
	}
	return r.sum()
}

// An expression is a node of a regular expression's syntax tree.
type expression struct {
	op   byte
	_    uint16 // flags
	sub  []*expression
	sub0 [1]*expression
	_    []rune
	min  int
	_    int    // max
	_    string // name
}

// A pattern parser knows sequences, |, *, +, ?, groups and single characters.
type patternParser struct {
	text string
	at   int

	heap  bool
	arena *arena.Arena
	slab  *arena.Slab[expression]
}

func (p *patternParser) node(op byte) *expression {
	var x *expression
	switch {
	case p.heap:
		x = new(expression)
	case p.slab != nil:
		x = p.slab.New()
	default:
		x = arena.New[expression](p.arena)
	}
	x.op = op
	return x
}

func (p *patternParser) add(x, sub *expression) {
	switch {
	case x.sub == nil:
		x.sub = append(x.sub0[:0], sub)
	case p.heap:
		x.sub = append(x.sub, sub)
	default:
		x.sub = arena.Append(p.arena, x.sub, sub)
	}
}

func (p *patternParser) alternation() *expression {
	first := p.sequence()
	if p.at == len(p.text) || p.text[p.at] != '|' {
		return first
	}
	x := p.node('|')
	p.add(x, first)
	for p.at < len(p.text) && p.text[p.at] == '|' {
		p.at++
		p.add(x, p.sequence())
	}
	return x
}

func (p *patternParser) sequence() *expression {
	x := p.node('.')
	for p.at < len(p.text) && p.text[p.at] != '|' && p.text[p.at] != ')' {
		p.add(x, p.repetition())
	}
	return x
}

func (p *patternParser) repetition() *expression {
	x := p.atom()
	for p.at < len(p.text) && strings.IndexByte("*+?", p.text[p.at]) >= 0 {
		y := p.node(p.text[p.at])
		p.at++
		p.add(y, x)
		x = y
	}
	return x
}

func (p *patternParser) atom() *expression {
	if p.text[p.at] == '(' {
		p.at++
		x := p.alternation()
		p.at++
		return x
	}
	x := p.node('a')
	x.min = int(p.text[p.at])
	p.at++
	return x
}

func (x *expression) sum() uint64 {
	sum := uint64(x.op) + uint64(x.min)
	for _, sub := range x.sub {
		sum = sum*31 + sub.sum()
	}
	return sum
}

const smallPattern = "(a|b+c)*d(ef|g?h)+(x|yz)"

func branchesOnHeap(depth int) *tree {
	if depth == 0 {
		return new(tree)
	}
	return &tree{branchesOnHeap(depth - 1), branchesOnHeap(depth - 1)}
}

func branchesIn(a *arena.Arena, depth int) *tree {
	t := arena.New[tree](a)
	if depth > 0 {
		t.left, t.right = branchesIn(a, depth-1), branchesIn(a, depth-1)
	}
	return t
}

func branchesOf(s *arena.Slab[tree], depth int) *tree {
	t := s.New()
	if depth > 0 {
		t.left, t.right = branchesOf(s, depth-1), branchesOf(s, depth-1)
	}
	return t
}

// A smallWork is a workload of small lives. How nil, the heap and each kind of arena
// do it; by reports whether handles are to be used.
type smallWork struct {
	name   string
	onHeap func() uint64
	in     func(a *arena.Arena) uint64
	by     func(a *arena.Arena) uint64

	// An arena that is only passed to functions can be on the stack.
	safe, safeByHandle func() uint64
}

func smallWorks() []smallWork {
	var works []smallWork
	for _, n := range []int{1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 128, 256, 1000} {
		works = append(works, smallWork{
			name:   fmt.Sprintf("mixed%d", n),
			onHeap: func() uint64 { return mixedOnHeap(n) },
			in:     func(a *arena.Arena) uint64 { return mixedIn(a, n) },
			by:     func(a *arena.Arena) uint64 { return mixedByHandle(a, n) },
			safe: func() uint64 {
				a := arena.NewArena()
				defer a.Free()
				return mixedIn(a, n)
			},
			safeByHandle: func() uint64 {
				a := arena.NewArena()
				defer a.Free()
				return mixedByHandle(a, n)
			},
		})
	}
	works = append(works, smallWork{
		name: "regexp",
		onHeap: func() uint64 {
			return (&patternParser{text: smallPattern, heap: true}).alternation().sum()
		},
		in: func(a *arena.Arena) uint64 {
			return (&patternParser{text: smallPattern, arena: a}).alternation().sum()
		},
		by: func(a *arena.Arena) uint64 {
			return (&patternParser{text: smallPattern, arena: a, slab: arena.Of[expression](a)}).alternation().sum()
		},
		safe: func() uint64 {
			a := arena.NewArena()
			defer a.Free()
			return (&patternParser{text: smallPattern, arena: a}).alternation().sum()
		},
		safeByHandle: func() uint64 {
			a := arena.NewArena()
			defer a.Free()
			return (&patternParser{text: smallPattern, arena: a, slab: arena.Of[expression](a)}).alternation().sum()
		},
	})
	for _, depth := range []int{0, 2, 4, 6} {
		works = append(works, smallWork{
			name:   fmt.Sprintf("tree%d", 2<<depth-1),
			onHeap: func() uint64 { return branchesOnHeap(depth).sum() },
			in:     func(a *arena.Arena) uint64 { return branchesIn(a, depth).sum() },
			by:     func(a *arena.Arena) uint64 { return branchesOf(arena.Of[tree](a), depth).sum() },
			safe: func() uint64 {
				a := arena.NewArena()
				defer a.Free()
				return branchesIn(a, depth).sum()
			},
			safeByHandle: func() uint64 {
				a := arena.NewArena()
				defer a.Free()
				return branchesOf(arena.Of[tree](a), depth).sum()
			},
		})
	}
	return works
}

// smallOps returns the ops of a workload, by allocator. Unfreed is safe without
// the call of Free.
func smallOps(w smallWork) (names []string, ops []func() uint64) {
	add := func(name string, op func() uint64) { names, ops = append(names, name), append(ops, op) }
	pooled := func(policy arena.Policy, f func(*arena.Arena) uint64) func() uint64 {
		pool := &arena.Pool{Policy: policy}
		return func() uint64 {
			a := pool.Get()
			sum := f(a)
			a.Free()
			return sum
		}
	}
	add("heap", w.onHeap)
	add("nil", func() uint64 { return w.in(nil) })
	add("safe", w.safe)
	add("safehandle", w.safeByHandle)
	add("safepool", pooled(arena.Safe, w.in))
	add("unfreed", func() uint64 { return w.in(arena.NewArena()) })
	add("typed", pooled(arena.RecycleTyped, w.in))
	add("recycle", pooled(arena.RecycleAll, w.in))
	add("handle", pooled(arena.RecycleAll, w.by))
	return names, ops
}

func TestSmall(t *testing.T) {
	for _, w := range smallWorks() {
		want := w.onHeap()
		names, ops := smallOps(w)
		for i, op := range ops {
			for range 3 {
				if got := op(); got != want {
					t.Errorf("work=%s/alloc=%s: checksum %#x, want %#x", w.name, names[i], got, want)
				}
				runtime.GC()
			}
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	for _, w := range smallWorks() {
		names, ops := smallOps(w)
		for i, op := range ops {
			b.Run("work="+w.name+"/alloc="+names[i], func(b *testing.B) {
				b.ReportAllocs()
				start := cputime.Now()
				for b.Loop() {
					op()
				}
				b.ReportMetric(float64(cputime.Now()-start)/float64(b.N), "loop-cpu-ns/op")
			})
		}
	}
}
