package html

import (
	"errors"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxDepth is the largest number of elements that may be open at once, the same
// as in golang.org/x/net/html.
const MaxDepth = 512

// ErrDepth is the error for a page that is nested deeper than MaxDepth.
var ErrDepth = errors.New("html: more than 512 elements are open")

// A parser builds the tree of one page.
type parser struct {
	tokenizer
	mem memory
	doc *html.Node

	open       []*html.Node // open elements, the first is html
	mode, back mode         // back is the mode that follows rawMode
	head, form *html.Node
	quirks     bool
	framesetOK bool // nothing but white space is in the body yet
	deep       bool // MaxDepth has been exceeded

	// Text that is not in the tree yet, and the node it goes into. It waits
	// for more: a text node that grew would be copied each time.
	pending joiner
	parent  *html.Node

	keyBuf []byte
	val    joiner
}

// parsers holds zero parsers but for the capacity of their buffers.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// parse returns the tree of a page. It copies what it keeps.
func parse(src []byte, m memory) (*html.Node, error) {
	p := parsers.Get().(*parser)
	p.src, p.mem = view(src), m
	doc, err := p.document()
	p.release()
	return doc, err
}

// release gives p back without what it holds of the input and of the arena.
func (p *parser) release() {
	clear(p.open[:cap(p.open)])
	clear(p.tok.attrs[:cap(p.tok.attrs)])
	q := parser{open: p.open[:0], keyBuf: p.keyBuf[:0], val: p.val, pending: p.pending}
	q.tok.attrs, q.tok.lower, q.tok.scratch = p.tok.attrs[:0], p.tok.lower[:0], p.tok.scratch
	q.val.release()
	q.pending.release()
	q.tok.scratch.release()
	*p = q
	parsers.Put(p)
}

func (p *parser) document() (*html.Node, error) {
	doc := p.mem.node()
	doc.Type = html.DocumentNode
	p.doc = doc
	p.framesetOK = true
	for {
		p.next()
		end := p.tok.kind == html.ErrorToken
		for !p.step() {
		}
		switch {
		case p.deep:
			return nil, ErrDepth
		case end:
			p.flush()
			return doc, nil
		}
	}
}

// A mode is an insertion mode: what the parser does with a token.
type mode uint8

const (
	initial mode = iota
	beforeHTML
	beforeHead
	inHead
	afterHead
	inBody
	rawMode
	inTable
	inCaption
	inColumns
	inTableBody
	inRow
	inCell
	inFrameset
	afterFrameset
	afterAfterFrameset
	afterBody
	afterAfterBody
)

// step does with the token what the mode says. It reports whether the token is
// done with; if not, it is for another mode.
func (p *parser) step() bool {
	switch p.mode {
	case initial:
		return p.initial()
	case beforeHTML:
		return p.beforeHTML()
	case beforeHead:
		return p.beforeHead()
	case inHead:
		return p.inHead()
	case afterHead:
		return p.afterHead()
	case rawMode:
		return p.inRaw()
	case inTable:
		return p.inTable()
	case inCaption:
		return p.inCaption()
	case inColumns:
		return p.inColumns()
	case inTableBody:
		return p.inTableBody()
	case inRow:
		return p.inRow()
	case inCell:
		return p.inCell()
	case inFrameset, afterFrameset, afterAfterFrameset:
		return p.frames()
	case afterBody, afterAfterBody:
		return p.afterBody()
	}
	return p.inBody()
}

// top returns the innermost open element, or the document.
func (p *parser) top() *html.Node {
	if len(p.open) == 0 {
		return p.doc
	}
	return p.open[len(p.open)-1]
}

// at returns the atom of top.
func (p *parser) at() atom.Atom { return p.top().DataAtom }

func (p *parser) pop() { p.open = p.open[:len(p.open)-1] }

// push opens n.
func (p *parser) push(n *html.Node) {
	p.open = append(p.open, n)
	if len(p.open) > MaxDepth {
		p.deep = true
	}
}

// appendTo makes n, which has no parent, the last child of parent.
func (p *parser) appendTo(parent, n *html.Node) {
	p.flush()
	attach(parent, n)
}

func attach(parent, n *html.Node) {
	n.Parent, n.PrevSibling = parent, parent.LastChild
	if parent.LastChild == nil {
		parent.FirstChild = n
	} else {
		parent.LastChild.NextSibling = n
	}
	parent.LastChild = n
}

// detach removes n from its parent.
func detach(n *html.Node) {
	if n.Parent == nil {
		return
	}
	n.Parent.RemoveChild(n)
}

// insert opens an element for the start tag.
func (p *parser) insert() *html.Node {
	n := p.element(p.tok.atom, p.tok.name)
	n.Attr = p.attributes()
	return n
}

// imply opens an element that has no tag.
func (p *parser) imply(a atom.Atom) *html.Node { return p.element(a, "") }

// element opens an element. name is only looked at if a is zero.
func (p *parser) element(a atom.Atom, name string) *html.Node {
	n := p.mem.node()
	n.Type, n.DataAtom = html.ElementNode, a
	if a != 0 {
		n.Data = a.String() // a constant, no copy
	} else {
		n.Data = p.mem.string(name)
	}
	p.appendTo(p.top(), n)
	p.push(n)
	return n
}

// void inserts an element that has no content.
func (p *parser) void() {
	p.insert()
	p.pop()
}

// insertRaw opens an element whose content is text.
func (p *parser) insertRaw() {
	p.insert()
	p.back, p.mode = p.mode, rawMode
}

// comment appends a comment to parent.
func (p *parser) comment(parent *html.Node) {
	n := p.mem.node()
	n.Type = html.CommentNode
	n.Data = p.mem.string(p.tok.data)
	p.appendTo(parent, n)
}

// text adds s, part of the token's data, to top.
func (p *parser) text(s string) {
	if s == "" {
		return
	}
	if top := p.top(); p.parent != top {
		p.flush()
		p.parent = top
	}
	if p.tok.stable {
		p.pending.add(s)
	} else {
		p.pending.addCopy(s)
	}
}

// flush puts text that waits into the tree. Where what came between two texts
// went elsewhere, a comment behind </body> or a style behind </head>, they are
// one.
func (p *parser) flush() {
	if p.parent == nil {
		return
	}
	parent := p.parent
	p.parent = nil
	if last := parent.LastChild; last != nil && last.Type == html.TextNode {
		last.Data = p.mem.string(last.Data + p.pending.text())
	} else {
		n := p.mem.node()
		n.Type = html.TextNode
		n.Data = p.mem.string(p.pending.text())
		attach(parent, n)
	}
	p.pending.reset()
}

// empty reports whether n has no children yet.
func (p *parser) empty(n *html.Node) bool { return n.FirstChild == nil && p.parent != n }

// attributes returns the attributes of the start tag, nil if it has none.
func (p *parser) attributes() []html.Attribute {
	if len(p.tok.attrs) == 0 {
		return nil
	}
	attrs := p.mem.attributes(len(p.tok.attrs))
	for i, a := range p.tok.attrs {
		attrs[i] = p.attribute(a)
	}
	return attrs
}

func (p *parser) attribute(a span) html.Attribute {
	return html.Attribute{Key: p.key(a), Val: p.mem.string(p.value(a))}
}

// key returns the key of a. Common ones are constants, the others copies.
func (p *parser) key(a span) string {
	key := lowered(a.key, &p.keyBuf)
	if known := lookup(key); known != 0 {
		return known.String()
	}
	return p.mem.string(key)
}

// value returns the value of a. It is valid until the next call.
func (p *parser) value(a span) string {
	p.val.reset()
	decode(&p.val, a.val, references|inAttribute|replaceNUL)
	return p.val.text()
}

// merge gives n, html or body, the attributes of a second tag that it lacks.
func (p *parser) merge(n *html.Node) {
	for _, a := range p.tok.attrs {
		if hasKey(n, lowered(a.key, &p.keyBuf)) {
			continue
		}
		if len(n.Attr) == cap(n.Attr) {
			// Twice the room: one more with each tag would fill an arena.
			larger := p.mem.attributes(2*len(n.Attr) + 4)
			n.Attr = larger[:copy(larger, n.Attr)]
		}
		n.Attr = append(n.Attr, p.attribute(a))
	}
}

func hasKey(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}
