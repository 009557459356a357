package chunk

import (
	"strconv"
	"sync"
)

// A node is one of a tree.
type node struct {
	kind        byte
	value       int
	left, right *node
}

// An expr is a node, too.
type expr interface{ eval() int }

type binary struct {
	op          byte
	left, right expr
}

func (b *binary) eval() int {
	if b.op == '*' {
		return b.left.eval() * b.right.eval()
	}
	return b.left.eval() + b.right.eval()
}

type number struct{ value int }

func (n number) eval() int { return n.value }

type parser struct {
	text string
	pos  int
}

// next reads a byte.
func (p *parser) next() byte {
	b := byte(0)
	if p.pos < len(p.text) {
		b = p.text[p.pos]
	}
	p.pos++
	return b
}

// sum returns a node, whose parts it makes before.
func (p *parser) sum() (*node, error) {
	left, err := p.leaf()
	if err != nil || p.next() != '+' {
		p.pos--
		return left, err
	}
	right, err := p.sum()
	if err != nil {
		return nil, err
	}
	return &node{kind: '+', left: left, right: right}, nil // rewritten
}

// leaf returns a node of a number, or an error.
func (p *parser) leaf() (*node, error) {
	b := p.next()
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return nil, err
	}
	leaf := &node{value: n} // rewritten
	if n == 0 {
		leaf.kind = '0'
	}
	return leaf, nil
}

// nested makes a node, and another one in its fields.
func (p *parser) nested(depth int) *node {
	kind := p.next()
	if kind == 0 || depth == 0 {
		return nil
	}
	return &node{kind: kind, left: p.nested(depth - 1), value: depth, right: p.nested(depth - 1)} // rewritten
}

// blank returns a node without a value.
func (p *parser) blank() *node {
	p.pos++
	return new(node) // rewritten
}

// product returns an interface.
func (p *parser) product() expr {
	left := expr(number{int(p.next() - '0')})
	if p.next() != '*' {
		return left
	}
	return &binary{op: '*', left: left, right: p.product()} // rewritten
}

// newNode makes a node for a parser.
func newNode(kind byte, p *parser) *node {
	p.pos++
	return &node{kind: kind, value: p.pos} // rewritten
}

func (n *node) sum() int {
	if n == nil {
		return 0
	}
	return n.value + n.left.sum() + n.right.sum()
}

// A lone has no others.
type lone struct {
	kind  byte
	value int
	text  string
}

func (p *parser) refusedLone() *lone {
	p.pos++
	return &lone{kind: 'l', value: p.pos} // refused: it is no node of a tree, and one that is kept would keep others
}

type still struct {
	text string
	pos  int
}

func (s *still) refusedStill(at int) *node {
	if at == 0 {
		s.pos++
	}
	return &node{kind: s.text[at]} // refused: goroutines may share the receiver, which does not change each time
}

func (s *still) step() { s.pos++ }

type locked struct {
	text string
	pos  int
}

var lock sync.Mutex

func (s *locked) refusedLocked() *node {
	lock.Lock()
	s.pos++
	lock.Unlock()
	return &node{value: 1, kind: s.text[0]} // refused: goroutines may share the receiver, and lock what they change
}

type queued struct {
	text string
	turn chan int
	pos  int
}

func (s *queued) refusedTurn(turn chan int) *node {
	<-turn
	s.pos++
	return &node{kind: s.text[0]} // refused: goroutines may share the receiver, and take turns
}

type helped struct {
	text string
	pos  int
}

func (s *helped) enter() { lock.Lock() }

func (s *helped) leave() { lock.Unlock() }

func (s *helped) refusedHelper() *node {
	s.enter()
	s.pos++
	s.leave()
	return &node{kind: s.text[0]} // refused: a method that it calls has a lock
}

type late struct {
	text string
	pos  int
}

func (s *late) refusedNil() *node {
	if s != nil {
		s.pos++
	}
	return &node{kind: '-'} // refused: it may have no receiver
}

// A Public is an exported type.
type Public struct {
	text string
	pos  int
}

func refusedPublic(p *Public) *node {
	p.pos++
	return &node{kind: p.text[0]} // refused: other packages may copy and compare what it points to
}

func refusedTwo(p, q *parser) *node {
	p.pos++
	q.pos++
	return &node{kind: p.text[0]} // refused: it is not known which of the two is there longer
}

func refusedCopy(s still2) *node {
	s.pos++
	return &node{kind: s.text[0]} // refused: it is given a copy
}

type still2 struct {
	text string
	pos  int
}

type cloned struct {
	text string
	pos  int
}

func (s *cloned) refusedClone() *node {
	s.pos++
	return &node{kind: s.text[0]} // refused: a copy of the receiver would hand out the same nodes
}

func (s *cloned) clone() *cloned {
	other := *s
	return &other
}

func (p *parser) refusedOther() (*node, int) {
	p.pos++
	return &node{kind: 'o'}, p.advance() // refused: the other result is computed after it
}

func (p *parser) advance() int { p.pos++; return p.pos }

func (p *parser) refusedSecond() (int, *node) {
	p.pos++
	return 2, &node{kind: 's'} // refused: it is not the first result
}

func (p *parser) refusedArgument() int {
	p.pos++
	return (&node{value: p.pos}).sum() // refused: it is not returned
}

func (p *parser) refusedComment() (*node, error) {
	p.pos++
	return &node{kind: 'c'} /* no error */, nil // refused: a comment would be lost
}

func refusedSet(p *parser) *node {
	p.pos++
	p = &parser{text: "x", pos: p.pos}
	return &node{kind: p.text[0]} // refused: the parameter is another one by then
}
