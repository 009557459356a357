package arena

import "fmt"

// A link is made by a constructor, which others call too: they give nil.
type link struct {
	next *link
	v    int
}

func newLink(next *link, v int) *link {
	return &link{next, v} // rewritten
}

func (l *link) sum() (n int) {
	for ; l != nil; l = l.next {
		n += l.v
	}
	return n
}

func links(n int) (sum int) {
	for ; n > 0; n-- {
		sum += triangle(n)
	}
	return sum
}

func pile(n int) (last *link) {
	for i := range n {
		last = newLink(last, i)
	}
	return last
}

var started = newLink(nil, 7).sum()

func elsewhere(n int) (sum int) {
	c := make(chan *link)
	go func() { c <- newLink(nil, n) }()
	defer func() { sum += newLink(<-c, 1).sum() }()
	return started
}

// An expr is a node of one of several types, of which some have no children.
type expr interface{ eval() (int, error) }

type (
	binary struct {
		op          rune
		left, right expr
		above       *binary
	}
	number  struct{ v int }
	missing struct{ at int }
)

func (b *binary) eval() (int, error) {
	l, err := b.left.eval()
	if err != nil {
		return 0, err
	}
	r, err := b.right.eval()
	if b.op == '-' {
		r = -r
	}
	return l + r, err
}

func (n *number) eval() (int, error)  { return n.v, nil }
func (m *missing) eval() (int, error) { return 0, fmt.Errorf("missing operand at %d", m.at) }

type scanner struct {
	tokens []rune
	pos    int
	last   expr
	all    []expr
	names  map[string]expr
}

func (s *scanner) next() rune {
	s.pos++
	return s.tokens[s.pos-1]
}

func (s *scanner) operand() expr {
	if s.pos == len(s.tokens) {
		return &missing{s.pos}
	}
	c := s.next()
	if c == '!' {
		panic("not an operand")
	}
	n := new(number)
	n.v = int(c - '0')
	s.last = n
	return n
}

func (s *scanner) rest(a expr, depth int) expr {
	if s.pos == len(s.tokens) {
		return a
	}
	// Both values of the literal are calls, or cannot be changed by one.
	b := &binary{s.next(), a, s.operand(), nil}                             // rewritten
	s.all = append(s.all, &binary{op: '+', left: b, right: &number{depth}}) // rewritten
	s.last = &binary{op: '-', left: &number{v: s.pos}, right: b}            // rewritten
	return s.rest(b, depth+1)
}

// A cell is made by a function with any number of arguments, below one that has a name of its own for everything.
type cell struct {
	of    *cell
	parts []*cell
	v     int
}

func cells(v int, of ...*cell) *cell {
	c := &cell{v: v, parts: of} // rewritten
	for _, part := range of {
		part.of = c
	}
	return c
}

func nested(a int) *cell {
	if a == 0 {
		return &cell{} // rewritten
	}
	return cells(a, nested(a-1), cells(a), nested(a-1))
}

func (c *cell) count() int {
	n := c.v
	for _, part := range c.parts {
		if part.of == c {
			n += part.count()
		}
	}
	return n
}

func countCells(arena int) (n int) { // the name is not that of the package
	return countNested(arena)
}

func grow(depth int) *Tree {
	t := &Tree{Depth: depth} // rewritten
	if depth > 0 {
		t.Left, t.Right = grow(depth-1), grow(depth-1)
	}
	return t
}

func (t *Tree) leaves() int {
	if t.Depth == 0 {
		return 1
	}
	return t.Left.leaves() + t.Right.leaves()
}

func plant(depth int) *shrub {
	s := &shrub{depth: depth} // refused: the exported function between makes few of them, in each iteration of a loop
	if depth > 0 {
		s.left, s.right = plant(depth-1), plant(depth-1)
	}
	return s
}

func (s *shrub) leaves() int {
	if s.depth == 0 {
		return 1
	}
	return s.left.leaves() + s.right.leaves()
}
