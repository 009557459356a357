// Package arena makes trees and lists, and drops them. All functions that make arenas are in this file.
package arena

import (
	"errors"
	"fmt"
)

type node struct {
	op          byte
	val         int
	left, right *node
}

type parser struct {
	text string
	pos  int
}

var errEnd = errors.New("unexpected end")

// Value evaluates a sum in one recursive family of methods, of which the root is exported.
func Value(text string) (int, error) {
	p := &parser{text: text}
	n, err := p.sum()
	if err != nil {
		return 0, err
	}
	return n.value(), nil
}

func (p *parser) sum() (*node, error) {
	left, err := p.product()
	for err == nil && p.pos < len(p.text) && p.text[p.pos] == '+' {
		p.pos++
		var right *node
		if right, err = p.product(); err == nil {
			left = &node{op: '+', left: left, right: right} // rewritten
		}
	}
	return left, err
}

func (p *parser) product() (*node, error) {
	if p.pos == len(p.text) {
		return nil, errEnd
	}
	if p.text[p.pos] == '(' {
		p.pos++
		n, err := p.sum()
		p.pos++
		return n, err
	}
	p.pos++
	return &node{val: int(p.text[p.pos-1] - '0')}, nil // rewritten
}

func (n *node) value() int {
	if n.op == 0 {
		return n.val
	}
	return n.left.value() + n.right.value()
}

func triangle(n int) int { return pile(n).sum() }

// evaluate has a result with a name, and recovers: the arena is freed all the same.
func evaluate(text string) (v, n int, err error) {
	// The comment stays with the statement.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	s := scanner{tokens: []rune(text)}
	e := s.rest(s.operand(), 0)
	if v, err = e.eval(); err != nil {
		return
	}
	n = len(s.all)
	for _, e := range append(s.all, s.last) {
		more, err := e.eval()
		if err != nil {
			return v, n, err
		}
		v += more
	}
	return
}

func countNested(depth int) int { // makes and drops all
	return nested(depth).count()
}

func walk(n int) []int {
	w := &walker{all: []int{5, 6, 7}}
	var last *step
	for range n {
		var more int
		last, more = w.first(last)
		w.pos += more
		last, more = w.second(last)
		w.pos += more
		last = w.third(last)
		last = w.fourth(last)
		last = w.fifth(last, 0)
		last = w.sixth(last, 1)
		last = w.seventh(last)
		last = w.eighth(last)
		to := make([]*step, 4)
		w.ninth(last, to)
		last = w.comparing(w.tenth(to[3]))
	}
	var out []int
	for s := last; s != nil; s = s.next {
		out = append(out, s.at, s.then)
	}
	return out
}

// A Tree leaves the exported function that makes it, which is called once by one that drops it.
type Tree struct {
	Left, Right *Tree
	Depth       int
}

// Grow makes the arena, as its callers may be of other packages.
func Grow(depth int) *Tree {
	return grow(depth)
}

// Leaves counts the leaves of a tree.
func Leaves(depth int) int { return Grow(depth).leaves() }

type shrub struct {
	left, right *shrub
	depth       int
}

// Shrubs is as Leaves, but for the loop around the call.
func Shrubs(n int) (sum int) {
	for depth := range n {
		sum += Shrub(depth).leaves()
	}
	return sum
}

func Shrub(depth int) *shrub {
	return plant(depth)
}
