package structures

import (
	"fmt"
	"strings"
)

// A reNode is part of a regular expression. Its op is 'c' for a character, '&'
// for a concatenation, or the operator.
type reNode struct {
	op, char byte
	name     string
	subs     []*reNode
	ranges   []reRange
}

type reRange struct{ from, to byte }

type regexpInput struct{ patterns []string }

// newRegexpInput returns n patterns of about 5 to 60 nodes.
func newRegexpInput(n int) *regexpInput {
	r := random(7)
	words := randomWords(50)
	var sequence func(depth, parts int) string
	sequence = func(depth, parts int) string {
		var b strings.Builder
		for range parts {
			switch k := r.below(8); {
			case k < 3:
				b.WriteString(words[r.below(len(words))][:3])
			case k == 3:
				b.WriteString("[a-z0-9_]")
			case k == 4:
				b.WriteString(".")
			case k == 5 && depth > 0:
				fmt.Fprintf(&b, "(?<%s>%s)", words[r.below(len(words))], sequence(depth-1, 2))
			case depth > 0:
				fmt.Fprintf(&b, "(%s|%s)", sequence(depth-1, 1), sequence(depth-1, 2))
			default:
				b.WriteByte(byte('a' + r.below(26)))
			}
			b.WriteString([]string{"", "", "", "*", "+", "?"}[r.below(6)])
		}
		return b.String()
	}
	in := &regexpInput{}
	for len(in.patterns) < n {
		pattern := sequence(2, 1+r.below(7))
		p := heapRegexpParser{reScanner: reScanner{text: pattern}}
		if nodes := p.alternation().nodes(); nodes >= 5 && nodes <= 60 {
			in.patterns = append(in.patterns, pattern)
		}
	}
	return in
}

// size is the number of nodes of the largest pattern.
func (in *regexpInput) size() int { return 60 }

func (n *reNode) nodes() int {
	sum := 1
	for _, sub := range n.subs {
		sum += sub.nodes()
	}
	return sum
}

func (n *reNode) sum(sum uint64) uint64 {
	sum = sum*31 + uint64(n.op) + uint64(n.char)<<8 + sumText(n.name)
	for _, r := range n.ranges {
		sum += uint64(r.to - r.from)
	}
	for _, sub := range n.subs {
		sum = sub.sum(sum)
	}
	return sum
}

// A reScanner reads a pattern, which is valid.
type reScanner struct {
	text string
	pos  int
}

func (p *reScanner) take() byte {
	p.pos++
	return p.text[p.pos-1]
}

// next skips c if it is next, and reports whether it was.
func (p *reScanner) next(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// name returns the name of a group, or "".
func (p *reScanner) name() string {
	if !strings.HasPrefix(p.text[p.pos:], "?<") {
		return ""
	}
	from := p.pos + 2
	p.pos = from + strings.IndexByte(p.text[from:], '>') + 1
	return p.text[from : p.pos-1]
}

func (p *reScanner) span() reRange {
	r := reRange{p.text[p.pos], p.text[p.pos]}
	p.pos++
	if p.next('-') {
		r.to = p.take()
	}
	return r
}

// A rePlace is a node: its subs are a list that begins at first, its ranges
// are ranges[from:to]. Places are counted from 1.
type rePlace struct {
	op, char    byte
	from, to    uint16
	first, next uint16
	name        string // part of the pattern, which is never let go
}

type rePlaces struct {
	reScanner
	nodes  []rePlace
	ranges []reRange
}

func handRegexp(in *regexpInput) func() uint64 {
	i, p := 0, new(rePlaces)
	return func() uint64 {
		p.text, p.pos = in.patterns[i], 0
		i = (i + 1) % len(in.patterns)
		p.nodes, p.ranges = append(p.nodes[:0], rePlace{}), p.ranges[:0]
		return p.sum(p.alternation(), 1)
	}
}

func (p *rePlaces) add(n rePlace) uint16 {
	p.nodes = append(p.nodes, n)
	return uint16(len(p.nodes) - 1)
}

func (p *rePlaces) alternation() uint16 {
	n := p.concatenation()
	if !p.next('|') {
		return n
	}
	alt := p.add(rePlace{op: '|', first: n})
	for {
		sub := p.concatenation()
		p.nodes[n].next = sub
		n = sub
		if !p.next('|') {
			return alt
		}
	}
}

func (p *rePlaces) concatenation() uint16 {
	n, last := p.add(rePlace{op: '&'}), uint16(0)
	for p.pos < len(p.text) && p.text[p.pos] != '|' && p.text[p.pos] != ')' {
		sub := p.repetition()
		if last == 0 {
			p.nodes[n].first = sub
		} else {
			p.nodes[last].next = sub
		}
		last = sub
	}
	return n
}

func (p *rePlaces) repetition() uint16 {
	n := p.atom()
	for p.pos < len(p.text) {
		op := p.text[p.pos]
		if op != '*' && op != '+' && op != '?' {
			break
		}
		p.pos++
		n = p.add(rePlace{op: op, first: n})
	}
	return n
}

func (p *rePlaces) atom() uint16 {
	switch c := p.take(); c {
	case '(':
		n := p.add(rePlace{op: c, name: p.name()})
		sub := p.alternation()
		p.nodes[n].first = sub
		p.take()
		return n
	case '[':
		n := rePlace{op: c, from: uint16(len(p.ranges))}
		for p.text[p.pos] != ']' {
			p.ranges = append(p.ranges, p.span())
		}
		n.to = uint16(len(p.ranges))
		p.take()
		return p.add(n)
	case '.':
		return p.add(rePlace{op: c})
	default:
		return p.add(rePlace{op: 'c', char: c})
	}
}

func (p *rePlaces) sum(at uint16, sum uint64) uint64 {
	n := &p.nodes[at]
	sum = sum*31 + uint64(n.op) + uint64(n.char)<<8 + sumText(n.name)
	for _, r := range p.ranges[n.from:n.to] {
		sum += uint64(r.to - r.from)
	}
	for e := n.first; e != 0; e = p.nodes[e].next {
		sum = p.sum(e, sum)
	}
	return sum
}
