package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// skipSpace removes white space from the beginning of a text. It reports
// whether nothing is left.
func (p *parser) skipSpace() bool {
	p.tok.data = trimSpace(p.tok.data)
	return p.tok.data == ""
}

// takeSpace is skipSpace that adds the white space to top.
func (p *parser) takeSpace() bool {
	s := p.tok.data
	done := p.skipSpace()
	p.text(s[:len(s)-len(p.tok.data)])
	return done
}

func (p *parser) initial() bool {
	switch p.tok.kind {
	case html.TextToken:
		if p.skipSpace() {
			return true
		}
	case html.CommentToken:
		p.comment(p.doc)
		return true
	case html.DoctypeToken:
		n, quirks := p.doctype(p.tok.data)
		p.appendTo(p.doc, n)
		p.quirks = quirks
		p.mode = beforeHTML
		return true
	}
	p.quirks = true
	p.mode = beforeHTML
	return false
}

// impliesStart reports whether an end tag stands for what it ends if that has
// not begun yet. Other end tags have no effect there.
func (p *parser) impliesStart() bool {
	switch p.tok.atom {
	case atom.Head, atom.Body, atom.Html, atom.Br:
		return true
	}
	return false
}

func (p *parser) beforeHTML() bool {
	switch p.tok.kind {
	case html.DoctypeToken:
		return true
	case html.TextToken:
		if p.skipSpace() {
			return true
		}
	case html.StartTagToken:
		if p.tok.atom == atom.Html {
			p.insert()
			p.mode = beforeHead
			return true
		}
	case html.EndTagToken:
		if !p.impliesStart() {
			return true
		}
	case html.CommentToken:
		p.comment(p.doc)
		return true
	}
	p.imply(atom.Html)
	p.mode = beforeHead
	return false
}

func (p *parser) beforeHead() bool {
	switch p.tok.kind {
	case html.TextToken:
		if p.skipSpace() {
			return true
		}
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Head:
			p.head = p.insert()
			p.mode = inHead
			return true
		case atom.Html:
			return p.inBody()
		}
	case html.EndTagToken:
		if !p.impliesStart() {
			return true
		}
	case html.CommentToken:
		p.comment(p.top())
		return true
	case html.DoctypeToken:
		return true
	}
	p.head = p.imply(atom.Head)
	p.mode = inHead
	return false
}

func (p *parser) inHead() bool {
	switch p.tok.kind {
	case html.TextToken:
		if p.takeSpace() {
			return true
		}
	case html.StartTagToken:
		if p.tok.atom == atom.Html {
			return p.inBody()
		}
		if p.tok.atom == atom.Head || p.metadata() {
			return true
		}
	case html.EndTagToken:
		if p.tok.atom == atom.Head {
			p.pop()
			p.mode = afterHead
			return true
		}
		if !p.impliesStart() {
			return true
		}
	case html.CommentToken:
		p.comment(p.top())
		return true
	case html.DoctypeToken:
		return true
	}
	p.pop()
	p.mode = afterHead
	return false
}

// metadata inserts an element of the head. It reports whether the start tag is
// that of one.
func (p *parser) metadata() bool {
	switch p.tok.atom {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		p.void()
	case atom.Noscript:
		if p.mode != inHead {
			return false
		}
		p.insertRaw()
	case atom.Script, atom.Title, atom.Noframes, atom.Style:
		p.insertRaw()
	default:
		return false
	}
	return true
}

func (p *parser) afterHead() bool {
	switch p.tok.kind {
	case html.TextToken:
		if p.takeSpace() {
			return true
		}
	case html.StartTagToken:
		switch p.tok.atom {
		case atom.Html:
			return p.inBody()
		case atom.Body:
			p.insert()
			p.framesetOK = false
			p.mode = inBody
			return true
		case atom.Frameset:
			p.insert()
			p.mode = inFrameset
			return true
		case atom.Head:
			return true
		}
		// Such an element belongs into the head, though that has ended.
		p.push(p.head)
		done := p.metadata()
		p.remove(p.head)
		if done {
			return true
		}
	case html.EndTagToken:
		if !p.impliesStart() || p.tok.atom == atom.Head {
			return true
		}
	case html.CommentToken:
		p.comment(p.top())
		return true
	case html.DoctypeToken:
		return true
	}
	p.imply(atom.Body)
	p.framesetOK = true
	p.mode = inBody
	return p.tok.kind == html.ErrorToken
}

// inRaw is the mode inside an element whose content is text.
func (p *parser) inRaw() bool {
	if p.tok.kind == html.TextToken {
		s := p.tok.data
		if n := p.top(); n.DataAtom == atom.Textarea && p.empty(n) {
			s = strings.TrimPrefix(s, "\n")
		}
		p.text(s)
		return true
	}
	p.pop()
	p.mode = p.back
	return p.tok.kind == html.EndTagToken
}
