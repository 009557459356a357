package structures

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A jsonNode is a value. Its kind is the first byte: '{', '[', '"', 't', 'f',
// 'n' or '0'.
type jsonNode struct {
	kind    byte
	number  float64
	text    string
	items   []*jsonNode
	members []jsonMember
}

type jsonMember struct {
	name  string
	value *jsonNode
}

type jsonInput struct{ text string }

// newJSONInput returns a document of at least size bytes: a list of people.
func newJSONInput(size int) *jsonInput {
	r := random(6)
	words := randomWords(300)
	word := func() string { return words[r.below(len(words))] }
	var b strings.Builder
	b.WriteString(`{"version": 3, "users": [`)
	for i := 0; b.Len() < size-150; i++ {
		if i > 0 {
			b.WriteString(",\n ")
		}
		fmt.Fprintf(&b, `{"id": %d, "name": "%s %s", "email": "%s@%s.example", "score": %d.%02d, "active": %t, "note": `,
			i, word(), word(), word(), word(), r.below(100), r.below(100), r.below(2) == 0)
		switch r.below(4) {
		case 0:
			b.WriteString("null")
		case 1:
			fmt.Fprintf(&b, `"%s\n\"%s\" caf\u00e9"`, word(), word())
		default:
			fmt.Fprintf(&b, `"%s %s %s"`, word(), word(), word())
		}
		b.WriteString(`, "tags": [`)
		for j := range r.below(5) {
			if j > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%q", word())
		}
		b.WriteString("]}")
	}
	b.WriteString("]}")
	return &jsonInput{b.String()}
}

func (in *jsonInput) size() int { return len(in.text) }

func (n *jsonNode) sum(sum uint64) uint64 {
	sum = sum*31 + uint64(n.kind) + uint64(n.number*100+0.5) + sumText(n.text)
	for _, item := range n.items {
		sum = item.sum(sum)
	}
	for _, m := range n.members {
		sum = m.value.sum(sum + sumText(m.name))
	}
	return sum
}

func sumText[S string | []byte](s S) uint64 {
	if len(s) == 0 {
		return 0
	}
	return uint64(len(s)) + uint64(s[0])<<8 + uint64(s[len(s)-1])<<16
}

// A jsonScanner reads a text, which is valid.
type jsonScanner struct {
	text string
	pos  int
	buf  []byte // for quoted strings with escapes
}

// peek skips space, and returns the next byte.
func (p *jsonScanner) peek() byte {
	for p.text[p.pos] <= ' ' {
		p.pos++
	}
	return p.text[p.pos]
}

// more reports whether another element follows, not end.
func (p *jsonScanner) more(end byte) bool {
	switch c := p.peek(); c {
	case end:
		p.pos++
		return false
	case ',':
		p.pos++
		p.peek()
	}
	return true
}

func (p *jsonScanner) colon() {
	p.peek()
	p.pos++
}

// quoted returns a string, which is valid until the next call.
func (p *jsonScanner) quoted() string {
	p.pos++
	from := p.pos
	for ; p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			return p.unescape(from)
		}
	}
	p.pos++
	return p.text[from : p.pos-1]
}

func (p *jsonScanner) unescape(from int) string {
	p.buf = append(p.buf[:0], p.text[from:p.pos]...)
	for ; ; p.pos++ {
		switch c := p.text[p.pos]; c {
		case '"':
			p.pos++
			return unsafe.String(unsafe.SliceData(p.buf), len(p.buf))
		case '\\':
			p.pos++
			switch c := p.text[p.pos]; c {
			case 'n':
				p.buf = append(p.buf, '\n')
			case 'u':
				r, err := strconv.ParseUint(p.text[p.pos+1:p.pos+5], 16, 32)
				if err != nil {
					panic(err)
				}
				p.buf = utf8.AppendRune(p.buf, rune(r))
				p.pos += 4
			default:
				p.buf = append(p.buf, c)
			}
		default:
			p.buf = append(p.buf, c)
		}
	}
}

// scalar returns the kind and the value of what is not a string.
func (p *jsonScanner) scalar() (kind byte, number float64) {
	from := p.pos
	for strings.IndexByte(",]} \n", p.text[p.pos]) < 0 {
		p.pos++
	}
	if c := p.text[from]; c >= 'a' {
		return c, 0
	}
	number, err := strconv.ParseFloat(p.text[from:p.pos], 64)
	if err != nil {
		panic(err)
	}
	return '0', number
}

// A jsonPlace is a node: its text is bytes[from:to], its elements a list that
// begins at first. Places are counted from 1.
type jsonPlace struct {
	kind              byte
	from, to          uint32
	nameFrom, nameTo  uint32
	first, next, last uint32
	number            float64
}

type jsonPlaces struct {
	jsonScanner
	nodes []jsonPlace
	bytes []byte
}

func handJSON(in *jsonInput) func() uint64 {
	p := &jsonPlaces{jsonScanner: jsonScanner{text: in.text}}
	return func() uint64 {
		p.pos, p.nodes, p.bytes = 0, append(p.nodes[:0], jsonPlace{}), p.bytes[:0]
		return p.sum(p.value(), 0)
	}
}

func (p *jsonPlaces) keep(s string) (from, to uint32) {
	from = uint32(len(p.bytes))
	p.bytes = append(p.bytes, s...)
	return from, uint32(len(p.bytes))
}

func (p *jsonPlaces) value() uint32 {
	at := uint32(len(p.nodes))
	p.nodes = append(p.nodes, jsonPlace{})
	switch c := p.peek(); c {
	case '{':
		p.nodes[at].kind = c
		p.pos++
		for p.more('}') {
			from, to := p.keep(p.quoted())
			p.colon()
			member := p.value()
			p.nodes[member].nameFrom, p.nodes[member].nameTo = from, to
			p.add(at, member)
		}
	case '[':
		p.nodes[at].kind = c
		p.pos++
		for p.more(']') {
			p.add(at, p.value())
		}
	case '"':
		from, to := p.keep(p.quoted())
		n := &p.nodes[at]
		n.kind, n.from, n.to = c, from, to
	default:
		n := &p.nodes[at]
		n.kind, n.number = p.scalar()
	}
	return at
}

func (p *jsonPlaces) add(at, element uint32) {
	n := &p.nodes[at]
	if n.first == 0 {
		n.first = element
	} else {
		p.nodes[n.last].next = element
	}
	n.last = element
}

func (p *jsonPlaces) sum(at uint32, sum uint64) uint64 {
	n := &p.nodes[at]
	sum = sum*31 + uint64(n.kind) + uint64(n.number*100+0.5) + sumText(p.bytes[n.from:n.to])
	for e := n.first; e != 0; e = p.nodes[e].next {
		m := &p.nodes[e]
		sum = p.sum(e, sum+sumText(p.bytes[m.nameFrom:m.nameTo]))
	}
	return sum
}
