package xml

import (
	"strings"
	"sync"
)

// A parser builds the tree of one document.
type parser struct {
	src   string
	pos   int
	mem   memory
	node  *Node // the open element, or the document
	depth int   // open elements
	root  bool  // the root element has begun
	typed bool  // a document type has been passed

	pending string // see add
	scratch []byte
	attrs   []Attr // of the tag that is read
	names   [256]known
}

// parsers holds zero parsers but for the capacity of scratch and attrs. They
// are not on the stack, because the compiler cannot see that nothing of the
// scratch buffer reaches a node.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// maxScratch is the largest capacity of a scratch buffer that is kept, in
// bytes.
const maxScratch = 64 << 10

// parse returns the document that src is. It copies what it keeps.
func parse(src string, m memory) (*Node, error) {
	p := parsers.Get().(*parser)
	p.src, p.mem = src, m
	p.node = p.mem.node()
	doc, err := p.document()
	p.release()
	return doc, err
}

// release gives p back without what it holds of the input and of the arena.
func (p *parser) release() {
	clear(p.attrs[:cap(p.attrs)])
	attrs, scratch := p.attrs[:0], p.scratch[:0]
	if cap(scratch) > maxScratch {
		scratch = nil
	}
	*p = parser{attrs: attrs, scratch: scratch}
	parsers.Put(p)
}

func (p *parser) document() (*Node, error) {
	doc := p.node
	if err := p.declaration(); err != nil {
		return nil, err
	}
	for p.pos < len(p.src) {
		if err := p.content(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.node != doc:
		return nil, p.errorAt(p.pos, errNotClosed)
	case !p.root:
		return nil, p.errorAt(p.pos, errNoRoot)
	}
	return doc, nil
}

// content reads one piece of markup, or the text up to the next.
func (p *parser) content() error {
	rest := p.src[p.pos:]
	if rest[0] != '<' {
		return p.text()
	}
	if len(rest) == 1 {
		return p.errorAt(p.pos, errEnd)
	}
	switch rest[1] {
	case '/':
		return p.endTag()
	case '?':
		return p.instruction()
	case '!':
		switch {
		case strings.HasPrefix(rest, "<!--"):
			return p.comment()
		case strings.HasPrefix(rest, cdata):
			return p.text()
		case strings.HasPrefix(rest, "<!DOCTYPE"):
			return p.doctype()
		}
		return p.errorAt(p.pos, errMarkup)
	}
	return p.startTag()
}

// leaf appends a node without children.
func (p *parser) leaf(k Kind, name Name, data string) {
	n := p.mem.node()
	n.Kind, n.Name, n.Data = k, name, data
	p.node.append(n)
}

func (p *parser) startTag() error {
	start := p.pos
	p.pos++
	name, err := p.name()
	if err != nil {
		return err
	}
	empty, err := p.attributes()
	if err != nil {
		return err
	}
	switch {
	case p.depth == 0 && p.root:
		return p.errorAt(start, errRoots)
	case p.depth == MaxDepth:
		return p.errorAt(start, errDepth)
	}
	n := p.mem.node()
	n.Kind, n.Name, n.Attrs = Element, name, p.mem.attributes(p.attrs)
	p.node.append(n)
	p.root = true
	if !empty {
		p.node = n
		p.depth++
	}
	return nil
}

// attributes reads the rest of a start tag into p.attrs and reports whether the
// element is empty.
func (p *parser) attributes() (empty bool, err error) {
	p.attrs = p.attrs[:0]
	for {
		before := p.pos
		p.space()
		rest := p.src[p.pos:]
		switch {
		case rest == "":
			return false, p.errorAt(p.pos, errEnd)
		case rest[0] == '>':
			p.pos++
			return false, p.unique(before)
		case strings.HasPrefix(rest, "/>"):
			p.pos += 2
			return true, p.unique(before)
		case rest[0] == '/':
			return false, p.errorAt(p.pos, errTag)
		case p.pos == before:
			return false, p.errorAt(p.pos, errSpace)
		}
		if err := p.attribute(); err != nil {
			return false, err
		}
	}
}

func (p *parser) attribute() error {
	name, err := p.name()
	if err != nil {
		return err
	}
	if err := p.equals(); err != nil {
		return err
	}
	value, err := p.value()
	if err != nil {
		return err
	}
	p.attrs = append(p.attrs, Attr{name, p.mem.string(value)})
	return nil
}

// equals moves past the = of an attribute and the space around it.
func (p *parser) equals() error {
	p.space()
	if p.pos == len(p.src) {
		return p.errorAt(p.pos, errEnd)
	}
	if p.src[p.pos] != '=' {
		return p.errorAt(p.pos, errEquals)
	}
	p.pos++
	p.space()
	return nil
}

// manyAttrs is the largest number of attributes that are compared with one
// another. In a larger tag that would be slow, and a map finds two of the same
// name.
const manyAttrs = 32

// unique checks that no two of the attributes of a tag, which ends at end,
// have the same name.
func (p *parser) unique(end int) error {
	if len(p.attrs) > manyAttrs {
		return p.uniqueOfMany(end)
	}
	for i := range p.attrs {
		for j := range i {
			if p.attrs[i].Name == p.attrs[j].Name {
				return &SyntaxError{end, errTwice}
			}
		}
	}
	return nil
}

func (p *parser) uniqueOfMany(end int) error {
	seen := make(map[Name]bool, len(p.attrs))
	for _, a := range p.attrs {
		seen[a.Name] = true
	}
	if len(seen) < len(p.attrs) {
		return &SyntaxError{end, errTwice}
	}
	return nil
}

func (p *parser) endTag() error {
	start := p.pos
	p.pos += len("</")
	name, err := p.name()
	if err != nil {
		return err
	}
	p.space()
	switch {
	case p.pos == len(p.src):
		return p.errorAt(p.pos, errEnd)
	case p.src[p.pos] != '>':
		return p.errorAt(p.pos, errTag)
	case p.depth == 0:
		return p.errorAt(start, errNotOpen)
	case p.node.Name != name:
		return p.errorAt(start, errMismatch)
	}
	p.pos++
	p.node = p.node.Parent
	p.depth--
	return nil
}

// space moves past white space.
func (p *parser) space() {
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
}

// errorAt returns an error at offset i. It says that the input has ended where
// it has, or what is wrong there.
func (p *parser) errorAt(i int, msg string) error {
	if i == len(p.src) && msg != errNotClosed && msg != errNoRoot {
		msg = errEnd
	}
	return &SyntaxError{i, msg}
}
